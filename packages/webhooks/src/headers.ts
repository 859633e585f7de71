import { attempt, ensure } from './error.ts'

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

// The id has no full stop, since full stops separate the parts of the signed content. 1024
// characters fit 21 signatures, which limits the work. No signature contains ", ", which joins
// repeated headers.
const forms: Record<Part, [form: RegExp, expected: string]> = {
  id: [/^(?!.*\.)[!-~]{1,255}$/, '1 to 255 visible ASCII characters without "."'],
  timestamp: [/^[1-9]\d{0,11}$/, 'whole seconds since 1970'],
  signature: [
    /^(?=.{1,1024}$)(?!.*, )(\S+ )*v1,\S+( \S+)*$/,
    'one header, at most 1024 characters with a "v1," signature',
  ],
}

/** Reads and validates one of the three headers. */
export function readHeader(headers: DeliveryHeaders, prefix: HeaderPrefix, part: Part): string {
  const expected = 'the headers must be a Headers, or an object of strings'
  const values = attempt(() => lookUp(headers, `${prefix}-${part}`), 'headers-invalid', expected)
  const areTexts = values.every((value) => typeof value === 'string')
  ensure(areTexts, 'headers-invalid', expected)
  // Joins a repeated header like Headers does (RFC 9110, 5.3), so that it fails validation instead
  // of hiding a value.
  return checkHeader(prefix, part, values.join(', '))
}

/** The validated value of a header. */
export function checkHeader(prefix: HeaderPrefix, part: Part, value: string): string {
  const [form, expected] = forms[part]
  ensure(value, `${part}-missing`, `${prefix}-${part} is missing`)
  // Checks the type too, since a regular expression converts a number or an array to a string.
  const isFormed = typeof value === 'string' && form.test(value)
  ensure(isFormed, `${part}-invalid`, `${prefix}-${part} must be ${expected}`)
  return value
}

function lookUp(headers: DeliveryHeaders, name: string): unknown[] {
  // Checks the method instead of the class, to support a Headers of a polyfill or another realm.
  // `in` throws if `headers` is not an object.
  if ('get' in headers && typeof headers.get === 'function') return [headers.get(name) ?? '']
  const entries = Object.entries(headers as HeaderRecord)
  return entries.flatMap(([key, value = []]) => (key.toLowerCase() === name ? value : []))
}
