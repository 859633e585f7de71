import { decoded, pointerOf } from '@partner-payments/contract'
import {
  type Cursor,
  findChild,
  followReferences,
  questionOfKeyword,
  readKeyword,
  readTypes,
} from './cursor.ts'
import { type Finding, finding, type Place } from './finding.ts'
import type { Check, SchemaContext } from './schema.ts'

/** The parts of a message that contain parameters. */
type ParameterPlace = Place & ('path' | 'query' | 'header')

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
  readonly in: ParameterPlace
  readonly cursor: Cursor
  readonly required: boolean
  /** Undefined if any value is valid. */
  readonly schema: ParameterSchema | undefined
}

interface ParameterSchema {
  readonly check: Check
  /** The types that it allows; empty for any. */
  readonly types: readonly string[]
}

/**
 * Headers that OpenAPI ignores as parameters, in lower case: the media types of the operation and
 * its security say what they are (OpenAPI 3.1, "Parameter Object").
 */
const IGNORED_HEADERS = new Set(['accept', 'content-type', 'authorization'])

/**
 * Reads a list of parameters. A later one overrides one with the same name and place. Parameters
 * that OpenAPI ignores, such as a header `authorization`, are left out.
 */
export function readParameters(context: SchemaContext, references: readonly Cursor[]): Parameter[] {
  const byKey = new Map<string, Parameter>()
  for (const reference of references) {
    const cursor = followReferences(context.root, reference)
    const name = String(readKeyword(cursor, 'name'))
    const parameter = readParameter(context, name, readKeyword(cursor, 'in'), cursor)
    byKey.set(`${parameter.in} ${name}`, parameter)
  }
  return [...byKey.values()].filter((parameter) => !isIgnored(parameter))
}

function isIgnored({ in: place, name }: Parameter): boolean {
  return place === 'header' && IGNORED_HEADERS.has(name.toLowerCase())
}

/**
 * Reads a parameter, or a header of a response.
 *
 * @param name The name of the parameter; of a header, its key in `headers`.
 * @param place `path`, `query` or `header`.
 * @param cursor The node of the parameter.
 */
export function readParameter(
  { root, checks }: SchemaContext,
  name: string,
  place: unknown,
  cursor: Cursor,
): Parameter {
  const schema = findChild(cursor, 'schema')
  return {
    name,
    in: place as ParameterPlace,
    cursor,
    required: readKeyword(cursor, 'required') === true,
    schema: schema && { check: checks(schema), types: readTypes(root, schema) },
  }
}

/** The findings of the parameters of a message: those that are missing, or have a wrong value. */
export function checkParameters(
  parameters: readonly Parameter[],
  message: RawParameters,
): Finding[] {
  return parameters.flatMap((parameter) => checkTexts(parameter, readTexts(parameter, message)))
}

/** The findings of one parameter, by the texts that the message has for it. */
function checkTexts(parameter: Parameter, texts: readonly string[]): Finding[] {
  const { name, in: place, required, schema } = parameter
  const pointer = pointerOf('', name)

  const [text] = texts
  const isAbsent = text === undefined
  if (isAbsent) return required ? [missingParameter(parameter, pointer)] : []
  if (!schema) return []

  // A repeated parameter is an array, which the schema of a single value refuses.
  const isRepeated = texts.length > 1
  const value = isRepeated ? texts : toType(text, schema.types)
  return schema.check(value, { place, pointer })
}

/**
 * The decoded texts that a message has for a parameter: none if it is absent, and several only in a
 * query.
 */
function readTexts(
  { in: place, name }: Parameter,
  { path, query, headers }: RawParameters,
): string[] {
  if (place === 'query') {
    const pairs = query.filter(([pairName]) => pairName === name)
    return pairs.map(([, value]) => decode(value))
  }

  if (place === 'path') return Object.hasOwn(path, name) ? [String(path[name])] : []

  const text = headers.get(name.toLowerCase())
  return text === undefined ? [] : [text]
}

/** The finding of a parameter that is required and absent. */
function missingParameter({ cursor, in: place }: Parameter, pointer: string): Finding {
  return finding(
    {
      place,
      pointer,
      contract: pointerOf(cursor.pointer, 'required'),
      keyword: 'required',
      message: 'expected a value, got nothing',
    },
    questionOfKeyword(cursor, 'required'),
  )
}

/**
 * A finding for each query parameter of a request that its operation does not declare. It cites the
 * `parameters` of the operation, or the operation if it has none.
 */
export function unknownParameters(
  parameters: readonly Parameter[],
  operation: Cursor,
  query: readonly Pair[],
): Finding[] {
  const declaration = findChild(operation, 'parameters') ?? operation
  const queryParameters = parameters.filter((parameter) => parameter.in === 'query')
  const declaredNames = new Set(queryParameters.map(({ name }) => name))
  const receivedNames = new Set(query.map(([name]) => name))

  const findings: Finding[] = []
  for (const name of receivedNames) {
    if (declaredNames.has(name)) continue
    findings.push({
      place: 'query',
      pointer: pointerOf('', name),
      contract: declaration.pointer,
      keyword: 'unknown',
      message: 'not mentioned by the contract',
    })
  }
  return findings
}

/**
 * The pairs of a query, with decoded names and raw values: `limit=10&name=a%20b` gives
 * `[['limit', '10'], ['name', 'a%20b']]`.
 */
export function parsePairs(query = ''): Pair[] {
  if (query === '') return []

  const text = query.startsWith('?') ? query.slice(1) : query
  const pairs = text.split('&').filter((pair) => pair !== '')
  return pairs.map((pair) => {
    const [name = '', ...value] = pair.split('=')
    return [decode(name), value.join('=')]
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
 *
 * @param types The types that the schema allows; empty for any.
 */
function toType(text: string, types: readonly string[]): unknown {
  if (types.length === 0 || types.includes('string')) return text

  if (types.includes('boolean')) {
    if (text === 'true') return true
    if (text === 'false') return false
  }

  const allowsNumbers = types.includes('number') || types.includes('integer')
  if (allowsNumbers && isNumber(text)) return Number(text)

  return text
}

/** Whether a text is a JSON number that a program can represent: `1e400` is not. */
function isNumber(text: string): boolean {
  return NUMBER.test(text) && Number.isFinite(Number(text))
}
