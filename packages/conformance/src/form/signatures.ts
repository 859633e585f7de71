import { createHmac } from 'node:crypto'
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
  /** The headers whose values stand before the body in what is signed, each with a dot after it. */
  readonly headersBefore: readonly string[]
}

/** What a user says of a scheme. The rest shows in the first delivery that verifies. */
export type GivenScheme = Pick<SignatureScheme, 'header' | 'prefix' | 'encoding'>

const ALGORITHMS = ['sha256', 'sha512', 'sha1'] as const
const ENCODINGS = ['hex', 'base64', 'base64url'] as const
const SECRET_FORMS = ['text', 'base64'] as const

/** Parses `x-signature: sha256=hex`; undefined if it is something else. */
export function parseScheme(text: string): GivenScheme | undefined {
  const [, header, prefix = '', encoding] =
    /^([\w-]+): ?(\S*?)(hex|base64|base64url)$/.exec(text) ?? []
  const knownEncoding = ENCODINGS.find((each) => each === encoding)
  if (header === undefined || knownEncoding === undefined) return undefined
  return { header: header.toLowerCase(), prefix, encoding: knownEncoding }
}

/** Describes a scheme as the option `--signature` takes it. */
export function describeScheme({ header, prefix, encoding }: GivenScheme): string {
  return `${header}: ${prefix}${encoding}`
}

/** Describes what a scheme signs, in words. */
export function describeSigned({ algorithm, headersBefore }: SignatureScheme): string {
  const parts = [...headersBefore, 'the body']
  return `HMAC with ${algorithm} over ${parts.join(' and ')}`
}

/** Whether a delivery has the signature that a scheme computes from its content with this secret. */
export function isSigned(
  delivery: RecordedDelivery,
  secret: string,
  scheme: SignatureScheme,
): boolean {
  const signature = computeSignature(delivery, secret, scheme)
  const expected = `${scheme.prefix}${signature}`
  return readSignatures(delivery, scheme.header).includes(expected)
}

/**
 * Whether a delivery has the signature of the declared scheme, computed with this secret (Standard
 * Webhooks 1.0.0, "Verifying signatures").
 */
export function isSignedByStandard(
  { headers, text }: RecordedDelivery,
  secret: string,
  header: string,
): boolean {
  const id = headers['webhook-id']
  const time = headers['webhook-timestamp']
  const signatures = headers[header]?.split(' ')
  if (id === undefined || time === undefined || signatures === undefined) return false

  const signedText = `${id}.${time}.${text}`
  const hash = createHmac('sha256', decodeSecret(secret)).update(signedText).digest('base64')
  return signatures.includes(`v1,${hash}`)
}

/**
 * Finds the first of the usual schemes by which a delivery verifies with one of the secrets: every header,
 * algorithm, encoding and reading of the secret, over the body alone or after an id and a time.
 *
 * @param given The header and the encoding, if the user has said them: no others are tried then.
 */
export function findScheme(
  delivery: RecordedDelivery,
  secrets: readonly string[],
  given?: GivenScheme,
): SignatureScheme | undefined {
  for (const scheme of listPossibleSchemes(delivery, given))
    if (secrets.some((secret) => isSigned(delivery, secret, scheme))) return scheme
  return undefined
}

/** Computes the signature that a delivery must have by a scheme, such as `5d41402abc4b…` in hex. */
function computeSignature(
  { headers, text }: RecordedDelivery,
  secret: string,
  scheme: SignatureScheme,
): string {
  const key = scheme.secretForm === 'text' ? secret : decodeSecret(secret)
  const valuesBefore = scheme.headersBefore.map((name) => headers[name] ?? '')
  const signedText = [...valuesBefore, text].join('.')
  return createHmac(scheme.algorithm, key).update(signedText).digest(scheme.encoding)
}

/** Decodes a secret in base64, which may begin with `whsec_`. */
function decodeSecret(secret: string): Buffer {
  return Buffer.from(secret.replace(/^whsec_/, ''), 'base64')
}

/** Reads the signatures of a header, which may have several. */
function readSignatures({ headers }: RecordedDelivery, header: string): readonly string[] {
  return (headers[header] ?? '').split(/[ ,;]+/)
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
 * Lists all schemes by which a delivery may be signed: each form of a header with each algorithm, each
 * reading of the secret, and each choice of what is signed before the body.
 */
function listPossibleSchemes(delivery: RecordedDelivery, given?: GivenScheme): SignatureScheme[] {
  const forms = given ? [given] : listPossibleForms(delivery)
  const schemes: SignatureScheme[] = []
  for (const form of forms)
    for (const algorithm of ALGORITHMS)
      for (const secretForm of SECRET_FORMS)
        for (const headersBefore of listPossiblePrefixes(delivery))
          schemes.push({ ...form, algorithm, secretForm, headersBefore })
  return schemes
}

/**
 * Lists the headers that may have a signature, with what stands before it and how it may be encoded:
 * `{ header: 'x-signature', prefix: 'sha256=', encoding: 'hex' }`.
 */
function listPossibleForms(delivery: RecordedDelivery): GivenScheme[] {
  const forms: GivenScheme[] = []
  for (const header of Object.keys(delivery.headers)) {
    if (HEADERS_OF_HTTP.has(header)) continue

    for (const text of readSignatures(delivery, header)) {
      const [, prefix = '', signature = ''] = /^(\w{1,10}=)?(.*)$/.exec(text) ?? []
      const isTooShort = signature.length < MIN_SIGNATURE_LENGTH
      if (isTooShort) continue
      for (const encoding of ENCODINGS) forms.push({ header, prefix, encoding })
    }
  }
  return forms
}

/**
 * Lists which headers with an id or a time may stand before the body: none, a time, or an id and a time, in the
 * order in which schemes sign them: `[[], ['x-time'], ['x-id', 'x-time']]`.
 */
function listPossiblePrefixes({ headers }: RecordedDelivery): readonly (readonly string[])[] {
  const names = Object.keys(headers)
  const times = names.filter((name) => /^\d{10}(\d{3})?$/.test(headers[name] ?? ''))
  const ids = names.filter((name) => /(^|-)id$/.test(name))
  const prefixes: string[][] = [[]]
  for (const time of times) prefixes.push([time])
  for (const id of ids) for (const time of times) prefixes.push([id, time])
  return prefixes
}
