import { below, type Node, nodeOf } from './document.ts'

/** A media type of a body, and its node in the contract. */
interface Media {
  readonly type: string
  readonly pointer: string
  readonly node: Node
}

/** The media type of a body that has a schema. The validator refuses all but JSON. */
export function jsonOf({ content }: Node, pointer: string): Media | undefined {
  const types = nodeOf(content)
  const type = Object.keys(types).find((it) => nodeOf(types[it]).schema !== undefined)
  return type === undefined ? undefined : { type, pointer: below(pointer, type), node: nodeOf(types[type]) }
}

export const JSON_TYPE = 'application/json'
