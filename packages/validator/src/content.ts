import { type Cursor, child, children, questionOf } from './cursor.ts'
import { type Finding, finding } from './finding.ts'
import { isForm, readForm } from './form.ts'
import { stepsOf } from './json.ts'
import { type Check, type Location, type SchemaContext, withOtherReading } from './schema.ts'
import { otherReading, typesOfAll, valueOfTexts } from './texts.ts'
import { unknownMembers } from './unknown.ts'

/** The media types of a body with their schemas. */
export interface Content {
  readonly at: Cursor
  readonly medias: readonly Media[]
}

/** A schema and the document that contains it. */
interface Schema {
  readonly root: Cursor
  readonly schema: Cursor | undefined
}

interface Media extends Schema {
  /** `application/json`, `text/*` or `*\/*`, without parameters. */
  readonly range: string
  readonly at: Cursor
  readonly check: Check | undefined
}

/** Options for the validation of a message. */
export interface MessageOptions {
  readonly unknown: boolean
  /** Maximum number of findings. */
  readonly limit: number
}

const BODY: Location = { place: 'body', pointer: '' }

/** The declared media types of a body. */
export function contentOf({ root, checks }: SchemaContext, at: Cursor | undefined): Content | undefined {
  if (!at) return undefined
  return { at, medias: children(at).map(([range, media]) => mediaAt({ root, checks }, media, range)) }
}

function mediaAt({ root, checks }: SchemaContext, at: Cursor, range: string): Media {
  const schema = child(at, 'schema')
  return { range: essenceOf(range), schema, check: schema && checks(schema), root, at }
}

/** The media type without its parameters (RFC 9110, section 8.3.1). */
function essenceOf(type: string): string {
  return (type.split(';', 1)[0] ?? '').trim().toLowerCase()
}

/** The most specific declared media type that matches the received one. */
function mediaOf({ medias }: Content, contentType: string): Media | undefined {
  const essence = essenceOf(contentType)
  const ranges = [essence, `${essence.split('/', 1)[0]}/*`, '*/*']
  return ranges.map((range) => medias.find((media) => media.range === range)).find(Boolean)
}

/** Validates a present body. */
export function checkContent(
  content: Content,
  type: string | undefined,
  body: unknown,
  options: MessageOptions,
): Finding[] {
  const media = type === undefined ? undefined : mediaOf(content, type)
  return media ? bodyFindings(media, type ?? '', body, options) : [wrongType(content, type)]
}

/** Validates a body of a declared media type. */
function bodyFindings(media: Media, type: string, body: unknown, options: MessageOptions): Finding[] {
  const { root, schema, check } = media
  if (!schema || !check) return []
  const essence = essenceOf(type)
  if (isJson(essence)) return valueFindings(media, body, check, options)
  const textCheck = withOtherReading(check, (it) => otherReading(root, [schema], it))
  if (!isForm(essence)) {
    const isText = typeof body === 'string' && isJudgedText(root, schema, essence)
    return isText ? textCheck(valueOfTexts(root, [schema], [body]), BODY) : []
  }
  const { value, files } = readForm({ root, at: media.at, schema }, body, type)
  const isOfFile = ({ pointer }: Finding) => files.includes(stepsOf(pointer)[0] ?? '')
  return valueFindings(media, value, textCheck, options).filter((it) => !isOfFile(it))
}

function valueFindings(
  { root, schema }: Schema,
  value: unknown,
  check: Check,
  options: MessageOptions,
): Finding[] {
  const found = check(value, BODY)
  return options.unknown && schema
    ? [...found, ...unknownMembers(root, schema, value, BODY, options.limit)]
    : found
}

/** Validates a value; with a media type, as a body of that type. */
export function checkValue(
  context: SchemaContext,
  schema: Cursor,
  value: unknown,
  options: MessageOptions & { readonly body?: { readonly at: Cursor; readonly type: string } | undefined },
): Finding[] {
  if (options.body)
    return bodyFindings(mediaAt(context, options.body.at, ''), options.body.type, value, options)
  return valueFindings({ root: context.root, schema }, value, context.checks(schema), options)
}

function isJson(essence: string): boolean {
  return /[/+]json$/.test(essence)
}

/** A schema of an object or array with a text media type describes a format that is not parsed, such as XML or CSV. */
function isJudgedText(root: Cursor, schema: Cursor, essence: string): boolean {
  const types = typesOfAll(root, [schema]) ?? ['string']
  return /^text\/(?!.*xml$)/.test(essence) && !types.every((it) => it === 'object' || it === 'array')
}

function wrongType({ at, medias }: Content, contentType: string | undefined): Finding {
  const expected = medias.map(({ range }) => range).join(' or ') || 'no body'
  const message = `expected ${expected}, got ${contentType === undefined ? 'nothing' : 'another media type'}`
  const it = { place: 'media-type', pointer: '', contract: at.pointer, keyword: 'content', message } as const
  return finding(it, at.question)
}

/** The finding for a missing required body. */
export function missingBody(at: Cursor, keyword: string): Finding {
  const contract = `${at.pointer}/${keyword}`
  const it = {
    place: 'body',
    pointer: '',
    contract,
    keyword,
    message: 'expected a body, got nothing',
  } as const
  return finding(it, questionOf(at, keyword))
}
