import type { Operation } from './operation.ts'

/** The operations of one path, by method. */
export type Methods = ReadonlyMap<string, Operation>

/** Finds the operations of a path; undefined where the contract does not have the path. */
export type Find = (pathname: string) => Methods | undefined

/**
 * Finds the operations of a path, byte for byte: trailing slashes matter, and a path parameter is never empty.
 * Prism's own router would take `PATCH …/webhook/` for a webhook whose identifier is empty.
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
  const given = pathname.split('/')
  return expected.length === given.length && expected.every((part, i) => fits(part, given[i]))
}

function fits(part: string, given: string | undefined): boolean {
  return part.startsWith('{') ? given !== '' : part === given
}

/** What to say of a path that the method has with one trailing slash more or less; undefined of others. */
export function slashHint(method: string, pathname: string, find: Find): string | undefined {
  const other = find(pathname.endsWith('/') ? pathname.slice(0, -1) : `${pathname}/`)?.get(method)
  if (!other) return undefined
  const shown = pathname.length > 100 ? `${pathname.slice(0, 100)}…` : pathname
  return `No operation at ${method} ${shown}. Trailing slashes matter: did you mean ${other.path}?`
}

/** Whether a path can be read at all (RFC 3986, section 2.1): `%zz` names nothing. */
export function isDecodable(pathname: string): boolean {
  try {
    decodeURIComponent(pathname)
    return true
  } catch {
    return false
  }
}
