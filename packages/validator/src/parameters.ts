import { contentOf } from './content.ts'
import { type Cursor, child, keywordOf, questionOf } from './cursor.ts'
import { type Finding, finding } from './finding.ts'
import { pointerOf } from './json.ts'
import type { Pair } from './query.ts'
import { type Check, type SchemaContext, withOtherReading } from './schema.ts'
import { type Carried, isNameOf, type Read, readContent, readerOf, styleOf, type Where } from './styles.ts'
import { otherReading } from './texts.ts'

/** A request parameter or a response header. */
export interface Parameter {
  readonly name: string
  readonly in: Where
  readonly at: Cursor
  readonly required: boolean
  /** Whether a query name belongs to the parameter. */
  readonly isNamed: (name: string) => boolean
  readonly check: Check | undefined
  /** The received value; undefined if absent. */
  readonly read: Read
}

interface Named {
  readonly name: string
  readonly in: string
  readonly at: Cursor
}

/** Headers that OpenAPI ignores as parameters (OpenAPI 3.1, "Parameter Object"). */
const NOT_PARAMETERS = new Set(['accept', 'content-type', 'authorization'])

/** The listed parameters; a later one overrides one with the same name and location. */
export function parametersOf(
  context: SchemaContext,
  listed: readonly Cursor[],
  named: readonly Named[] = [],
): Parameter[] {
  const all = [...listed.map(namedAt), ...named].filter(isRead)
  const last = new Map(all.map((it) => [`${it.in} ${it.name}`, it]))
  return [...last.values()].map((it) => parameterOf(context, it))
}

function namedAt(at: Cursor): Named {
  return { name: String(keywordOf(at, 'name')), in: String(keywordOf(at, 'in')), at }
}

function isRead({ name, in: place }: Named): boolean {
  if (place === 'header') return !NOT_PARAMETERS.has(name.toLowerCase())
  return ['path', 'query', 'cookie'].includes(place)
}

function parameterOf(context: SchemaContext, { name, in: place, at }: Named): Parameter {
  const [media] = contentOf(context, child(at, 'content'))?.medias ?? []
  const schema = child(at, 'schema')
  const style = styleOf({ name, in: place as Where, at, schema, root: context.root })
  return {
    name,
    in: place as Where,
    at,
    required: keywordOf(at, 'required') === true,
    isNamed: (it) => isNameOf(style, it),
    check: media ? media.check : schema && textCheckOf(context, schema),
    read: media ? readContent(style, media.range) : readerOf(style),
  }
}

/** Checks a value that was parsed from strings. */
function textCheckOf({ root, checks }: SchemaContext, schema: Cursor): Check {
  return withOtherReading(checks(schema), (value) => otherReading(root, [schema], value))
}

/** A single parameter or response header. */
export function parameterAt(context: SchemaContext, at: Cursor): Parameter | undefined {
  return parametersOf(context, [at])[0]
}

/** A message that contains only the text of one parameter. */
export function carrying({ name, in: place }: Parameter, text: string | undefined): Carried {
  const sent = text === undefined ? [] : [text]
  // Unencoded commas separate array items; encoded ones do not.
  const encoded = sent.map((it) => encodeURIComponent(it).replaceAll('%2C', ','))
  return {
    path: place === 'path' ? Object.fromEntries(sent.map((it) => [name, it])) : {},
    query: place === 'query' ? encoded.map((it) => [name, it]) : [],
    headers: new Map([
      ...(place === 'header' ? sent.map((it) => [name.toLowerCase(), it] as const) : []),
      ...(place === 'cookie' ? encoded.map((it) => ['cookie', `${name}=${it}`] as const) : []),
    ]),
  }
}

/** Validates the parameters of a message. */
export function checkParameters(parameters: readonly Parameter[], message: Carried): Finding[] {
  return parameters.flatMap((parameter) => {
    const value = parameter.read(message)
    const pointer = pointerOf('', parameter.name)
    if (value !== undefined) return parameter.check?.(value, { place: parameter.in, pointer }) ?? []
    return parameter.required && !isUnread(parameter) ? [missing(parameter, pointer)] : []
  })
}

function isUnread({ at }: Parameter): boolean {
  return ['label', 'matrix'].includes(String(keywordOf(at, 'style')))
}

function missing({ at, in: place }: Parameter, pointer: string): Finding {
  const contract = pointerOf(at.pointer, 'required')
  const it = { place, pointer, contract, keyword: 'required', message: 'expected a value, got nothing' }
  return finding(it, questionOf(at, 'required'))
}

/** Query parameters that the contract does not declare. */
export function unknownParameters(
  parameters: readonly Parameter[],
  at: Cursor,
  query: readonly Pair[],
): Finding[] {
  const names = [...new Set(query.map(([name]) => name))]
  const unknown = names.filter((name) => !parameters.some(({ isNamed }) => isNamed(name)))
  return unknown.map((name) => ({
    place: 'query' as const,
    pointer: pointerOf('', name),
    contract: at.pointer,
    keyword: 'unknown',
    message: 'not mentioned by the contract',
  }))
}
