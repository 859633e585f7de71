import { dirname, join } from 'node:path'
import type { Oas3Rule, UserContext } from '@redocly/openapi-core'
import { questionsIn, readBehaviour } from '../behaviour/read.ts'
import { ASSUMED, isNode, MARK, markError, marksOf, type Node } from '../marks.ts'
import { readYaml } from '../read-yaml.ts'
import { openMarks, questionErrors, readRegister } from '../register.ts'

/**
 * Every used id must be in the register, and every entry of the register must be used or state in `unmarked` why not.
 * `beside` names a second contract whose marks also count, like the sources of spec/behaviour.
 */
export const openQuestions: Oas3Rule = ({ beside }: { beside?: string }) => {
  const { register, source } = readRegister()
  const used = new Set<string>()

  function check(node: unknown, ctx: UserContext, location = ctx.location) {
    if (!isNode(node) || !(MARK in node || ASSUMED in node)) return
    const at = location.child([MARK in node ? MARK : ASSUMED])
    const error = markError(node)
    if (error) ctx.report({ message: `${error}.`, location: at })
    for (const { id } of marksOf(node)) {
      used.add(id)
      if (!(id in register)) ctx.report({ message: `The register has no question "${id}".`, location: at })
    }
  }

  function report(ctx: UserContext, id: string, message: string) {
    ctx.report({ message, location: { source, pointer: `#/${id}`, reportOnKey: true } })
  }

  return {
    any: { enter: (node, ctx) => check(node, ctx) },
    ref: { enter: (node, ctx) => check(node, ctx, ctx.rawLocation) },
    Root: {
      leave(_root, ctx) {
        if (!beside) return
        const folder = dirname(ctx.location.source.absoluteRef)
        for (const id of [...idsIn(join(folder, beside)), ...questionsIn(readBehaviour(folder))]) used.add(id)
        for (const [id, entry] of Object.entries(register)) {
          for (const error of questionErrors(id, entry)) report(ctx, id, `Question "${id}": ${error}.`)
          const unmarked = entry.unmarked !== undefined
          if (unmarked === used.has(id)) {
            report(
              ctx,
              id,
              unmarked
                ? `Question "${id}" is used, so drop "unmarked".`
                : `Question "${id}" is not used; state why in "unmarked".`,
            )
          }
        }
        for (const mark of openMarks(register)) {
          report(ctx, Object.keys(register)[0] ?? '', `No question covers remark ${mark} of the document.`)
        }
      },
    },
  }
}

function idsIn(file: string): Set<string> {
  const ids = new Set<string>()
  const visit = (value: unknown): void => {
    if (Array.isArray(value)) value.forEach(visit)
    if (!isNode(value)) return
    for (const { id } of marksOf(value as Node)) ids.add(id)
    Object.values(value).forEach(visit)
  }
  visit(readYaml(file).value)
  return ids
}
