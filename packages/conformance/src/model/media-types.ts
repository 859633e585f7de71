import { below, type Node, nodeOf } from './document.ts'

/** A JSON media type, or a range that includes JSON (RFC 9110, section 12.5.1). */
const IS_JSON = /^([\w.-]+\/([\w.-]+\+)?json|application\/\*|\*\/\*)\s*(;|$)/i

/** A media type of a body, and its node in the contract. */
interface Media {
  readonly type: string
  readonly pointer: string
  readonly node: Node
}

/** The JSON media type of a body. */
export function jsonOf({ content }: Node, pointer: string): Media | undefined {
  const types = nodeOf(content)
  const key = Object.keys(types).find((it) => IS_JSON.test(it) && nodeOf(types[it]).schema !== undefined)
  if (key === undefined) return undefined
  const type = key.includes('*') ? JSON_TYPE : key
  return { type, pointer: below(pointer, key), node: nodeOf(nodeOf(content)[key]) }
}

export const JSON_TYPE = 'application/json'
