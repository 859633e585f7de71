import { attempt, ensure } from './error.ts'

/**
 * Headers as any server hands them over: a `Headers`, or an object with names in any case and,
 * as Node has it, a list where a header was repeated.
 *
 * None of the three headers of a delivery may be repeated: it is refused, whatever the values and their order.
 *
 * @example
 * const fromFetch: DeliveryHeaders = new Headers({ 'webhook-id': 'msg_1' })
 * const fromNode: DeliveryHeaders = { 'Webhook-Id': 'msg_1', cookie: ['a=1', 'b=2'] }
 */
export type DeliveryHeaders = HeaderLookup | HeaderRecord

type HeaderLookup = {
  /** The value of a header, by its name in small letters; null where there is none. */
  get(name: string): string | null
}

type HeaderRecord = Readonly<Record<string, string | readonly string[] | undefined>>

/**
 * How the names of the three headers begin: `webhook` in Standard Webhooks 1.0.0, "Webhook headers", and `svix` at
 * senders that are older than the standard.
 *
 * @example
 * const headerPrefix: HeaderPrefix = 'svix'
 */
export type HeaderPrefix = 'webhook' | 'svix'

/**
 * The three headers of a delivery: what {@link sign} gives, ready to be sent.
 *
 * - `webhook-id` names the event: the same at every attempt to deliver it.
 * - `webhook-timestamp` is when this attempt was signed, in whole seconds since 1970.
 * - `webhook-signature` has one `v1,` signature for each secret, divided by spaces.
 *
 * Standard Webhooks 1.0.0, "Webhook headers".
 *
 * @example
 * const headers: SignedHeaders = await sign('{}', generateSecret(), { id: 'msg_1' })
 */
export type SignedHeaders<Prefix extends HeaderPrefix = 'webhook'> = Record<`${Prefix}-${Part}`, string>

type Part = 'id' | 'timestamp' | 'signature'

// The id has no full stop because full stops divide the signed content.
// 1024 characters hold 21 signatures: the limit of what is tried. No signature has ", ", which joins repeated headers.
const forms: Record<Part, [form: RegExp, expected: string]> = {
  id: [/^(?!.*\.)[!-~]{1,255}$/, '1 to 255 visible ASCII characters without "."'],
  timestamp: [/^[1-9]\d{0,11}$/, 'whole seconds since 1970'],
  signature: [
    /^(?=.{1,1024}$)(?!.*, )(\S+ )*v1,\S+( \S+)*$/,
    'one header, at most 1024 characters with a "v1," signature',
  ],
}

/** How the names of the three headers begin, by the options. */
export function prefixBy(options: { headerPrefix?: HeaderPrefix }): HeaderPrefix {
  const expected = `options.headerPrefix must be 'webhook' or 'svix'`
  const prefix = attempt(() => prefixOf(options), 'options-invalid', expected)
  ensure(prefix === 'webhook' || prefix === 'svix', 'options-invalid', expected)
  return prefix
}

const prefixOf = ({ headerPrefix = 'webhook' }: { headerPrefix?: HeaderPrefix }) => headerPrefix

/** The value of one of the three headers, held to its form. */
export function readHeader(headers: DeliveryHeaders, prefix: HeaderPrefix, part: Part): string {
  const expected = 'the headers must be a Headers, or an object of strings'
  const values = attempt(() => lookUp(headers, `${prefix}-${part}`), 'headers-invalid', expected)
  const areTexts = values.every((value) => typeof value === 'string')
  ensure(areTexts, 'headers-invalid', expected)
  // A repeated header is joined as a Headers does it (RFC 9110, 5.3): it fails its form instead of hiding a value.
  return checkHeader(prefix, part, values.join(', '))
}

/** The value of a header, if it has its form. */
export function checkHeader(prefix: HeaderPrefix, part: Part, value: string): string {
  const [form, expected] = forms[part]
  ensure(value, `${part}-missing`, `${prefix}-${part} is missing`)
  // The type too: a regular expression takes a number, or a list of one, for its text.
  const isFormed = typeof value === 'string' && form.test(value)
  ensure(isFormed, `${part}-invalid`, `${prefix}-${part} must be ${expected}`)
  return value
}

function lookUp(headers: DeliveryHeaders, name: string): unknown[] {
  // By its method, not by its class: a Headers of a polyfill or of another realm is welcome.
  // `in` throws where there is no object.
  if ('get' in headers && typeof headers.get === 'function') return [headers.get(name) ?? '']
  const entries = Object.entries(headers as HeaderRecord)
  return entries.flatMap(([key, value = []]) => (key.toLowerCase() === name ? value : []))
}
