import type { Operation } from './operation.ts'

/** The operations of one path, by method. */
export type Methods = ReadonlyMap<string, Operation>

/** Finds the operations of a path; undefined if the contract does not have the path. */
export type Find = (pathname: string) => Methods | undefined

/**
 * Matches paths byte for byte: trailing slashes matter, and a path parameter is never empty. Prism's router would match
 * `PATCH …/webhook/` as a webhook with an empty identifier.
 */
export function createRoutes(operations: Operation[]): Find {
  const routes = [...Map.groupBy(operations, ({ path }) => path)].map(([path, group]) => ({
    path,
    methods: new Map(group.map((operation) => [operation.method, operation])),
  }))
  const exact = new Map(routes.map(({ path, methods }) => [path, methods]))
  return (pathname) => exact.get(pathname) ?? routes.find(({ path }) => matches(path, pathname))?.methods
}

function matches(path: string, pathname: string): boolean {
  const expected = path.split('/')
  const actual = pathname.split('/')
  return expected.length === actual.length && expected.every((part, i) => matchesSegment(part, actual[i]))
}

function matchesSegment(part: string, segment: string | undefined): boolean {
  return part.startsWith('{') ? segment !== '' : part === segment
}

/** A hint if the path exists with or without a trailing slash; otherwise undefined. */
export function slashHint(method: string, pathname: string, find: Find): string | undefined {
  const other = find(pathname.endsWith('/') ? pathname.slice(0, -1) : `${pathname}/`)?.get(method)
  if (!other) return undefined
  const shortened = pathname.length > 100 ? `${pathname.slice(0, 100)}…` : pathname
  return `No operation at ${method} ${shortened}. Trailing slashes matter: did you mean ${other.path}?`
}

/** Whether the percent-encoding of a path is valid (RFC 3986, section 2.1), unlike `%zz`. */
export function isDecodable(pathname: string): boolean {
  try {
    decodeURIComponent(pathname)
    return true
  } catch {
    return false
  }
}
