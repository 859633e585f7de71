/**
 * The headers of a message: a `Headers`, a `Map`, pairs, or the object of a Node server.
 *
 * @example
 * const headers: MessageHeaders = new Headers({ 'content-type': 'application/json' })
 */
export type MessageHeaders =
  | Iterable<readonly [string, string]>
  | Readonly<Record<string, string | readonly string[] | undefined>>

/** What requests, responses and deliveries have in common. */
interface Message {
  /** Default: none. */
  readonly headers?: MessageHeaders
  /** The result of `JSON.parse`. Absent if there was no body. */
  readonly body?: unknown
}

/**
 * A request as it arrived, its body parsed.
 *
 * @example
 * const request: RequestMessage = { method: 'GET', path: '/mobile-bff/v1/partner/user', query: '?limit=20' }
 */
export interface RequestMessage extends Message {
  /** In upper case; methods are case-sensitive (RFC 9110, section 9.1). */
  readonly method: string
  /** Without the query and without the path of the server URL. */
  readonly path: string
  /** Percent-encoded, with or without `?`. Default: none. */
  readonly query?: string
}

/**
 * A response as it arrived, its body parsed.
 *
 * @example
 * const response: ResponseMessage = { status: 204, headers: { 'x-request-id': 'req_1' } }
 */
export interface ResponseMessage extends Message {
  /** From 100 to 599. */
  readonly status: number
}

/**
 * A delivery of a webhook as it arrived, its body parsed. Its method is POST.
 *
 * @example
 * const delivery: DeliveryMessage = { name: 'qrcode.paid', body: { type: 'qrcode.paid' } }
 */
export interface DeliveryMessage extends Message {
  /** The name of the webhook in the contract. */
  readonly name: string
}

/** Headers by lower-case name; repeated headers are joined (RFC 9110, section 5.3). */
export function joinHeaders(headers: MessageHeaders = []): Map<string, string> {
  const textsByName = new Map<string, string>()
  for (const [name, value] of listEntries(headers)) {
    if (value === undefined) continue

    const key = name.toLowerCase()
    const text = Array.isArray(value) ? value.join(', ') : String(value)
    const earlier = textsByName.get(key)
    textsByName.set(key, earlier === undefined ? text : `${earlier}, ${text}`)
  }
  return textsByName
}

function listEntries(headers: MessageHeaders): Iterable<readonly [string, unknown]> {
  if (Symbol.iterator in headers) return headers
  return Object.entries(headers)
}
