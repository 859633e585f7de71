import { decoded, pointerOf } from '@partner-payments/text'
import { type Cursor, child, keywordOf, questionOf, typesOf } from './cursor.ts'
import { type Finding, finding, type Place } from './finding.ts'
import type { Check, SchemaContext } from './schema.ts'

/** The parts of a message that contain parameters. */
type Where = Place & ('path' | 'query' | 'header')

/** A decoded name with its raw value. */
type Pair = readonly [name: string, value: string]

/** The raw strings of a message. */
export interface RawParameters {
  readonly path: Readonly<Record<string, string>>
  readonly query: readonly Pair[]
  /** By lower-case name. */
  readonly headers: ReadonlyMap<string, string>
}

/** A request parameter or a response header: a single value in the default style. */
export interface Parameter {
  readonly name: string
  readonly in: Where
  readonly at: Cursor
  readonly required: boolean
  readonly check: Check | undefined
  /** The types that its schema allows; undefined for any. */
  readonly types: readonly string[] | undefined
}

/** Headers that OpenAPI ignores as parameters (OpenAPI 3.1, "Parameter Object"). */
const IGNORED = /^header (accept|content-type|authorization)$/i

/** The listed parameters; a later one overrides one with the same name and location. */
export function parametersOf(context: SchemaContext, listed: readonly Cursor[]): Parameter[] {
  const all = listed.map((at) =>
    parameterOf(context, String(keywordOf(at, 'name')), keywordOf(at, 'in'), at),
  )
  const last = new Map(all.map((it) => [`${it.in} ${it.name}`, it]))
  return [...last].filter(([key]) => !IGNORED.test(key)).map(([, it]) => it)
}

/** A parameter by its node. Those of a response have their name beside it. */
export function parameterOf(
  { root, checks }: SchemaContext,
  name: string,
  place: unknown,
  at: Cursor,
): Parameter {
  const schema = child(at, 'schema')
  return {
    name,
    in: place as Where,
    at,
    required: keywordOf(at, 'required') === true,
    check: schema && checks(schema),
    types: schema && typesOf(root, schema),
  }
}

/** Validates the parameters of a message. */
export function checkParameters(
  parameters: readonly Parameter[],
  message: RawParameters,
): Finding[] {
  return parameters.flatMap((parameter) => checkTexts(parameter, textsOf(parameter, message)))
}

/** Validates the unencoded texts of one parameter. Several are not a single value. */
function checkTexts(parameter: Parameter, texts: readonly string[]): Finding[] {
  const { name, in: place, required, check, types } = parameter
  const pointer = pointerOf('', name)
  const [text] = texts
  if (text === undefined) return required ? [missing(parameter, pointer)] : []
  return check?.(texts.length === 1 ? coerce(text, types) : texts, { place, pointer }) ?? []
}

function textsOf(
  { in: place, name }: Parameter,
  { path, query, headers }: RawParameters,
): string[] {
  if (place === 'query')
    return query.filter((pair) => pair[0] === name).map(([, value]) => decode(value))
  if (place === 'path') return Object.hasOwn(path, name) ? [String(path[name])] : []
  const text = headers.get(name.toLowerCase())
  return text === undefined ? [] : [text]
}

function missing({ at, in: place }: Parameter, pointer: string): Finding {
  const contract = pointerOf(at.pointer, 'required')
  const it = {
    place,
    pointer,
    contract,
    keyword: 'required',
    message: 'expected a value, got nothing',
  }
  return finding(it, questionOf(at, 'required'))
}

/** Query parameters that the contract does not declare. */
export function unknownParameters(
  parameters: readonly Parameter[],
  at: Cursor,
  query: readonly Pair[],
): Finding[] {
  const names = [...new Set(query.map(([name]) => name))]
  const unknown = names.filter(
    (name) => !parameters.some((it) => it.in === 'query' && it.name === name),
  )
  return unknown.map((name) => ({
    place: 'query' as const,
    pointer: pointerOf('', name),
    contract: at.pointer,
    keyword: 'unknown',
    message: 'not mentioned by the contract',
  }))
}

/** The pairs of a query. */
export function pairsOf(query: string): Pair[] {
  const text = query.startsWith('?') ? query.slice(1) : query
  const pairs = text.split('&').filter((pair) => pair !== '')
  return pairs.map((pair) => {
    const [name = '', ...rest] = pair.split('=')
    return [decode(name), rest.join('=')]
  })
}

/** Percent-decodes; keeps an invalid encoding, as the URL Standard says. */
function decode(text: string): string {
  const spaced = text.replaceAll('+', ' ')
  return decoded(spaced) ?? spaced
}

/** A JSON number (RFC 8259, section 6). */
const NUMBER = /^-?(0|[1-9]\d*)(\.\d+)?([eE][+-]?\d+)?$/

/**
 * Converts a parameter string to a type that its schema allows. A string that is not a value of
 * these types stays a string, so that validation reports it: `""`, `" 1"` and `"01"` are not
 * numbers.
 */
function coerce(text: string, types: readonly string[] | undefined): unknown {
  if (!types || types.includes('string')) return text
  if (types.includes('boolean') && (text === 'true' || text === 'false')) return text === 'true'
  const isNumeric = types.includes('number') || types.includes('integer')
  return isNumeric && NUMBER.test(text) && Number.isFinite(Number(text)) ? Number(text) : text
}
