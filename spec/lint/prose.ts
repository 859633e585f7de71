/** What the contract says in sentences: facts in `description`, all others in `x-assumed`, by their open question. */
import { ASSUMED, isNode, type Node } from './marks.ts'

/** On an enum: what each value means. Redoc shows it as a table. */
export const ENUM_DESCRIPTIONS = 'x-enumDescriptions'

/** On an enum: the JSON pointer of the entries of spec/behaviour, by value, that say what each value means. */
export const ENUM_FROM = 'x-enum-from'

/** The sentences of a node itself, facts first. */
export function sentencesOf(node: Node): string[] {
  const assumed = node[ASSUMED]
  return [node.description, ...(isNode(assumed) ? Object.values(assumed) : [])].filter(
    (text): text is string => typeof text === 'string' && text !== '',
  )
}

/** What an entry of spec/behaviour says of a state or of an error code. */
export function meaningOf(entry: unknown): string | undefined {
  const { meaning, when } = isNode(entry) ? entry : {}
  return [meaning, when].find((text) => typeof text === 'string')
}
