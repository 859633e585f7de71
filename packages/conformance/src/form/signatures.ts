import { createHmac } from 'node:crypto'
import { isObject, leavesOf, parsedJson } from '../contract/json.ts'
import type { RecordedDelivery } from '../history.ts'

/** How a service signs deliveries. */
export interface SignatureScheme {
  /** The header with the signature, in lower case. */
  readonly header: string
  /** What stands before the signature in the header, such as `sha256=`. */
  readonly prefix: string
  readonly algorithm: 'sha256' | 'sha1' | 'sha512'
  readonly encoding: 'hex' | 'base64' | 'base64url'
  /** Whether the bytes of the secret are its text, or are in base64 after `whsec_`. */
  readonly secretForm: 'text' | 'base64'
  /** What is signed: one of `SIGNED_TEXTS`. */
  readonly signed: string
  /** Where the id and the time of a delivery stand, for a text that has them. */
  readonly id: Place | undefined
  readonly time: Place | undefined
}

/** A part of a header, and what stands before its value: `t=` in `t=1780000000,v1=5257a8…`. */
interface Place {
  /** In lower case. */
  readonly header: string
  readonly prefix: string
}

/** A part of a header that a delivery has. */
interface Part extends Place {
  readonly value: string
}

/**
 * Where a signature stands, and how it is encoded there. A user says this of a scheme, and the rest shows in the first
 * delivery that verifies.
 */
export type GivenScheme = Pick<SignatureScheme, 'header' | 'prefix' | 'encoding'>

const ALGORITHMS = ['sha256', 'sha512', 'sha1'] as const
const ENCODINGS = ['hex', 'base64', 'base64url'] as const
const SECRET_FORMS = ['text', 'base64'] as const

/**
 * What services sign. ID and TIME stand in headers, the time also beside the signature in one header.
 *
 * - `BODY`: GitHub, Shopify, Intercom and most others, in hex or base64, alone or after `sha256=`.
 * - `TIME.BODY`: Stripe and who follows it, as `t=…,v1=…` in one header; others with a header for the time.
 * - `TIME:BODY`: Paddle, as `ts=…;h1=…`.
 * - `v0:TIME:BODY`: Slack and Zoom, as `v0=…`.
 * - `ID.TIME.BODY`: Standard Webhooks.
 * - `IDTIMEBODY`: Twitch.
 */
const SIGNED_TEXTS = [
  'BODY',
  'TIME.BODY',
  'TIME:BODY',
  'v0:TIME:BODY',
  'ID.TIME.BODY',
  'IDTIMEBODY',
] as const

/**
 * Parses the value of `--signature`: `x-signature: sha256=hex` gives
 * `{ header: 'x-signature', prefix: 'sha256=', encoding: 'hex' }`. Undefined if it is something else.
 *
 * Of `x-signature: t=TIME,v1=hex`, the prefix is `v1=` alone: the time before it is found in each delivery.
 */
export function parseScheme(text: string): GivenScheme | undefined {
  const [, header, before = '', encoding] =
    /^([\w-]+): ?(\S*?)(hex|base64|base64url)$/.exec(text) ?? []
  const knownEncoding = ENCODINGS.find((each) => each === encoding)
  if (header === undefined || knownEncoding === undefined) return undefined

  const prefix = before.split(SEPARATORS).at(-1) ?? ''
  return { header: header.toLowerCase(), prefix, encoding: knownEncoding }
}

/** Describes a scheme as the option `--signature` takes it. */
export function describeScheme({ header, prefix, encoding }: GivenScheme): string {
  return `${header}: ${prefix}${encoding}`
}

/** Describes what a scheme signs: `HMAC with sha256 over TIME.BODY, with t= of x-signature as TIME`. */
export function describeSigned({ algorithm, signed, id, time }: SignatureScheme): string {
  const places: string[] = []
  if (id) places.push(`${describePlace(id)} as ID`)
  if (time) places.push(`${describePlace(time)} as TIME`)
  const where = places.length === 0 ? '' : `, with ${places.join(' and ')}`
  return `HMAC with ${algorithm} over ${signed}${where}`
}

/**
 * Says why a delivery does not verify by the scheme that the user gave: it lacks the header, or the prefix in
 * it, or the signature after the prefix is not that of any text that services sign.
 */
export function describeGivenFault(delivery: RecordedDelivery, given: GivenScheme): string {
  const { header, prefix } = given
  const ofHeader = listParts(delivery).filter((part) => part.header === header)
  if (ofHeader.length === 0) return `it has no header ${header}`

  const prefixes = ofHeader.map((part) => `"${part.prefix}" and ${part.value.length} characters`)
  const isThere = ofHeader.some((part) => part.prefix === prefix)
  if (isThere)
    return `no secret of the webhook makes what ${header} has after "${prefix}" by any text that services sign (${SIGNED_TEXTS.join(', ')})`
  return `${header} has no part that begins with "${prefix}"; it has ${prefixes.join(', ')}`
}

function describePlace({ header, prefix }: Place): string {
  return prefix === '' ? header : `${prefix} of ${header}`
}

/** Whether a delivery has the signature that a scheme computes from its content with this secret. */
export function isSigned(
  delivery: RecordedDelivery,
  secret: string,
  scheme: SignatureScheme,
): boolean {
  const signature = computeSignature(delivery, secret, scheme)
  const expected = `${scheme.prefix}${signature}`
  return splitHeader(delivery, scheme.header).includes(expected)
}

/**
 * Whether a delivery has the signature of the declared scheme, computed with this secret (Standard
 * Webhooks 1.0.0, "Verifying signatures").
 */
export function isSignedByStandard(
  delivery: RecordedDelivery,
  secret: string,
  header: string,
): boolean {
  return findStandardSignature(delivery, secret, [header]) !== undefined
}

/** Finds the first of some headers that has the signature of the declared scheme; undefined if none has. */
export function findStandardSignature(
  { headers, text }: RecordedDelivery,
  secret: string,
  names: readonly string[],
): string | undefined {
  const id = headers['webhook-id']
  const time = headers['webhook-timestamp']
  if (id === undefined || time === undefined) return undefined

  const candidates = names.filter((name) => headers[name]?.includes('v1,'))
  if (candidates.length === 0) return undefined

  const signedText = `${id}.${time}.${text}`
  const hash = createHmac('sha256', decodeSecret(secret)).update(signedText).digest('base64')
  return candidates.find((name) => headers[name]?.split(' ').includes(`v1,${hash}`))
}

/**
 * Whether anything in a delivery may be a signature: a header that HTTP clients do not send by themselves, a field of
 * the body, or a body that is no JSON object. Also true if some headers are certainly missing.
 */
export function mayBeSigned({ headers, text }: RecordedDelivery): boolean {
  const body = parsedJson(text)
  const mayLackHeaders = headers.host === undefined
  if (mayLackHeaders || !isObject(body)) return true

  const names = Object.keys(headers).filter((name) => headers[name] !== undefined)
  const hasOtherHeader = names.some((name) => !HEADERS_WITHOUT_PROOF.has(name))
  return hasOtherHeader || hasFieldOfProof(body)
}

/** Headers that HTTP clients send by themselves, and those of Standard Webhooks beside the signature. */
const HEADERS_WITHOUT_PROOF: ReadonlySet<string> = new Set([
  'accept',
  'accept-encoding',
  'accept-language',
  'cache-control',
  'connection',
  'content-length',
  'content-type',
  'date',
  'host',
  'pragma',
  'sec-fetch-mode',
  'transfer-encoding',
  'user-agent',
  'webhook-id',
  'webhook-timestamp',
])

/** Parts of the name of a field that may have a signature, in English and Portuguese. */
const WORDS_OF_PROOF: readonly string[] = [
  'assin',
  'auth',
  'check',
  'digest',
  'firma',
  'hash',
  'jws',
  'jwt',
  'mac',
  'proof',
  'prova',
  'seal',
  'secret',
  'segredo',
  'selo',
  'sha',
  'sig',
  'token',
  'verif',
]

/** A JSON Web Signature, which begins with an object in base64 (RFC 7515, section 7.1). */
const JWS = /^eyJ[\w-]+\.[\w-]*\.[\w-]+$/

/** Whether a body has, at any depth, a field with the name of a signature, or a JSON Web Signature. */
function hasFieldOfProof(body: unknown): boolean {
  for (const [pointer, value] of leavesOf(body)) {
    const names = pointer.toLowerCase()
    if (WORDS_OF_PROOF.some((word) => names.includes(word))) return true
    if (typeof value === 'string' && JWS.test(value)) return true
  }
  return false
}

/**
 * Finds one of the usual schemes by which a delivery verifies with one of the secrets: every header,
 * algorithm, encoding and reading of the secret, over each text that services sign. Undefined if it verifies by
 * none.
 *
 * @param given The header and the encoding, if the user has said them: no others are tried then.
 */
export function findScheme(
  delivery: RecordedDelivery,
  secrets: readonly string[],
  given?: GivenScheme,
): SignatureScheme | undefined {
  const signatures = listPossibleSignatures(delivery, given)
  if (signatures.size === 0) return undefined

  // Each hash is computed once, whatever header may have it.
  for (const keyed of listKeyedTexts(delivery))
    for (const secret of secrets) {
      const hash = computeHash(keyed, secret, delivery.text)
      const form = findForm(hash, signatures, given)
      if (form) return { ...keyed, ...form }
    }
  return undefined
}

/** Computes the signature that a delivery must have by a scheme, such as `5d41402abc4b…` in hex. */
function computeSignature(
  delivery: RecordedDelivery,
  secret: string,
  scheme: SignatureScheme,
): string {
  const parts = listParts(delivery)
  const id = findPart(parts, scheme.id)
  const time = findPart(parts, scheme.time)
  return computeHash({ ...scheme, id, time }, secret, delivery.text).toString(scheme.encoding)
}

/** What a delivery may sign, with what it shows as its id and its time, and how it is hashed. */
interface KeyedText extends Pick<SignatureScheme, 'signed' | 'algorithm' | 'secretForm'> {
  readonly id: Part | undefined
  readonly time: Part | undefined
}

function computeHash(
  { signed, algorithm, secretForm, id, time }: KeyedText,
  secret: string,
  body: string,
): Buffer {
  const key = secretForm === 'text' ? secret : decodeSecret(secret)
  const values: Readonly<Record<string, string>> = {
    ID: id?.value ?? '',
    TIME: time?.value ?? '',
    BODY: body,
  }
  // `TIME.BODY` becomes `1780000000.{"type":…}`.
  const signedText = signed.replaceAll(/ID|TIME|BODY/g, (name) => values[name] ?? '')
  return createHmac(algorithm, key).update(signedText).digest()
}

/**
 * Reads the time that a delivery signs, in milliseconds since 1970, from seconds (`1780000000`), milliseconds or
 * an ISO date. Undefined if its scheme has no time, or it is none of these.
 */
export function readSignedTime(
  delivery: RecordedDelivery,
  { time }: SignatureScheme,
): number | undefined {
  const text = readValue(delivery, time)
  if (!TIME.test(text)) return undefined

  const isNumber = /^\d+$/.test(text)
  if (!isNumber) return Date.parse(text)

  const areSeconds = text.length === 10
  return areSeconds ? Number(text) * 1000 : Number(text)
}

/** Decodes a secret in base64, which may begin with `whsec_`. */
function decodeSecret(secret: string): Buffer {
  return Buffer.from(secret.replace(/^whsec_/, ''), 'base64')
}

/** Reads the value of a part of a header, such as of `t=` in `x-signature`; empty if a delivery has none there. */
function readValue(delivery: RecordedDelivery, place: Place | undefined): string {
  return findPart(listParts(delivery), place)?.value ?? ''
}

/** Finds the first part that stands at a place. */
function findPart(parts: readonly Part[], place: Place | undefined): Part | undefined {
  return parts.find(({ header, prefix }) => header === place?.header && prefix === place.prefix)
}

/** What stands between the parts of a header. */
const SEPARATORS = /[ ,;]+/

/** Splits a header into its parts: a time and a signature, or several signatures. */
function splitHeader({ headers }: RecordedDelivery, header: string): readonly string[] {
  return (headers[header] ?? '').split(SEPARATORS)
}

/**
 * Lists the parts of all headers that may hold something of a signature. `x-signature: t=1780000000,v1=5257a8`
 * has two: `{ header: 'x-signature', prefix: 't=', value: '1780000000' }` and `{ …, prefix: 'v1=', value: '5257a8' }`.
 */
function listParts(delivery: RecordedDelivery): readonly Part[] {
  const parts: Part[] = []
  for (const header of Object.keys(delivery.headers)) {
    if (HEADERS_OF_HTTP.has(header)) continue

    for (const text of splitHeader(delivery, header)) {
      const [, prefix = '', value = ''] = /^(\w{1,10}=)?(.*)$/.exec(text) ?? []
      parts.push({ header, prefix, value })
    }
  }
  return parts
}

/** A signature has at least as many characters as the shortest hash in base64. */
const MIN_SIGNATURE_LENGTH = 27
/** Headers that hold no part of a signature. */
const HEADERS_OF_HTTP: ReadonlySet<string> = new Set([
  'host',
  'content-type',
  'content-length',
  'connection',
])

/**
 * Lists what may be a signature, each with the header and what stands before it there:
 * `{ '5257a8…' => { header: 'x-signature', prefix: 'sha256=' } }`.
 */
function listPossibleSignatures(
  delivery: RecordedDelivery,
  given?: GivenScheme,
): ReadonlyMap<string, Place> {
  const signatures = new Map<string, Place>()
  function add(value: string, place: Place): void {
    if (!signatures.has(value)) signatures.set(value, place)
  }

  if (given) {
    const { header, prefix } = given
    for (const text of splitHeader(delivery, header))
      if (text.startsWith(prefix)) add(text.slice(prefix.length), { header, prefix })
    return signatures
  }
  for (const { header, prefix, value } of listParts(delivery))
    if (value.length >= MIN_SIGNATURE_LENGTH) add(value, { header, prefix })
  return signatures
}

/** Finds where a hash stands, and how it is encoded there. */
function findForm(
  hash: Buffer,
  signatures: ReadonlyMap<string, Place>,
  given?: GivenScheme,
): GivenScheme | undefined {
  const encodings = given ? [given.encoding] : ENCODINGS
  for (const encoding of encodings) {
    const place = signatures.get(hash.toString(encoding))
    if (place) return { ...place, encoding }
  }
  return undefined
}

/** Lists each text that a delivery may sign with each algorithm and each reading of the secret. */
function listKeyedTexts(delivery: RecordedDelivery): KeyedText[] {
  const texts = listPossibleTexts(delivery)
  const keyed: KeyedText[] = []
  for (const algorithm of ALGORITHMS)
    for (const secretForm of SECRET_FORMS)
      for (const text of texts) keyed.push({ ...text, algorithm, secretForm })
  return keyed
}

/** Seconds or milliseconds since 1970, or a date-time of RFC 3339. */
const TIME = /^(\d{10}(\d{3})?|\d{4}-\d\d-\d\dT\S+)$/

/** So many places of a delivery may have its id, and as many its time. Each with each takes a hash of the body. */
const MAX_PLACES = 10

/**
 * Lists what a delivery may sign, with each place where it may have the id and the time: `BODY` alone, `TIME.BODY`
 * with the time in `x-time`, `TIME.BODY` with the time in `x-signature` after `t=`, and so on.
 */
function listPossibleTexts(
  delivery: RecordedDelivery,
): readonly Pick<KeyedText, 'signed' | 'id' | 'time'>[] {
  const parts = listFirstParts(delivery)
  const times = parts.filter(({ value }) => TIME.test(value)).slice(0, MAX_PLACES)
  const ids = parts.filter(({ header }) => /(^|-)id$/.test(header)).slice(0, MAX_PLACES)

  const texts: Pick<KeyedText, 'signed' | 'id' | 'time'>[] = []
  for (const signed of SIGNED_TEXTS) {
    // A text without an id or a time, such as `BODY`, is tried once, with none.
    const idsOfText = signed.includes('ID') ? ids : [undefined]
    const timesOfText = signed.includes('TIME') ? times : [undefined]
    for (const id of idsOfText) for (const time of timesOfText) texts.push({ signed, id, time })
  }
  return texts
}

/** Lists the first part at each place: no scheme reads another one. */
function listFirstParts(delivery: RecordedDelivery): readonly Part[] {
  const byPlace = new Map<string, Part>()
  for (const part of listParts(delivery)) {
    const place = `${part.header} ${part.prefix}`
    if (!byPlace.has(place)) byPlace.set(place, part)
  }
  return [...byPlace.values()]
}
