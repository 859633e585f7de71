import { type Cursor, child, children, questionOf } from './cursor.ts'
import { type Finding, finding } from './finding.ts'
import { isForm, readForm } from './form.ts'
import { stepsOf } from './json.ts'
import { type Check, type Making, type Seat, withOtherReading } from './schema.ts'
import { otherReading, typesOfAll, valueOfTexts } from './texts.ts'
import { unknownMembers } from './unknown.ts'

/** The media types of a body, and the schema of each. */
export interface Content {
  readonly at: Cursor
  readonly medias: readonly Media[]
}

/** A schema, and the document that it is of. */
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

/** What else is asked of a message. */
export interface Asked {
  readonly unknown: boolean
  /** Findings at most. */
  readonly limit: number
}

const BODY: Seat = { place: 'body', pointer: '' }

/** The media types that a body may have. */
export function contentOf({ root, checks }: Making, at: Cursor | undefined): Content | undefined {
  if (!at) return undefined
  return { at, medias: children(at).map(([range, media]) => mediaAt({ root, checks }, media, range)) }
}

function mediaAt({ root, checks }: Making, at: Cursor, range: string): Media {
  const schema = child(at, 'schema')
  return { range: essenceOf(range), schema, check: schema && checks(schema), root, at }
}

/** The media type without its parameters (RFC 9110, section 8.3.1). */
function essenceOf(type: string): string {
  return (type.split(';', 1)[0] ?? '').trim().toLowerCase()
}

/** The media type of the document that says most of one that came. */
function mediaOf({ medias }: Content, contentType: string): Media | undefined {
  const essence = essenceOf(contentType)
  const ranges = [essence, `${essence.split('/', 1)[0]}/*`, '*/*']
  return ranges.map((range) => medias.find((media) => media.range === range)).find(Boolean)
}

/** What is wrong with a body that is there. */
export function checkContent(
  content: Content,
  type: string | undefined,
  body: unknown,
  asked: Asked,
): Finding[] {
  const media = type === undefined ? undefined : mediaOf(content, type)
  return media ? bodyFindings(media, type ?? '', body, asked) : [wrongType(content, type)]
}

/** What is wrong with a body of a media type. */
function bodyFindings(media: Media, type: string, body: unknown, asked: Asked): Finding[] {
  const { root, schema, check } = media
  if (!schema || !check) return []
  const essence = essenceOf(type)
  if (isJson(essence)) return valueFindings(media, body, check, asked)
  const textCheck = withOtherReading(check, (it) => otherReading(root, [schema], it))
  if (!isForm(essence)) {
    const isText = typeof body === 'string' && isJudgedText(root, schema, essence)
    return isText ? textCheck(valueOfTexts(root, [schema], [body]), BODY) : []
  }
  const { value, files } = readForm({ root, at: media.at, schema }, body, type)
  const isOfFile = ({ pointer }: Finding) => files.includes(stepsOf(pointer)[0] ?? '')
  return valueFindings(media, value, textCheck, asked).filter((it) => !isOfFile(it))
}

function valueFindings({ root, schema }: Schema, value: unknown, check: Check, asked: Asked): Finding[] {
  const found = check(value, BODY)
  return asked.unknown && schema
    ? [...found, ...unknownMembers(root, schema, value, BODY, asked.limit)]
    : found
}

/** What is wrong with a value by itself; with a media type, with a body of it. */
export function checkValue(
  making: Making,
  schema: Cursor,
  value: unknown,
  asked: Asked & { readonly body?: { readonly at: Cursor; readonly type: string } | undefined },
): Finding[] {
  if (asked.body) return bodyFindings(mediaAt(making, asked.body.at, ''), asked.body.type, value, asked)
  return valueFindings({ root: making.root, schema }, value, making.checks(schema), asked)
}

function isJson(essence: string): boolean {
  return /[/+]json$/.test(essence)
}

/** A schema of objects or lists describes what a text says in a format that is not read here, such as XML or CSV. */
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

/** A body that has to be there and is not. */
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
