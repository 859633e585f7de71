import type { ReadBody } from '../contract/bodies.ts'
import { leavesOf } from '../contract/json.ts'

/** Words that people and tools write in place of a value. */
const PLACEHOLDER_WORDS: ReadonlySet<string> = new Set([
  'redacted',
  'masked',
  'filtered',
  'hidden',
  'removed',
  'scrubbed',
  'sanitized',
  'omitted',
  'censored',
  'obfuscated',
  'anonymized',
  'secret',
  'pii',
  'dummy',
  // In Portuguese.
  'oculto',
  'removido',
  'suprimido',
  'mascarado',
  'omitido',
  'sigiloso',
])

/** Characters that mask a value, three or more of one. */
const MASK = /^(\*{3,}|[•●█▇×]{3,}|[xX]{3,}|#{3,}|-{3,}|_{3,}|\.{3,}|…+)$/
/** What tools write at the end of a value that they have cut: `00020101…`, `0b6f3c1a[truncated]`. */
const CUT_OFF = /(?:…|\.{3}|\btruncated[\])>]?)$/
/** A variable of a template that nobody has filled in: `{{initiation_id}}`, `${KEY}`. */
const TEMPLATE = /^(?:\{\{[^{}]*\}\}|\$\{[^{}]*\}|«[^«»]*»)$/
/** What such words stand in: `[REDACTED]`, `<redacted>`, `{{ hidden }}`, `***MASKED***`. */
const BRACKETS = new Set('[](){}<>*_%-'.split(''))
/** So many characters at the end of a value tell whether it was cut. */
const CUT_OFF_LENGTH = 12
/** Characters of a placeholder with a reason, such as `[REDACTED: personal data]`. */
const MAX_PLACEHOLDER_LENGTH = 50

/** Whether a text stands in place of a value that a recorder has redacted: `***`, `[REDACTED]`, `HIDDEN`. */
function isPlaceholder(text: string): boolean {
  const trimmed = text.trim()
  // `00020101…` and `***`.
  const isCutOff = CUT_OFF.test(trimmed.slice(-CUT_OFF_LENGTH))
  if (isCutOff || MASK.test(trimmed)) return true

  // `{{initiation_id}}` and `HIDDEN`.
  if (trimmed.length > MAX_PLACEHOLDER_LENGTH) return false
  if (TEMPLATE.test(trimmed)) return true
  if (isPlaceholderWord(trimmed)) return isCertainAlone(trimmed)

  // `[REDACTED: personal data]`.
  const words = trimmed.toLowerCase().split(/[^a-z]+/)
  const hasPlaceholderWord = words.some(isPlaceholderWord)
  return hasPlaceholderWord && isBracketed(trimmed)
}

/** Whether a text is a word that stands in place of a value, in whatever case. */
function isPlaceholderWord(text: string): boolean {
  return PLACEHOLDER_WORDS.has(text.trim().toLowerCase())
}

/** Whether such a word alone cannot be a value: it is in capitals, or is one that nobody writes as a value. */
function isCertainAlone(word: string): boolean {
  return word === word.toUpperCase() || word.toLowerCase() === 'redacted'
}

function isBracketed(text: string): boolean {
  return BRACKETS.has(text.charAt(0)) && BRACKETS.has(text.charAt(text.length - 1))
}

/** Fields in which people write what they want, so that a word alone may be a value. */
const FREE_FIELDS: ReadonlySet<string> = new Set([
  'message',
  'description',
  'name',
  'nickname',
  'value',
  'type',
  'kind',
  'status',
  'code',
  'title',
  'detail',
])

/** Fields that hold secrets, which people redact in their own ways. */
const SECRET_FIELDS: ReadonlySet<string> = new Set([
  'access_token',
  'refresh_token',
  'initiation_id',
  'secret',
])

/** What is left of a secret that is redacted in part: `ini_***`, `eyJ…`. */
const PARTIAL_SECRET = /\*{3,}|[•●█]{3,}|…|\.{3,}/

/**
 * Whether the text of a secret field is a placeholder, such as `token`, or only a part of the secret, such
 * as `eyJ…`. In other fields, such texts may be values.
 */
function isRedactedSecret(text: string): boolean {
  const lower = text.toLowerCase()
  return PARTIAL_SECRET.test(text) || lower.includes('redacted') || lower === 'token'
}

/** Finds the values of a recording that were redacted. */
export interface Redactions {
  /** The pointers to the redacted values in a body of JSON that was parsed. */
  pointersIn(json: unknown): string[]
}

/**
 * Learns from all bodies how a recording was redacted. `pointersIn` of the result lists the pointers of the
 * redacted values in a body: `['/data/secret']`.
 *
 * Two fields of different names rarely have the same secret. So if `{ access_token: 'x' }` and `{ secret: 'x' }`
 * are recorded, `x` replaces both, unless it looks like a secret.
 */
export function readRedactions(bodies: readonly string[], readBody: ReadBody): Redactions {
  const sharedTexts = findSharedTexts(bodies, readBody)

  /** Whether a value is redacted. An item of an array has no name. */
  function isRedacted(text: unknown, name = ''): boolean {
    if (typeof text !== 'string') return false
    if (isPlaceholder(text)) return true

    // `hidden` in small letters may be what somebody wrote in a description, and nowhere else.
    const isFreeText = FREE_FIELDS.has(name)
    if (isPlaceholderWord(text)) return !isFreeText

    const isSecret = SECRET_FIELDS.has(name)
    return isSecret && (sharedTexts.has(text) || isRedactedSecret(text))
  }

  return {
    pointersIn(json) {
      return leavesOf(json, '', isRedacted).map(([pointer]) => pointer)
    },
  }
}

/**
 * Finds the texts that stand in secret fields of several names, such as in an `access_token` and in a `secret`, and do
 * not look like secrets.
 */
function findSharedTexts(bodies: readonly string[], readBody: ReadBody): ReadonlySet<string> {
  const firstFieldByText = new Map<string, string>()
  const sharedTexts = new Set<string>()
  for (const { name, text } of bodies.flatMap((body) => listSecrets(readBody(body).json))) {
    // A service may show one secret under two names. If it counted as redacted, nobody would see it used twice.
    if (looksLikeSecret(text)) continue

    const firstField = firstFieldByText.get(text) ?? name
    firstFieldByText.set(text, firstField)
    if (firstField !== name) sharedTexts.add(text)
  }
  return sharedTexts
}

/** In characters. Shorter secrets can be guessed. */
const MIN_SECRET_LENGTH = 16

/** Whether a text looks like a secret of a service: a long word with letters and digits, with which nobody redacts. */
function looksLikeSecret(text: string): boolean {
  const isLongWord = text.length >= MIN_SECRET_LENGTH && !/\s/.test(text)
  return isLongWord && /[a-z]/i.test(text) && /\d/.test(text)
}

/** The text of a secret field: `{ name: 'access_token', text: 'eyJ…' }`. */
interface FoundSecret {
  readonly name: string
  readonly text: string
}

/** Lists the texts of the secret fields in the JSON of a body; none if it is undefined. */
function listSecrets(json: unknown): FoundSecret[] {
  const leaves = leavesOf(json, '', isSecretText)
  return leaves.map(([pointer, text]) => ({ name: readLastName(pointer), text: String(text) }))
}

/** Whether a value is the text of a field with the name of a secret. */
function isSecretText(value: unknown, name = ''): boolean {
  return typeof value === 'string' && value !== '' && SECRET_FIELDS.has(name)
}

/** Reads the last name of a pointer: `secret` of `/data/secret`. */
function readLastName(pointer: string): string {
  return pointer.slice(pointer.lastIndexOf('/') + 1)
}

/**
 * Whether nothing is known of a body: it is one placeholder, or has placeholders without quotes, so that it is no JSON.
 *
 * @param json The body as JSON; undefined if it is none.
 */
export function isRedactedWhole(body: string, json: unknown): boolean {
  if (typeof json === 'string') return isPlaceholder(json)
  if (json !== undefined) return false

  if (isPlaceholder(body)) return true

  // Without its quotes, a placeholder makes JSON invalid: `{"amount": [REDACTED], "type": ***}`. Another text may have
  // a line such as `-----`.
  const looksLikeJson = /^\s*[[{]/.test(body)
  return looksLikeJson && body.split(/[:,}\n]/).some(isPlaceholder)
}

/** Whether a header has a placeholder, if need be after its scheme. */
export function isRedactedHeader(value: string): boolean {
  const [, credential = ''] = /^\s*\w+\s+(.*)$/.exec(value) ?? []
  return isPlaceholder(value) || isPlaceholder(credential)
}

/** Whether a segment of a path, or a value of its query, is a placeholder. */
export function isRedactedTarget(path: string): boolean {
  const [pathname = '', query = ''] = path.split('?', 2)
  const segments = pathname.split('/').map(decodeSegment)
  const values = [...new URLSearchParams(query).values()]
  return [...segments, ...values].some((text) => isPlaceholder(text))
}

/** Decodes a segment of a path; returns it as it is if it cannot be decoded. */
function decodeSegment(segment: string): string {
  try {
    return decodeURIComponent(segment)
  } catch {
    return segment
  }
}
