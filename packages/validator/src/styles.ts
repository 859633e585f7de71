import { type Cursor, keywordOf } from './cursor.ts'
import type { Place } from './finding.ts'
import { decode, formOf, itemsOf, memberNames, objectOf, type Pair, valueOfTexts } from './query.ts'
import { typesOf } from './resolve.ts'

/** The parts of a message that have parameters. */
export type Where = Place & ('path' | 'query' | 'header' | 'cookie')

/** The texts of a message, taken apart. */
export interface Carried {
  readonly path: Readonly<Record<string, string>>
  readonly query: readonly Pair[]
  /** By names in small letters. */
  readonly headers: ReadonlyMap<string, string>
}

/** How the value of a parameter is written (OpenAPI 3.1, "Style Values"). */
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

/** The style of a parameter, by default that of its place. */
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

/** The names of the query that are parts of a parameter. */
export function namesOf({ root, name, in: place, style, explode, kind, schema }: Style): string[] {
  if (place !== 'query' || kind !== 'object' || !schema) return [name]
  const members = memberNames(root, schema)
  if (style === 'deepObject') return [name, ...members.map((member) => `${name}[${member}]`)]
  return style === 'form' && explode ? members : [name]
}

/** Reads the value of a parameter; undefined where none came. */
export type Read = (message: Carried) => unknown

/** A parameter whose text is of a media type. */
export function readContent(style: Style, range: string): Read {
  return (message) => {
    const text = textsOf(style, message).map((it) => (style.in === 'query' ? decode(it) : it))[0]
    return text === undefined || !/[/+]json$/.test(range) ? text : parsed(text)
  }
}

/** A text that is no JSON stays text, which its schema finds fault with. */
function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}

/** A parameter whose text is of a style. */
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
  if (!schema || kind === 'primitive') return schema ? valueOfTexts(root, schema, [text]) : text
  const parts = text === '' ? [] : text.split(',').map((part) => part.trim())
  if (kind === 'array') return itemsOf(root, schema, parts)
  return objectOf(root, schema, explode ? parts.map(splitOnce) : inTurn(parts))
}

function readQuery(style: Style): Read {
  const { root, schema, kind, explode } = style
  return (message) => {
    if (schema && kind === 'object') return readObject(style, schema, message)
    const texts = textsOf(style, message)
    if (texts.length === 0 || isEmpty(style, texts)) return undefined
    if (!schema) return texts.map(decode)[0]
    const parts = kind === 'array' && !explode ? splitBy(style, texts[0] ?? '') : texts
    return valueOfTexts(root, schema, parts.map(decode))
  }
}

function isEmpty({ allowsEmpty }: Style, texts: readonly string[]): boolean {
  return allowsEmpty && texts.length === 1 && texts[0] === ''
}

/** The separators are those that were not percent-encoded, but for the ones that cannot stand in a URL. */
function splitBy({ style }: Style, text: string): string[] {
  if (text === '') return []
  if (style === 'spaceDelimited') return text.split(/%20|\+/)
  return style === 'pipeDelimited' ? text.split(/\||%7C/i) : text.split(',')
}

function readObject(style: Style, schema: Cursor, { query }: Carried): unknown {
  const { root, name, explode } = style
  const named = style.style === 'deepObject' ? insideBrackets(name, query) : query
  if (style.style !== 'deepObject' && !explode) {
    const text = query.find((pair) => pair[0] === name)?.[1]
    return text === undefined ? undefined : objectOf(root, schema, inTurn(splitBy(style, text).map(decode)))
  }
  const names = new Set(memberNames(root, schema))
  const pairs = style.style === 'deepObject' ? named : named.filter(([it]) => names.has(it))
  return pairs.length === 0 ? undefined : formOf(root, schema, pairs)
}

/** `name[member]=value`, by member. */
function insideBrackets(name: string, query: readonly Pair[]): Pair[] {
  const own = query.filter(([it]) => it.startsWith(`${name}[`) && it.endsWith(']'))
  return own.map(([it, value]) => [it.slice(name.length + 1, -1), value])
}

function inTurn(parts: readonly string[]): [string, string][] {
  return parts.flatMap((part, i) => (i % 2 ? [] : [[part, parts[i + 1] ?? ''] as [string, string]]))
}

function splitOnce(part: string): [string, string] {
  const [name = '', ...rest] = part.split('=')
  return [name, rest.join('=')]
}
