import { isJson } from './content.ts'
import { ContractError } from './contract-error.ts'
import { type Cursor, child, children, keywordOf } from './cursor.ts'
import { formats } from './formats.ts'
import { isNode, pointerOf, quoted } from './json.ts'
import { expectedValueOf, isImplemented } from './keywords.ts'
import { follow, inPlaceOf, resolve } from './reference.ts'
import { typesOf } from './resolve.ts'
import { type Kind, type Site, sitesFrom, sitesOf } from './sites.ts'

/**
 * The first keyword, format, style or media type that the validator does not implement, and would accept every value in
 * silence; else the first keyword with an invalid value, or reference that leads nowhere or to itself.
 */
export function firstErrorIn(root: Cursor): ContractError | undefined {
  const sites = allSites(root)
  return (
    first(sites, (site) => unimplementedAt(root, site)) ??
    first(sites, (site) => errorAt(root, site)) ??
    loopIn(root, sites)
  )
}

function first<T>(
  all: readonly T[],
  errorOf: (it: T) => ContractError | undefined,
): ContractError | undefined {
  for (const it of all) {
    const error = errorOf(it)
    if (error) return error
  }
  return undefined
}

function unimplementedAt(root: Cursor, { kind, at }: Site): ContractError | undefined {
  const [wrong] = UNIMPLEMENTED[kind]?.(root, at) ?? []
  if (!wrong) return undefined
  const [keyword, use] = wrong
  return new ContractError(pointerOf(at.pointer, keyword), keyword, `is not implemented: ${use}`)
}

/** A keyword that is not implemented, and what to write instead. */
type Unimplemented = readonly [keyword: string, use: string]

const UNIMPLEMENTED: Partial<Record<Kind, (root: Cursor, at: Cursor) => Unimplemented[]>> = {
  schema: unimplementedKeywords,
  parameter: unimplementedParameter,
  body: unimplementedContent,
  response: unimplementedContent,
}

function unimplementedKeywords(_: Cursor, at: Cursor): Unimplemented[] {
  if (!isNode(at.node) || Array.isArray(at.node)) return []
  const keywords = Object.keys(at.node).filter((it) => !isImplemented(it))
  const format = keywordOf(at, 'format')
  const isUnknown = typeof format === 'string' && !Object.hasOwn(formats, format)
  return [
    ...keywords.map((it) => [it, 'remove it, or use another keyword'] as const),
    ...(isUnknown ? [['format', `use ${Object.keys(formats).join(', ')} or a pattern`] as const] : []),
  ]
}

/** A parameter is a single value in the default style of its place. */
function unimplementedParameter(root: Cursor, at: Cursor): Unimplemented[] {
  const isDefault = keywordOf(at, 'style') === (keywordOf(at, 'in') === 'query' ? 'form' : 'simple')
  const schema = child(at, 'schema')
  const types = (schema && typesOf(root, schema)) ?? []
  return [
    ...(keywordOf(at, 'in') === 'cookie' ? [['in', 'use path, query or header'] as const] : []),
    ...(types.includes('array') || types.includes('object')
      ? [['schema', 'use a single value'] as const]
      : []),
    ...['style', 'explode', 'allowReserved', 'allowEmptyValue', 'content']
      .filter((it) => keywordOf(at, it) !== undefined && !(it === 'style' && isDefault))
      .map((it) => [it, 'leave it out'] as const),
  ]
}

function unimplementedContent(_: Cursor, at: Cursor): Unimplemented[] {
  const types = children(child(at, 'content')).map(([type]) => type)
  const other = types.find((it) => !isJson(it))
  return other === undefined ? [] : [['content', `use a JSON media type, not ${other}`]]
}

/** All schemas and other objects, including those that are schemas only because of a reference. */
function allSites(root: Cursor): Site[] {
  const sites = [...sitesOf(root)]
  const known = new Set(sites.map(({ at }) => at.pointer))
  for (const site of sites) {
    const reference = keywordOf(site.at, '$ref')
    const at = typeof reference === 'string' ? resolve(root, reference) : undefined
    if (!at || known.has(at.pointer)) continue
    for (const other of sitesFrom({ ...site, at })) {
      if (known.has(other.at.pointer)) continue
      known.add(other.at.pointer)
      sites.push(other)
    }
  }
  return sites
}

function errorAt(root: Cursor, { kind, at, keyword }: Site): ContractError | undefined {
  if (kind !== 'schema')
    return referenceError(root, at) ?? (keyword === 'parameters' ? namelessError(at) : undefined)
  if (typeof at.node === 'boolean') return undefined
  if (!isNode(at.node) || Array.isArray(at.node))
    return new ContractError(at.pointer, keyword, `must be a schema, got ${kindOf(at.node)}`)
  return first(Object.keys(at.node), (name) => wrongValue(at, name)) ?? referenceError(root, at)
}

function wrongValue(at: Cursor, keyword: string): ContractError | undefined {
  const value = keywordOf(at, keyword)
  const expected = expectedValueOf(keyword, value)
  if (expected === undefined) return undefined
  return new ContractError(
    pointerOf(at.pointer, keyword),
    keyword,
    `must be ${expected}, got ${shown(value)}`,
  )
}

function referenceError(root: Cursor, at: Cursor): ContractError | undefined {
  try {
    follow(root, at)
    return undefined
  } catch (error) {
    if (error instanceof ContractError) return error
    throw error
  }
}

const PLACES = ['path', 'query', 'header']

/** A parameter without a name or a place (OpenAPI 3.1, "Parameter Object"). A header has its name as its key. */
function namelessError(at: Cursor): ContractError | undefined {
  if (keywordOf(at, '$ref') !== undefined) return undefined
  const [name, place] = [keywordOf(at, 'name'), keywordOf(at, 'in')]
  if (typeof name !== 'string') return lacking(at, 'name', 'a string', name)
  return PLACES.includes(String(place)) ? undefined : lacking(at, 'in', 'path, query or header', place)
}

function lacking({ pointer }: Cursor, keyword: string, expected: string, value: unknown): ContractError {
  return new ContractError(pointer, keyword, `must have "${keyword}": ${expected}, got ${shown(value)}`)
}

/** The first schema that applies to the same value recursively. */
function loopIn(root: Cursor, sites: readonly Site[]): ContractError | undefined {
  const done = new Set<string>()
  return first(sites, ({ kind, at }) => (kind === 'schema' ? visit(at, new Set()) : undefined))

  function visit(at: Cursor, open: Set<string>): ContractError | undefined {
    if (open.has(at.pointer)) return new ContractError(at.pointer, '$ref', 'must not refer to itself')
    if (done.has(at.pointer)) return undefined
    open.add(at.pointer)
    const error = first(inPlaceOf(root, at), (part) => visit(part, open))
    open.delete(at.pointer)
    done.add(at.pointer)
    return error
  }
}

function kindOf(value: unknown): string {
  return Array.isArray(value) ? 'an array' : shown(value)
}

/** Formats a value of the document, which is not secret, for a message. */
function shown(value: unknown): string {
  const text = quoted(value)
  return text.length > 60 ? `${text.slice(0, 57)}...` : text
}
