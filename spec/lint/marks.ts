/**
 * The mark x-open-question: what of the contract is an assumption.
 *
 * - `x-open-question: id` on a node: the node and all below it.
 * - `x-open-question: { keyword: id }`: that keyword of the node; the rest is fact. Three words stand for
 *   what no keyword of the node says: `presence` (must the field, and those below it, be present?), `meaning` (what is it for?)
 *   and, on a response, `status` (does the response have this status?).
 */
export const MARK = 'x-open-question'

/**
 * On a node: sentences that are no facts, each under the id of its open question. Each marks `meaning`. The build adds
 * them to the description, which itself says facts only.
 */
export const ASSUMED = 'x-assumed'

const BEYOND_KEYWORDS = new Set(['presence', 'meaning', 'status'])

/** An object of the contract, as it stands in a file. */
export type Node = Readonly<Record<string, unknown>>

export interface Mark {
  readonly id: string
  /** Absent: the whole node. */
  readonly keyword?: string
}

export function isNode(value: unknown): value is Node {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

export function marksOf(node: Node): Mark[] {
  const mark = node[MARK]
  if (typeof mark === 'string') return [{ id: mark }]
  const marks = Object.entries(isNode(mark) ? mark : {}).map(([keyword, id]) => ({ keyword, id: String(id) }))
  const ids = Object.keys(isNode(node[ASSUMED]) ? node[ASSUMED] : {})
  return [
    ...marks,
    ...ids
      .filter((id) => marks.every((it) => it.id !== id || it.keyword !== 'meaning'))
      .map((id) => ({ id, keyword: 'meaning' })),
  ]
}

export function isOurs(node: Node): boolean {
  return typeof node[MARK] === 'string'
}

/** What a mark says that cannot be so, or undefined. */
export function markError(node: Node): string | undefined {
  const mark = node[MARK]
  if (ASSUMED in node && !isNode(node[ASSUMED])) return `"${ASSUMED}" must map ids of questions to sentences`
  if (typeof mark === 'string' || mark === undefined) return undefined
  if (!isNode(mark)) return `"${MARK}" must be the id of a question, or a map of keywords to ids`
  const stray = Object.keys(mark).find((keyword) => !(keyword in node) && !BEYOND_KEYWORDS.has(keyword))
  return stray && `"${MARK}" names "${stray}", which the node does not have`
}
