import { type Cursor, child, children, questionOf } from './cursor.ts'
import { type Finding, finding } from './finding.ts'
import type { Check, Location, SchemaContext } from './schema.ts'
import { unknownProperties } from './unknown.ts'

/** The media types of a body with their schemas. */
export interface Content {
  readonly root: Cursor
  readonly at: Cursor
  readonly medias: readonly Media[]
}

interface Media {
  /** Such as `application/json`, in lower case and without parameters. */
  readonly type: string
  readonly schema: Cursor | undefined
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
  const medias = children(at).map(([type, media]) => {
    const schema = child(media, 'schema')
    return { type: essenceOf(type), schema, check: schema && checks(schema) }
  })
  return { root, at, medias }
}

/** Whether a media type is JSON (RFC 6839, section 3.1). */
export function isJson(type: string): boolean {
  return /^[\w.+-]+\/([\w.-]+\+)?json$/.test(essenceOf(type))
}

/** The media type without its parameters (RFC 9110, section 8.3.1). */
function essenceOf(type: string): string {
  return (type.split(';', 1)[0] ?? '').trim().toLowerCase()
}

/** Validates a present body. */
export function checkContent(
  content: Content,
  type: string | undefined,
  body: unknown,
  options: MessageOptions,
): Finding[] {
  const essence = type === undefined ? undefined : essenceOf(type)
  const media = content.medias.find((it) => it.type === essence)
  if (!media) return [wrongType(content, type)]
  const { schema, check } = media
  return schema && check ? valueFindings(content.root, schema, check, body, options) : []
}

/** Validates a value by a schema. */
export function checkValue(
  { root, checks }: SchemaContext,
  schema: Cursor,
  value: unknown,
  options: MessageOptions,
): Finding[] {
  return valueFindings(root, schema, checks(schema), value, options)
}

function valueFindings(
  root: Cursor,
  schema: Cursor,
  check: Check,
  value: unknown,
  { unknown, limit }: MessageOptions,
): Finding[] {
  const found = check(value, BODY)
  return unknown ? [...found, ...unknownProperties(root, schema, value, BODY, limit)] : found
}

function wrongType({ at, medias }: Content, contentType: string | undefined): Finding {
  const expected = medias.map(({ type }) => type).join(' or ') || 'no body'
  const message = `expected ${expected}, got ${contentType === undefined ? 'nothing' : 'another media type'}`
  const it = { place: 'media-type', pointer: '', contract: at.pointer, keyword: 'content', message } as const
  return finding(it, at.question)
}

/** The finding for a missing required body. */
export function missingBody(at: Cursor, keyword: string): Finding {
  const contract = `${at.pointer}/${keyword}`
  const message = 'expected a body, got nothing'
  return finding({ place: 'body', pointer: '', contract, keyword, message }, questionOf(at, keyword))
}
