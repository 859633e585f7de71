import { join } from 'node:path'
import { questionsIn } from '../behaviour/read.ts'
import { ASSUMED, isNode, MARK, markError, marksOf, type Node } from '../marks.ts'
import { below } from '../operations.ts'
import { openMarks, questionErrors, readRegister } from '../register.ts'
import type { Fault, Rule } from '../rule.ts'

/**
 * Every used id must be in the register, and every entry of the register must be used, in either contract or in
 * spec/behaviour, or state in `unmarked` why not.
 */
export const openQuestions: Rule = function* ({ contract, root, other, spec, behaviour }) {
  const { register, source } = readRegister(join(spec, 'open-questions.yaml'))
  for (const { node, at } of marked(contract)) {
    const place = below(at, MARK in node ? MARK : ASSUMED)
    const error = markError(node)
    if (error) yield { message: `${error}.`, at: place }
    for (const { id } of marksOf(node))
      if (!(id in register)) yield { message: `The register has no question "${id}".`, at: place }
  }
  if (root === 'guide') return
  const ofMarks = [...marked(contract), ...marked(other)].flatMap(({ node }) => marksOf(node))
  const used = new Set([...ofMarks.map(({ id }) => id), ...questionsIn(behaviour)])
  const fault = (id: string, message: string): Fault => ({ message, at: `/${id}`, source })
  for (const [id, entry] of Object.entries(register)) {
    for (const error of questionErrors(id, entry)) yield fault(id, `Question "${id}": ${error}.`)
    const isUnmarked = entry.unmarked !== undefined
    if (isUnmarked && used.has(id)) yield fault(id, `Question "${id}" is used, so drop "unmarked".`)
    if (!isUnmarked && !used.has(id))
      yield fault(id, `Question "${id}" is not used; state why in "unmarked".`)
  }
  for (const mark of openMarks(register))
    yield fault(Object.keys(register)[0] ?? '', `No question covers remark ${mark} of the document.`)
}

/** The nodes with marks, and their pointers. */
function* marked(value: unknown, at = ''): Generator<{ node: Node; at: string }> {
  if (typeof value !== 'object' || value === null) return
  if (isNode(value) && (MARK in value || ASSUMED in value)) yield { node: value, at }
  for (const [name, child] of Object.entries(value)) yield* marked(child, below(at, name))
}
