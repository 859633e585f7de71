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
  /** 404 if no path matches (RFC 9110, section 15.5.5); 405 if a path matches but not the method (section 15.5.6). */
  readonly status: 404 | 405
  /** The methods of the path, for the `allow` header; empty with 404. */
  readonly allow: readonly string[]
  /** The operation of this method at the path with or without a trailing slash, for error messages. */
  readonly otherSlash: Operation | undefined
}

/**
 * Finds the operation of a method and a path. Never throws.
 *
 * @example
 * const find: FindOperation = createValidator().findOperation
 * console.log(find('POST', '/mobile-bff/v1/pix/out/').found) // true
 */
export type FindOperation = (method: string, path: string) => Found | NotFound

interface Segment {
  /** The literal strings around the parameters, one more than there are parameters. */
  readonly literals: readonly string[]
  readonly node: Branch
}

interface Branch {
  readonly fixed: Map<string, Branch>
  readonly templated: Segment[]
  route?: Route
}

interface Route {
  readonly names: readonly string[]
  readonly methods: Map<string, Operation>
}

interface Hit {
  readonly route: Route
  readonly values: readonly string[]
}

/** A tree of path segments: the cost of a look-up depends on the path, not on the number of operations. */
export function createRoutes(operations: readonly Operation[]): FindOperation {
  const tree = newBranch()
  for (const operation of operations) add(tree, operation)
  const hitOf = (path: string) => (path.startsWith('/') ? search(tree, segmentsOf(path), 0, []) : undefined)
  return (method, path) => {
    const hit = hitOf(path)
    const operation = hit?.route.methods.get(method)
    if (hit && operation) return { found: true, operation, parameters: named(hit) }
    const otherSlash = hitOf(toggled(path))?.route.methods.get(method)
    if (!hit) return { found: false, status: 404, allow: [], otherSlash }
    return { found: false, status: 405, allow: [...hit.route.methods.keys()], otherSlash }
  }
}

function toggled(path: string): string {
  return path.endsWith('/') ? path.slice(0, -1) : `${path}/`
}

function newBranch(): Branch {
  return { fixed: new Map(), templated: [] }
}

function add(tree: Branch, operation: Operation): void {
  const end = operation.path.split('/').slice(1).reduce(grow, tree)
  const names = [...operation.path.matchAll(/\{([^{}]*)\}/g)].map(([, name = '']) => name)
  end.route ??= { names, methods: new Map() }
  end.route.methods.set(operation.method, operation)
}

function grow(branch: Branch, segment: string): Branch {
  const literals = segment.split(/\{[^{}]*\}/)
  if (literals.length > 1) return growTemplated(branch, literals)
  const key = decoded(segment) ?? segment
  const known = branch.fixed.get(key) ?? newBranch()
  branch.fixed.set(key, known)
  return known
}

function growTemplated(branch: Branch, literals: readonly string[]): Branch {
  const known = branch.templated.find((it) => it.literals.join('{}') === literals.join('{}'))
  if (known) return known.node
  const node = newBranch()
  branch.templated.push({ literals, node })
  // More literal text is more specific.
  branch.templated.sort((a, b) => b.literals.join('').length - a.literals.join('').length)
  return node
}

/** The decoded segments of a path; undefined if one has an invalid encoding (RFC 3986, section 2.1). */
function segmentsOf(path: string): (string | undefined)[] {
  const segments = path.slice(1).split('/')
  return path.includes('%') ? segments.map(decoded) : segments
}

/** Concrete segments take precedence (OpenAPI 3.1, "Path Templating Matching"). */
function search(
  branch: Branch,
  segments: (string | undefined)[],
  i: number,
  values: readonly string[],
): Hit | undefined {
  if (i === segments.length) return branch.route && { route: branch.route, values }
  const segment = segments[i]
  if (segment === undefined) return undefined
  const fixed = branch.fixed.get(segment)
  const hit = fixed && search(fixed, segments, i + 1, values)
  if (hit) return hit
  for (const { literals, node } of branch.templated) {
    const own = valuesOf(segment, literals)
    const deeper = own && search(node, segments, i + 1, [...values, ...own])
    if (deeper) return deeper
  }
  return undefined
}

/** The values between the literal strings, none of them empty, each as short as possible. */
function valuesOf(segment: string, literals: readonly string[]): string[] | undefined {
  const [first = ''] = literals
  if (!segment.startsWith(first)) return undefined
  const values: string[] = []
  let start = first.length
  for (const [i, literal] of literals.slice(1).entries()) {
    const end = endOf(segment, literal, start + 1, i === literals.length - 2)
    if (end === undefined) return undefined
    values.push(segment.slice(start, end))
    start = end + literal.length
  }
  return values
}

function endOf(segment: string, literal: string, from: number, isLast: boolean): number | undefined {
  const end = isLast ? segment.length - literal.length : segment.indexOf(literal, from)
  return end >= from && segment.startsWith(literal, end) ? end : undefined
}

function decoded(text: string): string | undefined {
  try {
    return decodeURIComponent(text)
  } catch {
    return undefined
  }
}

function named({ route, values }: Hit): Record<string, string> {
  return Object.fromEntries(route.names.map((name, i) => [name, values[i] ?? '']))
}
