import { below, type Document, type Node, nodeOf } from './document.ts'
import { bareMediaType } from './http.ts'
import { walk } from './schema-walk.ts'

/** A form media type, and how its fields are encoded. */
export interface FormView {
  readonly type: string
  /** By property (OpenAPI 3.1, "Encoding Object"). */
  readonly encoding: Node
  /** File properties, which are never sent. */
  readonly files: ReadonlySet<string>
}

const URL_ENCODED = 'application/x-www-form-urlencoded'
const MULTIPART = 'multipart/form-data'

/** The form media type of a body; URL-encoded is preferred. */
export function formKeyOf(content: Node): string | undefined {
  const keys = Object.keys(content).filter((it) => nodeOf(content[it]).schema !== undefined)
  return [URL_ENCODED, MULTIPART].flatMap((type) => keys.find((it) => bareMediaType(it) === type) ?? [])[0]
}

/** The form of a media type object; undefined for other media types. */
export function formAt(document: Document, pointer: string, type: string): FormView | undefined {
  const isMultipart = bareMediaType(type) === MULTIPART
  if (!isMultipart && bareMediaType(type) !== URL_ENCODED) return undefined
  const encoding = nodeOf(nodeOf(document.at(pointer)).encoding)
  const files = isMultipart ? filesOf(document, below(pointer, 'schema'), encoding) : []
  return { type: bareMediaType(type), encoding, files: new Set(files) }
}

function filesOf(document: Document, schema: string, encoding: Node): string[] {
  const found: string[] = []
  walk(document, schema, undefined, (pointer) => {
    for (const name of Object.keys(nodeOf(nodeOf(document.at(pointer)).properties))) {
      const { contentType } = nodeOf(encoding[name])
      const isNamed = typeof contentType === 'string' && !/^text\/|[/+]json\b/i.test(contentType)
      if (isNamed || isFile(document, below(pointer, 'properties', name))) found.push(name)
    }
  })
  return found
}

/** A part without any of these keywords holds bytes (OpenAPI 3.1.1, "Encoding Object"). */
const TYPE_KEYWORDS = [
  'type',
  'enum',
  'const',
  'properties',
  'items',
  'allOf',
  'oneOf',
  'anyOf',
  'pattern',
  'minLength',
]

function isFile(document: Document, schema: string): boolean {
  const nodes: Node[] = []
  walk(document, schema, undefined, (pointer) => nodes.push({ ...nodeOf(document.at(pointer)), pointer }))
  const isBinary = nodes.some(
    ({ format, contentMediaType, contentEncoding }) =>
      format === 'binary' || (contentMediaType !== undefined && contentEncoding === undefined),
  )
  const list = nodes.find(({ items }) => items !== undefined)
  if (isBinary || !nodes.some((node) => TYPE_KEYWORDS.some((it) => it in node))) return true
  return list !== undefined && isFile(document, below(String(list.pointer), 'items'))
}

/** A serialized body and its media type. */
export interface Written {
  readonly type: string
  readonly body: string
}

/** A field of a form, with its value plain and percent-encoded. */
interface Field {
  readonly name: string
  readonly text: string
  readonly encoded: string
  readonly isJson: boolean
}

/** Serializes an object as a form; undefined for other values. */
export function writeForm({ type, encoding, files }: FormView, value: unknown): Written | undefined {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return undefined
  const fields = Object.entries(value)
    .filter(([name]) => !files.has(name))
    .flatMap(([name, it]) => fieldsOf(name, it, nodeOf(encoding[name])))
  if (type === MULTIPART) return multipart(fields)
  return { type, body: fields.map(({ name, encoded }) => `${escaped(name)}=${encoded}`).join('&') }
}

/** By default, a list becomes one field per item, and an object becomes JSON. */
function fieldsOf(name: string, value: unknown, encoding: Node): Field[] {
  if (['style', 'explode', 'allowReserved'].some((it) => encoding[it] !== undefined))
    return styledFields(name, value, encoding)
  const isJson = /[/+]json\b/i.test(String(encoding.contentType))
  const items = Array.isArray(value) && !isJson ? value : [value]
  return items.map((it) => fieldOf(name, it, isJson))
}

function fieldOf(name: string, value: unknown, isJson = false): Field {
  const isWritten = isJson || (typeof value === 'object' && value !== null)
  const text = isWritten ? JSON.stringify(value) : String(value ?? '')
  return { name, text, encoded: escaped(text), isJson: isWritten }
}

const SEPARATORS: Readonly<Record<string, string>> = { form: ',', spaceDelimited: '%20', pipeDelimited: '|' }

/** Like a query parameter (OpenAPI 3.1, "Style Values"). */
function styledFields(
  name: string,
  value: unknown,
  { style = 'form', explode = style === 'form' }: Node,
): Field[] {
  if (typeof value !== 'object' || value === null) return [fieldOf(name, value)]
  if (style === 'deepObject') return deepFields(name, value)
  const isList = Array.isArray(value)
  const entries = Object.entries(value)
  if (explode) return entries.map(([key, it]) => fieldOf(isList ? name : key, it))
  const texts = isList ? value : entries.flat()
  const [separator = ','] = [SEPARATORS[String(style)]]
  const all = texts.map((it) => fieldOf(name, it))
  const joined = (part: 'text' | 'encoded', by: string) => all.map((it) => it[part]).join(by)
  return [
    {
      name,
      text: joined('text', decodeURIComponent(separator)),
      encoded: joined('encoded', separator),
      isJson: false,
    },
  ]
}

function deepFields(name: string, value: unknown): Field[] {
  if (typeof value !== 'object' || value === null) return [fieldOf(name, value)]
  return Object.entries(value).flatMap(([key, it]) => deepFields(`${name}[${key}]`, it))
}

function escaped(text: string): string {
  return encodeURIComponent(text.toWellFormed())
}

/** RFC 7578, section 4. */
function multipart(fields: readonly Field[]): Written {
  const boundary = boundaryFor(fields)
  const parts = fields.map(({ name, text, isJson }) => {
    const type = isJson ? '\r\nContent-Type: application/json' : ''
    return `--${boundary}\r\nContent-Disposition: form-data; name="${quoted(name)}"${type}\r\n\r\n${text}\r\n`
  })
  return { type: `${MULTIPART}; boundary=${boundary}`, body: `${parts.join('')}--${boundary}--\r\n` }
}

/** A boundary that no field contains. */
function boundaryFor(fields: readonly Field[]): string {
  let boundary = 'form-boundary'
  for (let i = 0; fields.some(({ text }) => text.includes(boundary)); i++) boundary = `form-boundary-${i}`
  return boundary
}

function quoted(name: string): string {
  return name.replaceAll('"', '%22').replaceAll('\r', '%0D').replaceAll('\n', '%0A')
}
