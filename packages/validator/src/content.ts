import { type Cursor, child, children, questionOf } from './cursor.ts'
import { type Finding, finding } from './finding.ts'
import { formOf, pairsOf } from './query.ts'
import type { Check, Making, Seat } from './schema.ts'
import { unknownMembers } from './unknown.ts'

/** The media types of a body, and the schema of each. */
export interface Content {
  readonly at: Cursor
  readonly medias: readonly Media[]
}

interface Media {
  /** `application/json`, `text/*` or `*\/*`, without parameters. */
  readonly range: string
  readonly schema: Cursor | undefined
  readonly check: Check | undefined
  readonly root: Cursor
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
  const medias = children(at).map(([range, media]) => {
    const schema = child(media, 'schema')
    return { range: essenceOf(range), schema, check: schema && checks(schema), root }
  })
  return { at, medias }
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
  if (!media) return [wrongType(content, type)]
  const essence = essenceOf(type ?? '')
  if (!media.check || !media.schema || !isChecked(essence)) return []
  const value = bodyOf(media, essence, body)
  const found = media.check(value, BODY)
  return asked.unknown
    ? [...found, ...unknownMembers(media.root, media.schema, value, BODY, asked.limit)]
    : found
}

/** What is wrong with a value by itself. */
export function checkValue(
  { root, checks }: Making,
  schema: Cursor,
  value: unknown,
  asked: Asked,
): Finding[] {
  const found = checks(schema)(value, BODY)
  return asked.unknown ? [...found, ...unknownMembers(root, schema, value, BODY, asked.limit)] : found
}

/** JSON, text and forms; what a schema says of other media types is not about the value that arrives. */
function isChecked(essence: string): boolean {
  return /[/+]json$/.test(essence) || essence.startsWith('text/') || isForm(essence)
}

function isForm(essence: string): boolean {
  return essence === 'application/x-www-form-urlencoded'
}

function bodyOf({ root, schema }: Media, essence: string, body: unknown): unknown {
  return schema && isForm(essence) && typeof body === 'string' ? formOf(root, schema, pairsOf(body)) : body
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
