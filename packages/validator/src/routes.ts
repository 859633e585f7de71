import { decoded } from '@partner-payments/contract'
import type { Operation } from './operation.ts'

/**
 * The operation of a request.
 *
 * @example
 * const found: Found | NotFound = createValidator().findOperation('GET', '/mobile-bff/v1/partner/user/17')
 * if (found.found) console.log(found.operation.id, found.parameters.user_id) // getUser 17
 */
export interface Found {
  /** Always `true`. */
  readonly found: true
  /** The operation. */
  readonly operation: Operation
  /** The percent-decoded path parameters by name. */
  readonly parameters: Readonly<Record<string, string>>
}

/**
 * No operation matches a request.
 *
 * @example
 * const found: Found | NotFound = createValidator().findOperation('GET', '/mobile-bff/v1/pix/out/')
 * if (!found.found) console.log(found.status, found.allow) // 405 [ 'POST' ]
 */
export interface NotFound {
  /** Always `false`. */
  readonly found: false
  /**
   * 404 if no path matches (RFC 9110, section 15.5.5); 405 if a path matches but not the method
   * (section 15.5.6).
   */
  readonly status: 404 | 405
  /** The methods of the path, for the `allow` header; empty with 404. */
  readonly allow: readonly string[]
  /**
   * The operation of this method at the path with or without a trailing slash, for error messages.
   */
  readonly otherSlash: Operation | undefined
}

/** Finds the operation of a method and a path. Never throws. */
export type FindOperation = (method: string, path: string) => Found | NotFound

/** What can follow the first segments of a path: other segments, or its end. */
interface Branch {
  /** By decoded segment. */
  readonly fixed: Map<string, Branch>
  /** After a segment that is a parameter. */
  parameter?: Branch
  /** Set if a path ends here. */
  route?: Route
}

/** A path: the names of its parameters in their order, and its operations by method. */
interface Route {
  readonly names: readonly string[]
  readonly methods: Map<string, Operation>
}

/** The route of a request, and the values of its parameters in their order. */
interface RouteMatch {
  readonly route: Route
  readonly values: readonly string[]
}

/**
 * Creates the function that finds the operation of a method and a path. It walks a tree of path
 * segments, so that the cost depends on the path, not on the number of operations.
 */
export function createRoutes(operations: readonly Operation[]): FindOperation {
  const tree: Branch = { fixed: new Map() }
  for (const operation of operations) addRoute(tree, operation)

  return (method, path) => {
    const match = findRoute(tree, path)
    if (!match) {
      const otherSlash = findWithOtherSlash(tree, method, path)
      return { found: false, status: 404, allow: [], otherSlash }
    }

    const { methods } = match.route
    const operation = methods.get(method)
    if (!operation) {
      const otherSlash = findWithOtherSlash(tree, method, path)
      return { found: false, status: 405, allow: [...methods.keys()], otherSlash }
    }

    return { found: true, operation, parameters: namedValues(match) }
  }
}

/** The operation at the path with a slash at its end if it has none, without it otherwise. */
function findWithOtherSlash(tree: Branch, method: string, path: string): Operation | undefined {
  const pathWithOtherSlash = path.endsWith('/') ? path.slice(0, -1) : `${path}/`
  return findRoute(tree, pathWithOtherSlash)?.route.methods.get(method)
}

/** Adds an operation to the tree, at the branch of its path, such as `/user/{user_id}`. */
function addRoute(tree: Branch, operation: Operation): void {
  const segments = operation.path.split('/').slice(1)
  let branch = tree
  for (const segment of segments) branch = nextBranch(branch, segment)

  const names = segments.filter(isParameter).map((segment) => segment.slice(1, -1))
  branch.route ??= { names, methods: new Map() }
  branch.route.methods.set(operation.method, operation)
}

function isParameter(segment: string): boolean {
  return segment.startsWith('{')
}

/**
 * The branch of the tree after one segment of a path, which is created if it does not exist: a
 * segment such as `users` has a branch of its own, and all parameters (`{user_id}`) have one.
 */
function nextBranch(branch: Branch, segment: string): Branch {
  if (isParameter(segment)) {
    branch.parameter ??= { fixed: new Map() }
    return branch.parameter
  }

  const key = decoded(segment) ?? segment
  const next = branch.fixed.get(key) ?? { fixed: new Map() }
  branch.fixed.set(key, next)
  return next
}

/** The route of a path with the values of its parameters. */
function findRoute(tree: Branch, path: string): RouteMatch | undefined {
  if (!path.startsWith('/')) return undefined
  return searchBranch(tree, splitPath(path), 0, [])
}

/**
 * The decoded segments of a path; undefined if one has an invalid encoding (RFC 3986, section 2.1).
 */
function splitPath(path: string): (string | undefined)[] {
  const segments = path.slice(1).split('/')
  return path.includes('%') ? segments.map(decoded) : segments
}

/**
 * The route of the segments from index `i` on, with the values of all parameters; undefined if
 * there is none. Looks below the segment as it is written first, and then below a parameter: of
 * `/a/me` and `/a/{id}`, the first one takes precedence (OpenAPI 3.1, "Path Templating Matching").
 * A parameter is not empty.
 *
 * @param values The values of the parameters before `i`.
 */
function searchBranch(
  { fixed, parameter, route }: Branch,
  segments: (string | undefined)[],
  i: number,
  values: readonly string[],
): RouteMatch | undefined {
  if (i === segments.length) return route && { route, values }

  const segment = segments[i]
  const hasInvalidEncoding = segment === undefined
  if (hasInvalidEncoding) return undefined

  const next = fixed.get(segment)
  const match = next && searchBranch(next, segments, i + 1, values)
  if (match) return match

  if (!parameter || segment === '') return undefined
  return searchBranch(parameter, segments, i + 1, [...values, segment])
}

function namedValues({ route, values }: RouteMatch): Record<string, string> {
  return Object.fromEntries(route.names.map((name, i) => [name, values[i] ?? '']))
}
