import { fieldsOf } from '@partner-payments/contract'
import { findSources } from '../behaviour/read.ts'
import { ASSUMED, MARK, type Mark, markError, marksOf, type Node } from '../marks.ts'
import { pointerBelow, type ReachableNode, reachableNodes } from '../operations.ts'
import { openMarks, questionErrors } from '../register.ts'
import type { Rule, RuleInput } from '../rule.ts'
import { didYouMean } from '../suggest.ts'

/** The form of the register: fields, bases and verdicts that exist. */
export const questionForm: Rule = function* ({ register: { value, file } }) {
  for (const [id, entry] of Object.entries(value))
    for (const { field, message } of questionErrors(id, entry))
      yield { message, at: field ? pointerBelow('', id, field) : pointerBelow('', id), file }
}

/**
 * Reports marks that name a keyword which their node does not have, or a question which the
 * register does not have.
 */
export const marksKnown: Rule = function* ({ contract, register }) {
  for (const { node, at } of listMarkedNodes(contract)) {
    const error = markError(node)
    if (error) yield { message: error.message, at: `${at}${error.at}` }

    for (const mark of marksOf(node)) {
      if (mark.id in register.value) continue
      const next = didYouMean(mark.id, Object.keys(register.value), '; add it there.')
      const message = `${register.file} has no question "${mark.id}"${next}`
      yield { message, at: pointerOfMark(node, at, mark) }
    }
  }
}

/**
 * The pointer of a mark of a node. It is `…/x-open-question` for a mark of the whole node,
 * `…/x-open-question/pattern` for one of a keyword, and `…/x-assumed/<id>` for that of a sentence.
 *
 * @param at The pointer of the node.
 */
function pointerOfMark(node: Node, at: string, { id, keyword }: Mark): string {
  if (keyword === undefined) return pointerBelow(at, MARK)

  // A sentence marks the keyword `meaning` (see `marksOf`), without a line in `x-open-question`.
  const isOfKeyword = fieldsOf(node[MARK])[keyword] === id
  return isOfKeyword ? pointerBelow(at, MARK, keyword) : pointerBelow(at, ASSUMED, id)
}

/**
 * Reports questions of the register that no mark names, in either contract or in spec/behaviour,
 * unless they say in `unmarked` why; and remarks of the source document ("to be confirmed") that no
 * question covers.
 */
export const openQuestions: Rule = function* (input) {
  const { value: register, file } = input.register
  const usedQuestions = usedIds(input)
  for (const [id, entry] of Object.entries(register)) {
    const at = pointerBelow('', id)
    const isUsed = usedQuestions.has(id)
    const saysWhyUnused = entry.unmarked !== undefined
    if (isUsed && saysWhyUnused) {
      const message = `The question "${id}" is used; remove "unmarked".`
      yield { message, at: pointerBelow(at, 'unmarked'), file }
    }
    if (!isUsed && !saysWhyUnused) {
      const message = `Nothing names the question "${id}"; mark what it is about, or state why not in "unmarked".`
      yield { message, at, file }
    }
  }

  for (const mark of openMarks(register)) {
    const message = `No question covers remark ${mark} of the document; add it to the "marks" of its question.`
    // The register has no entry of it, so the place is the file as a whole.
    yield { message, at: '', file }
  }
}

/** The ids that a mark of either contract, or an entry of spec/behaviour, names. */
function usedIds({ contract, other, behaviour }: RuleInput): Set<string> {
  const ids = new Set<string>()
  for (const { node } of [...listMarkedNodes(contract), ...listMarkedNodes(other)])
    for (const { id } of marksOf(node)) ids.add(id)
  for (const { kind, id } of findSources(behaviour.entries)) if (kind === 'question') ids.add(id)
  return ids
}

/** The nodes with marks, and their pointers. */
function listMarkedNodes(contract: Node): ReachableNode[] {
  const nodes = [...reachableNodes(contract, contract, '')]
  return nodes.filter(({ node }) => MARK in node || ASSUMED in node)
}
