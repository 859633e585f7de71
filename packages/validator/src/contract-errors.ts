import { isJson } from './content.ts'
import { ContractError } from './contract-error.ts'
import { type Cursor, child, children, keywordOf } from './cursor.ts'
import { formats } from './formats.ts'
import { isNode, pointerOf, quoted } from './json.ts'
import { expectedValueOf, isImplemented } from './keywords.ts'
import { follow, inPlaceOf, resolve } from './reference.ts'
import { typesOf } from './resolve.ts'
import { type Kind, type Site, sitesFrom, sitesOf } from './sites.ts'

/** An error of a document and its location. */
export interface DocumentError {
  readonly error: ContractError
  /** The innermost schema or object that contains the error. */
  readonly at: Cursor
}

/** All errors of a document that affect validation, in the order of the document. */
export function documentErrors(root: Cursor): DocumentError[] {
  const sites = allSites(root)
  const broken = sites.flatMap((site) => errorsAt(root, site))
  return [...broken, ...loopsOf(root, sites, new Set(broken.map(({ at }) => at.pointer)))]
}

/**
 * The first keyword, format, style or media type that the validator does not implement. It would accept every value in
 * silence.
 */
export function unimplementedIn(root: Cursor): ContractError | undefined {
  for (const { kind, at } of allSites(root)) {
    const [wrong] = UNIMPLEMENTED[kind]?.(root, at) ?? []
    if (!wrong) continue
    const [keyword, use] = wrong
    return new ContractError(pointerOf(at.pointer, keyword), keyword, `is not implemented: ${use}`)
  }
  return undefined
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

function errorsAt(root: Cursor, { kind, at, keyword }: Site): DocumentError[] {
  if (kind !== 'schema')
    return [...referenceErrors(root, at), ...(keyword === 'parameters' ? namelessErrors(at) : [])]
  if (typeof at.node === 'boolean') return []
  if (!isNode(at.node) || Array.isArray(at.node))
    return [{ at, error: new ContractError(at.pointer, keyword, `must be a schema, got ${kindOf(at.node)}`) }]
  const wrong = Object.keys(at.node).flatMap((name) => wrongValue(at, name))
  return wrong.length > 0 ? wrong : unresolved(root, at)
}

function wrongValue(at: Cursor, keyword: string): DocumentError[] {
  const value = keywordOf(at, keyword)
  const expected = expectedValueOf(keyword, value)
  if (expected === undefined) return []
  const message = `must be ${expected}, got ${shown(value)}`
  return [{ at, error: new ContractError(pointerOf(at.pointer, keyword), keyword, message) }]
}

function unresolved(root: Cursor, at: Cursor): DocumentError[] {
  const reference = keywordOf(at, '$ref')
  if (typeof reference !== 'string' || resolve(root, reference)) return []
  const message = `must refer to a location in the document, got ${reference}`
  return [{ at, error: new ContractError(`${at.pointer}/$ref`, '$ref', message) }]
}

/** References of parameters, responses, path items and other objects that are not schemas. */
function referenceErrors(root: Cursor, at: Cursor): DocumentError[] {
  try {
    follow(root, at)
    return []
  } catch (error) {
    if (!(error instanceof ContractError)) throw error
    return [{ at, error }]
  }
}

const PLACES = ['path', 'query', 'header']

/** A parameter without a name or a place (OpenAPI 3.1, "Parameter Object"). A header has its name as its key. */
function namelessErrors(at: Cursor): DocumentError[] {
  if (keywordOf(at, '$ref') !== undefined) return []
  const [name, place] = [keywordOf(at, 'name'), keywordOf(at, 'in')]
  if (typeof name !== 'string') return [{ at, error: lacking(at, 'name', 'a string', name) }]
  if (PLACES.includes(String(place))) return []
  return [{ at, error: lacking(at, 'in', 'path, query or header', place) }]
}

function lacking({ pointer }: Cursor, keyword: string, expected: string, value: unknown): ContractError {
  return new ContractError(pointer, keyword, `must have "${keyword}": ${expected}, got ${shown(value)}`)
}

/** Schemas that apply to the same value recursively. */
function loopsOf(root: Cursor, sites: readonly Site[], broken: ReadonlySet<string>): DocumentError[] {
  const done = new Set(broken)
  const found: DocumentError[] = []
  for (const { kind, at } of sites) if (kind === 'schema') visit(at, new Set())
  return found

  function visit(at: Cursor, open: Set<string>): void {
    if (open.has(at.pointer)) {
      found.push({ at, error: new ContractError(at.pointer, '$ref', 'must not refer to itself') })
      return
    }
    if (done.has(at.pointer)) return
    open.add(at.pointer)
    for (const part of inPlaceOf(root, at)) visit(part, open)
    open.delete(at.pointer)
    done.add(at.pointer)
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
