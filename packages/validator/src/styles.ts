import { type Cursor, keywordOf } from './cursor.ts'
import { MAX_DEPTH } from './depth.ts'
import type { Place } from './finding.ts'
import { decode, type Pair } from './query.ts'
import { typesOf } from './resolve.ts'
import {
  itemSchemas,
  itemsOf,
  objectOf,
  propertyNames,
  propertySchemas,
  type Schemas,
  typesOfAll,
  valueOfTexts,
} from './texts.ts'

/** The parts of a message that contain parameters. */
export type Where = Place & ('path' | 'query' | 'header' | 'cookie')

/** The raw strings of a message. */
export interface Carried {
  readonly path: Readonly<Record<string, string>>
  readonly query: readonly Pair[]
  /** By lower-case name. */
  readonly headers: ReadonlyMap<string, string>
}

/** The serialization of a parameter (OpenAPI 3.1, "Style Values"). */
export interface Style {
  readonly root: Cursor
  readonly name: string
  readonly in: Where
  readonly style: string
  readonly explode: boolean
  readonly kind: 'object' | 'array' | 'primitive'
  readonly schema: Cursor | undefined
  readonly allowsEmpty: boolean
}

/** The style of a parameter; the default depends on its location. */
export function styleOf(it: {
  name: string
  in: Where
  at: Cursor
  schema: Cursor | undefined
  root: Cursor
}): Style {
  const { name, in: place, at, schema, root } = it
  const style = String(
    keywordOf(at, 'style') ?? (place === 'query' || place === 'cookie' ? 'form' : 'simple'),
  )
  const types = schema && typesOf(root, schema)
  return {
    ...{ root, name, in: place, style, schema },
    explode: Boolean(keywordOf(at, 'explode') ?? style === 'form'),
    kind: types?.includes('object') ? 'object' : types?.includes('array') ? 'array' : 'primitive',
    allowsEmpty: keywordOf(at, 'allowEmptyValue') === true,
  }
}

/** Whether a query name belongs to a parameter. */
export function isNameOf(
  { root, name, in: place, style, explode, kind, schema }: Style,
  it: string,
): boolean {
  if (place !== 'query') return false
  const known = schema && kind === 'object' ? propertyNames(root, schema) : []
  if (style === 'deepObject') {
    const [, property] = it.startsWith(name) ? (/^\[([^\]]*)\]/.exec(it.slice(name.length)) ?? []) : []
    return it === name || (property !== undefined && (known.length === 0 || known.includes(property)))
  }
  return kind === 'object' && style === 'form' && explode ? known.includes(it) : it === name
}

/** Parses the value of a parameter; undefined if absent. */
export type Read = (message: Carried) => unknown

/** A parameter with a media type. */
export function readContent(style: Style, range: string): Read {
  return (message) => {
    const text = textsOf(style, message).map((it) => (style.in === 'query' ? decode(it) : it))[0]
    return text === undefined || !/[/+]json$/.test(range) ? text : parsed(text)
  }
}

/** Invalid JSON stays a string, so that validation reports it. */
function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}

/** A parameter with a style. */
export function readerOf(style: Style): Read {
  if (style.style === 'label' || style.style === 'matrix') return () => undefined
  if (style.in === 'query') return readQuery(style)
  return (message) => {
    const [text] = textsOf(style, message)
    return text === undefined ? undefined : readSimple(style, text)
  }
}

function textsOf({ in: place, name }: Style, { path, query, headers }: Carried): string[] {
  if (place === 'query') return query.filter((pair) => pair[0] === name).map(([, value]) => value)
  if (place === 'cookie') return cookiesOf(headers.get('cookie') ?? '', name)
  const text = place === 'path' ? own(path, name) : headers.get(name.toLowerCase())
  return text === undefined ? [] : [text]
}

function own(values: Readonly<Record<string, string>>, name: string): string | undefined {
  return Object.hasOwn(values, name) ? values[name] : undefined
}

function cookiesOf(header: string, name: string): string[] {
  const pairs = header.split(';').map((pair) => pair.trim())
  return pairs
    .filter((pair) => pair.startsWith(`${name}=`))
    .map((pair) => decode(pair.slice(name.length + 1)))
}

/** RFC 6570, section 3.2.2, and of cookies 3.2.8: `a,b` and `k,v` or `k=v`. */
function readSimple(style: Style, text: string): unknown {
  const { root, schema, kind, explode } = style
  if (!schema || kind === 'primitive') return schema ? valueOfTexts(root, [schema], [text]) : text
  const parts = text === '' ? [] : text.split(',').map((part) => part.trim())
  if (kind === 'array') return itemsOf(root, [schema], parts)
  return objectOf(root, [schema], explode ? parts.map(splitOnce) : inTurn(parts))
}

function readQuery(style: Style): Read {
  const { root, schema, kind, explode } = style
  return (message) => {
    if (schema && style.style === 'deepObject') return readDeep(style, schema, message)
    if (schema && kind === 'object') return readObject(style, schema, message)
    const texts = textsOf(style, message)
    if (texts.length === 0 || isEmpty(style, texts)) return undefined
    if (!schema) return texts.map(decode)[0]
    const parts = kind === 'array' && !explode ? splitBy(style, texts[0] ?? '') : texts
    return valueOfTexts(root, [schema], parts.map(decode))
  }
}

function isEmpty({ allowsEmpty }: Style, texts: readonly string[]): boolean {
  return allowsEmpty && texts.length === 1 && texts[0] === ''
}

/** Only unencoded separators count, except for characters that a URL cannot contain. */
function splitBy({ style }: Style, text: string): string[] {
  if (text === '') return []
  if (style === 'spaceDelimited') return text.split(/%20|\+/)
  return style === 'pipeDelimited' ? text.split(/\||%7C/i) : text.split(',')
}

function readObject(style: Style, schema: Cursor, { query }: Carried): unknown {
  const { root, name, explode } = style
  if (explode) return readSpread(root, schema, query)
  const text = query.find((pair) => pair[0] === name)?.[1]
  return text === undefined ? undefined : objectOf(root, [schema], inTurn(splitBy(style, text).map(decode)))
}

/** An object whose properties are separate pairs. */
function readSpread(root: Cursor, schema: Cursor, query: readonly Pair[]): unknown {
  const names = propertyNames(root, schema).filter((name) => query.some((pair) => pair[0] === name))
  if (names.length === 0) return undefined
  const entries = names.map((name) => {
    const texts = query.filter((pair) => pair[0] === name).map(([, value]) => decode(value))
    return [name, valueOfTexts(root, propertySchemas(root, [schema], name), texts)]
  })
  return Object.fromEntries(entries)
}

/** The values of `name[a][b]=1`: strings or nested names. */
type Tree = string[] | Map<string, Tree>

/** OpenAPI does not define nested brackets and arrays. Supports `[0]` and `[]`, like most libraries. */
function readDeep({ root, name }: Style, schema: Cursor, { query }: Carried): unknown {
  const tree = new Map<string, Tree>()
  for (const [it, value] of query) {
    const brackets = it.startsWith(`${name}[`) ? it.slice(name.length) : ''
    if (!/^(\[[^\]]*\])+$/.test(brackets)) continue
    const keys = brackets.slice(1, -1).split('][')
    if (keys.length <= MAX_DEPTH) plant(tree, keys, decode(value))
  }
  return tree.size === 0 ? undefined : valueOfTree(root, [schema], tree)
}

function plant(tree: Map<string, Tree>, [key = '', ...rest]: readonly string[], text: string): void {
  const known = tree.get(key)
  if (rest.length > 0) {
    const inner = known instanceof Map ? known : new Map<string, Tree>()
    tree.set(key, inner)
    plant(inner, rest, text)
  } else if (Array.isArray(known)) known.push(text)
  else tree.set(key, [text])
}

function valueOfTree(root: Cursor, schemas: Schemas, tree: Tree): unknown {
  if (Array.isArray(tree)) return valueOfTexts(root, schemas, tree)
  if (typesOfAll(root, schemas)?.includes('array')) {
    const items = itemSchemas(root, schemas)
    // Without a number in the brackets, all items share one name.
    return [...tree.values()].flatMap((it) =>
      Array.isArray(it)
        ? it.map((text) => valueOfTexts(root, items, [text]))
        : [valueOfTree(root, items, it)],
    )
  }
  const entries = [...tree].map(([key, it]) => [
    key,
    valueOfTree(root, propertySchemas(root, schemas, key), it),
  ])
  return Object.fromEntries(entries)
}

function inTurn(parts: readonly string[]): [string, string][] {
  return parts.flatMap((part, i) => (i % 2 ? [] : [[part, parts[i + 1] ?? ''] as [string, string]]))
}

function splitOnce(part: string): [string, string] {
  const [name = '', ...rest] = part.split('=')
  return [name, rest.join('=')]
}
