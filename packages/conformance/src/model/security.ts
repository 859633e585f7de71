import { below, type Document, type Node, nodeOf } from './document.ts'

/** HTTP Basic, a bearer token, or a key in a place of its own (OpenAPI 3.1, "Security Scheme Object"). */
export type Scheme = 'basic' | 'bearer' | 'key'

/** Where a key is sent. */
export interface KeyPlace {
  readonly in: string
  readonly name: string
}

/** The first of the alternatives that a caller can be told by; nothing where one of them asks for nothing. */
export function securityOf(
  document: Document,
  { security = document.at('/security') }: Node,
): Authentication {
  const ways = (Array.isArray(security) ? security : []).map((way) => Object.keys(nodeOf(way)))
  const known = ways.flat().map((name) => schemeNamed(document, name))
  const isOpen = ways.some((names) => names.length === 0)
  return (!isOpen && known.find((it) => it !== undefined)) || NO_AUTHENTICATION
}

/** How a caller is told. */
export type Authentication = { readonly scheme: Scheme | undefined; readonly key: KeyPlace | undefined }

const NO_AUTHENTICATION = { scheme: undefined, key: undefined }

function schemeNamed(document: Document, name: string): Authentication | undefined {
  const { node } = document.follow(below('/components/securitySchemes', name))
  const scheme = String(node.scheme).toLowerCase()
  if (node.type === 'http' && (scheme === 'basic' || scheme === 'bearer')) return { scheme, key: undefined }
  if (node.type === 'apiKey') return { scheme: 'key', key: { in: String(node.in), name: String(node.name) } }
  // What these give is sent as a bearer token (RFC 6750), wherever it came from.
  return /^(oauth2|openIdConnect)$/.test(String(node.type)) ? { scheme: 'bearer', key: undefined } : undefined
}

/** Whether nobody comes in but by schemes that are not known here; what the connection proves is no matter of a request. */
export function hasOnlyUnknownSchemes(
  document: Document,
  { security = document.at('/security') }: Node,
): boolean {
  const ways = (Array.isArray(security) ? security : []).map((way) => Object.keys(nodeOf(way)))
  const isProved = (name: string) =>
    document.follow(below('/components/securitySchemes', name)).node.type === 'mutualTLS'
  return ways.length > 0 && !ways.some((names) => names.every(isProved))
}
