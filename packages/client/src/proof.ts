import { repeatsField } from '@partner-payments/contract'
import { unpaidCodes } from './generated/unpaid-codes.ts'
import { isPayment, type Operation, type ReadResponse } from './operation.ts'
import { isObject, readProperty, readText } from './property.ts'

/**
 * Is it certain that this request was not carried out?
 *
 * Only an error response with status 401, or another 4xx with problem details (RFC 9457), proves
 * that. Not every 4xx does: see the cases.
 */
export function isRefused(result: ReadResponse): boolean {
  const { status } = result.response

  // Unauthorized: the credentials were not accepted, so nothing was carried out (RFC 9110, section
  // 15.5.2).
  if (status === 401) return true

  // A redirect, a 5xx or an unexpected success proves nothing.
  const isClientError = status >= 400 && status <= 499
  if (!isClientError) return false

  // Misdirected Request: `fetch` may have sent the request twice, and this is one of the two
  // responses (Fetch Standard, HTTP-network-or-cache fetch).
  if (status === 421) return false

  // Without problem details it may be the error page of a gateway (assumption `effects`).
  if (!isProblem(result)) return false

  // Another reader of the same bytes would read another status or code.
  if (repeatsField(result.text, DECIDING_FIELDS)) return false

  // Problem details of another status are not about this response.
  const statedStatus = readProperty(result.data, 'status')
  if (statedStatus !== undefined && statedStatus !== status) return false

  // A gateway may send these after it passed the request on. Only the media type of problem details
  // shows that the service itself sent them.
  if (GATEWAY_STATUSES.has(status)) return hasProblemType(result)

  return true
}

/** The fields of problem details that decide what a refusal proves. */
const DECIDING_FIELDS: ReadonlySet<string> = /* @__PURE__ */ new Set(['status', 'code'])

/** Statuses of 4xx that a gateway sends by itself. */
const GATEWAY_STATUSES: ReadonlySet<number> = /* @__PURE__ */ new Set([
  408, // Request Timeout: also sent when the service behind the gateway was slow.
  429, // Too Many Requests: also sent by a rate limit of the gateway.
])

/**
 * Does a refusal prove that nothing was paid: neither by this request, nor by an earlier copy of
 * it?
 *
 * A refused request did nothing itself. But the service may have refused it because an earlier copy
 * paid, sent by a proxy, or by a process that crashed. So a status that is about the records of the
 * service proves nothing alone: the error code must be one that says something else.
 */
export function provesUnpaid(operation: Operation, result: ReadResponse): boolean {
  if (!isPayment(operation)) return true
  if (!isRefused(result)) return false

  const { response, data } = result
  // These are never about what was paid before, such as 401 or 429.
  if (STATELESS_STATUSES.has(response.status)) return true

  // The status for what was used or paid before (open question `transfer-repeat`).
  if (response.status === 409) return false

  return unpaidCodes.has(readText(data, 'code'))
}

/** Statuses about the caller, the moment, or the form of the request, whatever was paid before. */
const STATELESS_STATUSES: ReadonlySet<number> = /* @__PURE__ */ new Set([
  401, // Unauthorized: the credentials (RFC 9110, section 15.5.2).
  405, // Method Not Allowed (section 15.5.6).
  406, // Not Acceptable (section 15.5.7).
  408, // Request Timeout: the request did not arrive in time (section 15.5.9).
  411, // Length Required (section 15.5.12).
  413, // Content Too Large (section 15.5.14).
  414, // URI Too Long (section 15.5.15).
  415, // Unsupported Media Type (section 15.5.16).
  429, // Too Many Requests (RFC 6585, section 4).
  431, // Request Header Fields Too Large (RFC 6585, section 5).
])

/**
 * Whether an error of `fetch` shows that no connection was made. Only Node's `fetch` does, by the
 * code of its `cause`. An error that has the code itself proves nothing: it may be that of the
 * database to which a `fetch` of the caller writes after the payment. Those of Bun look the same.
 */
export function provesUnsent(error: unknown): boolean {
  const cause = readProperty(error, 'cause')
  return NO_CONNECTION.has(readText(cause, 'code'))
}

/**
 * Node's error codes of a failed connection attempt, never of an established connection. With any
 * other code the request may have been sent: a payment is then not repeated.
 */
const NO_CONNECTION: ReadonlySet<string> = /* @__PURE__ */ new Set([
  // libuv: nothing listens at the address.
  'ECONNREFUSED',
  // libuv: the name does not exist.
  'ENOTFOUND',
  // libuv: the name server did not respond.
  'EAI_AGAIN',
  // undici: the connection was not established in time.
  'UND_ERR_CONNECT_TIMEOUT',
])

/**
 * Problem details have their media type (RFC 9457, section 3) or repeat the HTTP status (section
 * 3.1.2).
 */
export function isProblem(result: ReadResponse): boolean {
  const { data, response } = result
  if (!isObject(data)) return false
  return hasProblemType(result) || readProperty(data, 'status') === response.status
}

/**
 * Whether the content-type of a response is that of problem details, and the only one: a comma
 * joins the values of a repeated header, of which programs read the first or the last.
 */
function hasProblemType({ response }: ReadResponse): boolean {
  const contentType = response.headers.get('content-type') ?? ''
  if (contentType.includes(',')) return false

  // Parameters, such as a charset, follow a semicolon.
  const [mediaType = ''] = contentType.split(';')
  return mediaType.trim().toLowerCase() === PROBLEM_TYPE
}

/** The media type of problem details (RFC 9457, section 3), in lower case. */
const PROBLEM_TYPE = 'application/problem+json'

/**
 * Whether a response with a status such as 200 reads as an error after all: by the media type of
 * problem details, or by a `status` in its body such as 409.
 */
export function readsAsProblem({ response, data }: ReadResponse): boolean {
  const contentType = response.headers.get('content-type') ?? ''
  const status = readProperty(data, 'status')
  const statesError = typeof status === 'number' && status >= 300
  return contentType.toLowerCase().includes(PROBLEM_TYPE) || statesError
}
