import { requireThat, wrapErrors } from './error.ts'

/**
 * The headers of any server: a `Headers`, or an object with names in any case and, as in Node, an
 * array for a repeated header.
 *
 * A delivery that repeats one of its three headers is refused, whatever the values and their order.
 *
 * @example
 * const fromFetch: DeliveryHeaders = new Headers({ 'webhook-id': 'msg_1' })
 * const fromNode: DeliveryHeaders = { 'Webhook-Id': 'msg_1', cookie: ['a=1', 'b=2'] }
 */
export type DeliveryHeaders = HeaderLookup | HeaderRecord

type HeaderLookup = {
  /** The value of a header by its lower-case name; null if absent. */
  get(name: string): string | null
}

type HeaderRecord = Readonly<Record<string, string | readonly string[] | undefined>>

/**
 * The prefix of the three header names: `webhook` in Standard Webhooks 1.0.0, "Webhook headers",
 * and `svix` for senders that are older than the standard.
 *
 * @example
 * const headerPrefix: HeaderPrefix = 'svix'
 */
export type HeaderPrefix = 'webhook' | 'svix'

/**
 * The three headers of a delivery, as {@link sign} returns them.
 *
 * - `webhook-id` identifies the event; it is the same for every delivery attempt.
 * - `webhook-timestamp` is the time of the signature, in whole seconds since 1970.
 * - `webhook-signature` has one `v1,` signature per secret, separated by spaces.
 *
 * Standard Webhooks 1.0.0, "Webhook headers".
 *
 * @example
 * const headers: SignedHeaders = await sign('{}', generateSecret(), { id: 'msg_1' })
 */
export type SignedHeaders<Prefix extends HeaderPrefix = 'webhook'> = Record<
  `${Prefix}-${Part}`,
  string
>

type Part = 'id' | 'timestamp' | 'signature'

interface Form {
  isValid(value: string): boolean
  /** The form in words. */
  readonly expected: string
}

const forms: Record<Part, Form> = {
  id: {
    // No full stop, since full stops separate the parts of the signed content.
    isValid: (value) => /^(?!.*\.)[!-~]{1,255}$/.test(value),
    expected: '1 to 255 visible ASCII characters without "."',
  },
  timestamp: {
    isValid: (value) => /^[1-9]\d{0,11}$/.test(value),
    expected: 'whole seconds since 1970',
  },
  signature: {
    isValid: isSignatureList,
    expected: 'one header, at most 1024 characters with a "v1," signature',
  },
}

/**
 * Reads and validates one of the three headers of a delivery: `id`, `timestamp` or `signature`,
 * after a prefix.
 */
export function readHeader(headers: DeliveryHeaders, prefix: HeaderPrefix, part: Part): string {
  const expected = 'the headers must be a Headers, or an object of strings'
  const values = wrapErrors(
    () => readValues(headers, `${prefix}-${part}`),
    'headers-invalid',
    expected,
  )
  const areStrings = values.every((value) => typeof value === 'string')
  requireThat(areStrings, 'headers-invalid', expected)

  // Joins a repeated header like Headers does (RFC 9110, 5.3), so that it fails validation instead
  // of hiding a value.
  return requireHeader(prefix, part, values.join(', '))
}

/**
 * Returns the value of a header if it is valid. Throws a `WebhookError` if it is missing or has
 * another form.
 */
export function requireHeader(prefix: HeaderPrefix, part: Part, value: string): string {
  requireThat(value, `${part}-missing`, `${prefix}-${part} is missing`)

  const { isValid, expected } = forms[part]
  // Checks the type too, since a program without types may pass a number or an array.
  const isValidText = typeof value === 'string' && isValid(value)
  requireThat(isValidText, `${part}-invalid`, `${prefix}-${part} must be ${expected}`)
  return value
}

/**
 * The values of a header, by its name in any letter case; several if it is repeated, none if it is
 * absent.
 */
function readValues(headers: DeliveryHeaders, name: string): unknown[] {
  // Checks the method instead of the class, to support a Headers of a polyfill or another realm.
  // `in` throws if `headers` is not an object.
  if ('get' in headers && typeof headers.get === 'function') return [headers.get(name) ?? '']

  const values: unknown[] = []
  for (const [key, value] of Object.entries(headers as HeaderRecord)) {
    if (key.toLowerCase() !== name || value === undefined) continue
    if (Array.isArray(value)) values.push(...value)
    else values.push(value)
  }
  return values
}

/** Fits 21 signatures, which limits the work. */
const MAX_SIGNATURE_LENGTH = 1024

/**
 * Whether a value is a list of signatures with a space between, and one has the version 1, as in
 * `v1,K5oZfzN95Z9UVu1EsfQmfVNQhnkZ2pj9o9NDN/H/pI4=`.
 */
function isSignatureList(value: string): boolean {
  if (value.length > MAX_SIGNATURE_LENGTH) return false

  // No signature contains ", ", which joins repeated headers.
  if (value.includes(', ')) return false

  const signatures = value.split(' ')
  const areWords = signatures.every((signature) => /^\S+$/.test(signature))
  return areWords && signatures.some(isVersion1)
}

function isVersion1(signature: string): boolean {
  const version = 'v1,'
  return signature.startsWith(version) && signature.length > version.length
}
