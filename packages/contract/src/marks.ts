import { fieldsOf } from './json/json.ts'

/**
 * The mark x-open-question identifies assumptions in the contract.
 *
 * - `x-open-question: id` on a node marks the node and everything below it.
 * - `x-open-question: { keyword: id }` marks that keyword of the node; the rest is fact. Three
 *   words are not keywords: `presence` (whether the field and those below it are present),
 *   `meaning` (its purpose) and, on a response, `status` (whether the response has this status).
 */
export const MARK = 'x-open-question'

/**
 * On a node: assumed sentences by the id of their open question. Each one marks `meaning`. The
 * build adds them to the description, which itself contains only facts.
 */
export const ASSUMED = 'x-assumed'

/** An assumption: a whole node, or one keyword of it. */
export interface Mark {
  /** The id of the open question. */
  readonly id: string
  /** Absent: the whole node. */
  readonly keyword?: string
}

/**
 * Lists the marks of one node of the contract, without those of its references and of the nodes
 * around it. `{ 'x-open-question': { pattern: 'key-forms' } }` has the mark
 * `{ keyword: 'pattern', id: 'key-forms' }`: the pattern rests on an open question, not on a fact.
 */
export function marksOf(node: unknown): Mark[] {
  const { [MARK]: mark, [ASSUMED]: sentences } = fieldsOf(node)
  const isWholeMarked = typeof mark === 'string'
  if (isWholeMarked) return [{ id: mark }]

  const marks: Mark[] = []
  for (const [keyword, id] of Object.entries(fieldsOf(mark)))
    marks.push({ keyword, id: String(id) })

  // A sentence about what the node means can rest on a question too.
  for (const question of Object.keys(fieldsOf(sentences))) {
    const isMarked = marks.some(({ id, keyword }) => id === question && keyword === 'meaning')
    if (!isMarked) marks.push({ id: question, keyword: 'meaning' })
  }
  return marks
}

/** The open question that marks a node as a whole, with all below it. */
export function wholeMark(node: unknown): string | undefined {
  const mark = fieldsOf(node)[MARK]
  return typeof mark === 'string' ? mark : undefined
}

/** The open question that marks one keyword of a node, and not the node as a whole. */
export function keywordMark(node: unknown, keyword: string): string | undefined {
  const question = fieldsOf(fieldsOf(node)[MARK])[keyword]
  return typeof question === 'string' ? question : undefined
}

/**
 * The open question that marks a node: as a whole, or else the first of these keywords that has a
 * mark. Undefined if none of that is an assumption.
 */
export function questionOf(node: unknown, ...keywords: readonly string[]): string | undefined {
  const questionOfNode = wholeMark(node)
  if (questionOfNode !== undefined) return questionOfNode

  for (const keyword of keywords) {
    const question = keywordMark(node, keyword)
    if (question !== undefined) return question
  }
  return undefined
}

/**
 * Joins the marks of a reference (`$ref`) and of its target. A mark says that a keyword rests on an
 * open question. A mark of `pattern` beside the reference replaces that of `pattern` in the target.
 */
export function joinMarks<M extends Pick<Mark, 'keyword'>>(
  ofTarget: readonly M[],
  besideReference: readonly M[],
): M[] {
  const replacedKeywords = new Set(besideReference.map(({ keyword }) => keyword))
  // A node can rest on several questions about its meaning, so both stay.
  replacedKeywords.delete('meaning')
  const remaining = ofTarget.filter(({ keyword }) => !replacedKeywords.has(keyword))
  return [...remaining, ...besideReference]
}
