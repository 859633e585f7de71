import type { Operation } from './operations.ts'

/** The operations of one path, by method. */
export type Methods = ReadonlyMap<string, Operation>

/**
 * Finds the operations of a path, byte for byte: a last slash counts, and a path parameter is never empty.
 * Prism's own router would take `PATCH …/webhook/` for a webhook whose identifier is empty.
 */
export function createRoutes(operations: Operation[]): (pathname: string) => Methods | undefined {
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

/** Whether a path can be read at all (RFC 3986, section 2.1): `%zz` names nothing. */
export function isDecodable(pathname: string): boolean {
  try {
    decodeURIComponent(pathname)
    return true
  } catch {
    return false
  }
}
