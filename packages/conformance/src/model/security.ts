import { below, type Document, type Node, nodeOf } from './document.ts'

/** HTTP Basic, a bearer token, or an API key (OpenAPI 3.1, "Security Scheme Object"). */
export type Scheme = 'basic' | 'bearer' | 'key'

/** Where an API key is sent. */
export interface KeyPlace {
  readonly in: string
  readonly name: string
}

/** The first supported scheme; none if an alternative needs no credentials. */
export function securityOf(
  document: Document,
  { security = document.at('/security') }: Node,
): Authentication {
  const ways = (Array.isArray(security) ? security : []).map((way) => Object.keys(nodeOf(way)))
  const known = ways.flat().map((name) => schemeNamed(document, name))
  const isOpen = ways.some((names) => names.length === 0)
  return (!isOpen && known.find((it) => it !== undefined)) || NO_AUTHENTICATION
}

/** How an operation authenticates its caller. */
export type Authentication = { readonly scheme: Scheme | undefined; readonly key: KeyPlace | undefined }

const NO_AUTHENTICATION = { scheme: undefined, key: undefined }

function schemeNamed(document: Document, name: string): Authentication | undefined {
  const { node } = document.follow(below('/components/securitySchemes', name))
  const scheme = String(node.scheme).toLowerCase()
  if (node.type === 'http' && (scheme === 'basic' || scheme === 'bearer')) return { scheme, key: undefined }
  if (node.type === 'apiKey') return { scheme: 'key', key: { in: String(node.in), name: String(node.name) } }
  // Both yield bearer tokens (RFC 6750).
  return /^(oauth2|openIdConnect)$/.test(String(node.type)) ? { scheme: 'bearer', key: undefined } : undefined
}

/** Whether every alternative needs credentials, not counting mutual TLS, which concerns the connection. */
export function isProtected(document: Document, { security = document.at('/security') }: Node): boolean {
  const ways = (Array.isArray(security) ? security : []).map((way) => Object.keys(nodeOf(way)))
  const isProved = (name: string) =>
    document.follow(below('/components/securitySchemes', name)).node.type === 'mutualTLS'
  return ways.length > 0 && !ways.some((names) => names.every(isProved))
}
