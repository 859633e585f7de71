import { below, type Document, type Node, nodeOf } from './document.ts'

/** HTTP Basic or a bearer token (OpenAPI 3.1, "Security Scheme Object"). */
export type Scheme = 'basic' | 'bearer'

/** The first supported scheme; undefined if an alternative needs no credentials. */
export function schemeOf(document: Document, operation: Node): Scheme | undefined {
  const ways = waysOf(document, operation)
  if (ways.some((names) => names.length === 0)) return undefined
  return ways.flat().flatMap((name) => schemeNamed(document, name) ?? [])[0]
}

/** Whether every alternative needs credentials. */
export function isProtected(document: Document, operation: Node): boolean {
  const ways = waysOf(document, operation)
  return ways.length > 0 && ways.every((names) => names.length > 0)
}

/** The names of the schemes of each alternative. */
function waysOf(document: Document, { security = document.at('/security') }: Node): readonly string[][] {
  return (Array.isArray(security) ? security : []).map((way) => Object.keys(nodeOf(way)))
}

function schemeNamed(document: Document, name: string): Scheme | undefined {
  const { node } = document.follow(below('/components/securitySchemes', name))
  const scheme = String(node.scheme).toLowerCase()
  return node.type === 'http' && (scheme === 'basic' || scheme === 'bearer') ? scheme : undefined
}
