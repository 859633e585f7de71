/** The sentences of the contract: facts in `description`, assumptions in `x-assumed` by open question. */
import { ASSUMED, isNode, type Node } from './marks.ts'

/** On an enum: the meaning of each value. Redoc shows it as a table. */
export const ENUM_DESCRIPTIONS = 'x-enumDescriptions'

/** On an enum: the JSON pointer to the spec/behaviour entries that explain its values. */
export const ENUM_FROM = 'x-enum-from'

/** The sentences of a node: its description and its assumed sentences. */
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

/** The text of a spec/behaviour entry about a state or an error code. */
export function meaningOf(entry: unknown): string | undefined {
  const { meaning, when } = isNode(entry) ? entry : {}
  return [meaning, when].find((text) => typeof text === 'string')
}
