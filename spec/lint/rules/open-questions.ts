import { sourcesIn } from '../behaviour/read.ts'
import { ASSUMED, MARK, markError, marksOf, type Node } from '../marks.ts'
import { below, type Reached, reached } from '../operations.ts'
import { openMarks, questionErrors } from '../register.ts'
import type { Fault, Rule, RuleInput } from '../rule.ts'

/**
 * Every used id must be in the register, and every entry of the register must be used, in either
 * contract or in spec/behaviour, or state in `unmarked` why not.
 */
export const openQuestions: Rule = function* (input) {
  yield* markFaults(input)
  // Both contracts share one register, which is checked once.
  if (input.root === 'openapi') yield* registerFaults(input)
}

function* markFaults({ contract, register }: RuleInput): Iterable<Fault> {
  for (const { node, at } of marked(contract)) {
    const place = below(at, MARK in node ? MARK : ASSUMED)
    const error = markError(node)
    if (error) yield { message: `${error}.`, at: place }

    for (const { id } of marksOf(node))
      if (!(id in register.value))
        yield { message: `The register has no question "${id}".`, at: place }
  }
}

function* registerFaults(input: RuleInput): Iterable<Fault> {
  const { value: register, source } = input.register
  const used = usedIds(input)
  const fault = (id: string, message: string): Fault => ({ message, at: `/${id}`, source })

  for (const [id, entry] of Object.entries(register)) {
    for (const error of questionErrors(id, entry)) yield fault(id, `Question "${id}": ${error}.`)

    const isUnmarked = entry.unmarked !== undefined
    if (isUnmarked && used.has(id)) yield fault(id, `Question "${id}" is used, so drop "unmarked".`)
    if (!isUnmarked && !used.has(id))
      yield fault(id, `Question "${id}" is not used; state why in "unmarked".`)
  }

  const [firstId = ''] = Object.keys(register)
  for (const mark of openMarks(register))
    yield fault(firstId, `No question covers remark ${mark} of the document.`)
}

/** The ids that a mark of either contract, or an entry of spec/behaviour, names. */
function usedIds({ contract, other, behaviour }: RuleInput): Set<string> {
  const marks = [...marked(contract), ...marked(other)].flatMap(({ node }) => marksOf(node))
  const entries = [...sourcesIn(behaviour.entries)].filter(({ kind }) => kind === 'question')
  return new Set([...marks, ...entries].map(({ id }) => id))
}

/** The nodes with marks, and their pointers. */
function marked(contract: Node): Reached[] {
  return [...reached(contract, contract, '')].filter(({ node }) => MARK in node || ASSUMED in node)
}
