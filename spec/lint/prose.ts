/** What the contract says in sentences: facts in `description`, all others in `x-assumed`, by their open question. */
import { ASSUMED, isNode, type Node } from './marks.ts'

/** On an enum: what each value means. Redoc shows it as a table. */
export const ENUM_DESCRIPTIONS = 'x-enumDescriptions'

/** On an enum: the JSON pointer of the entries of spec/behaviour, by value, that say what each value means. */
export const ENUM_FROM = 'x-enum-from'

/** What a node itself says: its description, and its sentences that are assumed. */
export function sentencesOf(node: Node): { readonly stated: string[]; readonly assumed: string[] } {
  const assumed = isNode(node[ASSUMED]) ? Object.values(node[ASSUMED]) : []
  return { stated: textsIn([node.description]), assumed: textsIn(assumed) }
}

function textsIn(values: readonly unknown[]): string[] {
  return values
    .filter((it) => typeof it === 'string')
    .map((it) => it.trim())
    .filter(Boolean)
}

/** What an entry of spec/behaviour says of a state or of an error code. */
export function meaningOf(entry: unknown): string | undefined {
  const { meaning, when } = isNode(entry) ? entry : {}
  return [meaning, when].find((text) => typeof text === 'string')
}
