import { coerce } from './coerce.ts'
import { type Cursor, child, children, keywordOf } from './cursor.ts'
import { isNode } from './json.ts'
import { multipartOf, type Part } from './multipart.ts'
import { decode, type Pair, pairsOf } from './query.ts'
import { isNameOf, readerOf, type Style, styleOf } from './styles.ts'
import { itemSchemas, propertySchemas, type Schemas, typesOfAll } from './texts.ts'

/** The media type, schema and property encodings of a form. */
export interface Form {
  readonly root: Cursor
  readonly at: Cursor
  readonly schema: Cursor
}

/** The object that a form represents. */
export interface Filled {
  readonly value: unknown
  /** Names of properties that are files, of which only the presence is validated. */
  readonly files: readonly string[]
}

/** A form field; also with its percent-encoded value, for the parameter styles. */
interface Field extends Part {
  readonly encoded: string
}

/** Whether a media type is a form. */
export function isForm(essence: string): boolean {
  return essence === 'application/x-www-form-urlencoded' || essence === 'multipart/form-data'
}

/**
 * Parses a form from its text, a `FormData`, a `URLSearchParams`, or the object of strings that a framework creates. Any
 * other value stays unchanged, so that validation reports it.
 */
export function readForm(form: Form, body: unknown, contentType: string): Filled {
  const fields = fieldsOf(body, contentType)
  if (!fields) return { value: body, files: [] }
  const styled = stylesOf(form)
  const plain = fields.filter(({ name }) => !styled.some((style) => isNameOf(style, name)))
  const entries: [string, unknown][] = [
    ...entriesBeside(body),
    ...[...byName(plain)].map(([name, them]): [string, unknown] => [name, propertyValue(form, name, them)]),
    ...styled.flatMap((style) => styledEntry(style, fields)),
  ]
  const files = fields.filter(({ isFile }) => isFile).map(({ name }) => name)
  return { value: Object.fromEntries(entries), files: [...new Set(files)] }
}

function byName(fields: readonly Field[]): Map<string, Field[]> {
  const found = new Map<string, Field[]>()
  for (const field of fields) {
    const known = found.get(field.name)
    if (known) known.push(field)
    else found.set(field.name, [field])
  }
  return found
}

function fieldsOf(body: unknown, contentType: string): Field[] | undefined {
  if (typeof body === 'string')
    return /^\s*multipart\//i.test(contentType)
      ? multipartOf(body, contentType)?.map(encoded)
      : pairsOf(body).map(fieldOfPair)
  if (!isNode(body) || Array.isArray(body)) return undefined
  const pairs: Iterable<readonly [string, unknown]> = isFormObject(body) ? body : Object.entries(body)
  return [...pairs].flatMap(([name, value]) => fieldsOfValue(name, value))
}

function isFormObject(body: object): body is FormData | URLSearchParams {
  return body instanceof FormData || body instanceof URLSearchParams
}

function fieldOfPair([name, value]: Pair): Field {
  return { name, text: decode(value), encoded: value, type: undefined, isFile: false }
}

function fieldsOfValue(name: string, value: unknown): Field[] {
  if (value instanceof Blob) return [encoded({ name, text: '', type: value.type, isFile: true })]
  return textsOf(value).map((text) => encoded({ name, text, type: undefined, isFile: false }))
}

/** Unencoded commas separate array items; encoded ones do not. */
function encoded(part: Part): Field {
  return { ...part, encoded: encodeURIComponent(part.text.toWellFormed()).replaceAll('%2C', ',') }
}

function textsOf(value: unknown): readonly string[] {
  const texts = Array.isArray(value) ? value : [value]
  return texts.every((it) => typeof it === 'string') ? texts : []
}

/** The properties of an object that are already values. */
function entriesBeside(body: unknown): [string, unknown][] {
  if (!isNode(body) || isFormObject(body)) return []
  return Object.entries(body).filter(([, value]) => !(value instanceof Blob) && textsOf(value).length === 0)
}

/** Properties whose encoding has a style, which overrides a media type (OpenAPI 3.1, "Encoding Object"). */
function stylesOf({ root, at, schema }: Form): Style[] {
  return children(child(at, 'encoding')).flatMap(([name, encoding]) => {
    const isStyled = ['style', 'explode', 'allowReserved'].some((it) => keywordOf(encoding, it) !== undefined)
    const [property] = propertySchemas(root, [schema], name)
    return isStyled ? [styleOf({ root, name, in: 'query', at: encoding, schema: property })] : []
  })
}

function styledEntry(style: Style, fields: readonly Field[]): [string, unknown][] {
  const query = fields.map(({ name, encoded }) => [name, encoded] as const)
  const value = readerOf(style)({ path: {}, headers: new Map(), query })
  return value === undefined ? [] : [[style.name, value]]
}

/** An array has one field per item, unless it is JSON. */
function propertyValue({ root, at, schema }: Form, name: string, fields: readonly Field[]): unknown {
  const schemas = propertySchemas(root, [schema], name)
  const encodings = child(at, 'encoding')
  const encoding = encodings && child(encodings, name)
  const type = encoding && keywordOf(encoding, 'contentType')
  const single = (them: Schemas, field: Field) => fieldValue(root, them, field, type)
  const [only] = fields
  if (!typesOfAll(root, schemas)?.includes('array'))
    return only && fields.length === 1 ? single(schemas, only) : fields.map(({ text }) => text)
  const whole = only && fields.length === 1 ? single(schemas, only) : undefined
  return Array.isArray(whole) ? whole : fields.map((field) => single(itemSchemas(root, schemas), field))
}

/** Parses by the media type of the encoding, or of the part if that is not text. An object is JSON by default. */
function fieldValue(root: Cursor, schemas: Schemas, { text, type }: Field, encodingType: unknown): unknown {
  const types = typesOfAll(root, schemas)
  if (typeof encodingType === 'string') return isJson(encodingType) ? parsed(text) : coerce(text, types)
  // The media type of a text part does not describe its content.
  if (types?.includes('string')) return text
  return (type === undefined ? types?.includes('object') : isJson(type)) ? parsed(text) : coerce(text, types)
}

function isJson(type: string): boolean {
  return /[/+]json\b/i.test(type)
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}
