import type { Contract, Operation } from '../contract/contract.ts'
import type { ServiceForm } from '../form/service-form.ts'
import { type Intent, mediaTypeOf, type ReceivedResponse, type SentRequest } from '../history.ts'
import type { CannotRun } from './transport.ts'

/**
 * An identity of the run. A substitute is a customer who sends what the service refuses a partner. The payer
 * pays codes: it is the customer, or another identity where the customer is the receiver.
 */
export type Named = 'partner' | 'other' | 'customer' | 'substitute' | 'other-substitute' | 'payer'

/**
 * Who sends a request: an identity of the run, an authorization header, or null for no credentials.
 */
export type Sender = Named | { readonly authorization: string } | null

/** A request of an operation, as a plan writes it: `{ path: { id }, body: { amount: '1.00' }, by: 'customer' }`. */
export interface Input {
  readonly path?: Readonly<Record<string, string>> | undefined
  readonly query?: Readonly<Record<string, string>>
  /** A header that is undefined is left out. */
  readonly headers?: Readonly<Record<string, string | undefined>>
  /** Default: the method of the operation. */
  readonly method?: string
  /** A path with its query. Default: the path of the operation with `path` and `query`. */
  readonly pathAndQuery?: string
  /** Sent as JSON; a string is sent as it is. */
  readonly body?: unknown
  /** Default: `partner`. */
  readonly by?: Sender | undefined
  readonly intent?: Intent
}

/** What a plan may look at, to use it in its next request. */
export interface Outcome {
  readonly sentAt: number
  /** 0 if no response arrived, or if the guard kept the request. */
  readonly status: number
  readonly isAccepted: boolean
  /** The body of the response in the form of the contract. */
  readonly json: unknown
  readonly response?: ReceivedResponse
  /** Why no response arrived. */
  readonly failure?: string | undefined
  /** Why the transport ends the run, if it does. */
  readonly cannotRun?: CannotRun | undefined
}

/** The outcome of a request that is not sent. */
export const NOT_SENT: Outcome = { sentAt: 0, status: 0, isAccepted: false, json: undefined }

/**
 * Whether a status says that the service did not carry out the request. After a 5xx, or no response (0), nobody knows. Of a
 * payment on a live service, `provesRefusal` says it.
 */
export function isRefusalStatus(status: number): boolean {
  return status >= 400 && status < 500
}

/** Statuses that a gateway sends by itself, also after it has passed a request on. */
const GATEWAY_STATUSES: ReadonlySet<number> = new Set([
  408, // Request Timeout: also sent when the service behind the gateway was slow.
  429, // Too Many Requests: also sent by a rate limit of the gateway.
])

/**
 * Whether a response proves that the service did not carry out a request. After a status that gateways send, only the
 * media type of problem details (RFC 9457, section 3) shows that the service itself has refused it.
 */
export function provesRefusal(outcome: Outcome): boolean {
  const { status } = outcome
  if (!GATEWAY_STATUSES.has(status)) return isRefusalStatus(status)
  return mediaTypeOf(outcome) === 'application/problem+json'
}

/** Whether a status may refuse a value in the body of a request, and not its token, its record or the rate. */
export function mayRefuseValue(status: number): boolean {
  return status === 400 || status === 422
}

/** Finds an operation by its id. Undefined if a changed copy of the contract has left it out. */
export function findOperation({ operations }: Contract, id: string): Operation | undefined {
  return operations.find((operation) => operation.id === id && !operation.isAlias)
}

/**
 * Rewrites a request in the service's own words, such as `paused` for `inactive`, as far as the run has
 * learned them. A page to which a response has linked is requested by that link, as it is.
 */
export function toServiceInput(operation: Operation, input: Input, form: ServiceForm): Input {
  const { body, query, pathAndQuery, intent } = input
  const linkedQuery = query && form.linkedPages.findLinkedQuery(query)
  if (linkedQuery !== undefined && pathAndQuery === undefined)
    return { ...input, pathAndQuery: `${operation.path}?${linkedQuery}` }

  return {
    ...input,
    ...(body !== undefined && { body: form.toServiceBody(operation, body, intent) }),
    ...(query && { query: form.toServiceQuery(operation, query) }),
  }
}

/**
 * Builds the HTTP request of an operation from its input, which has the ids, the query, the body and the
 * headers. `method` and `pathAndQuery` of the input replace those of the operation. A string is sent as it is,
 * any other body as JSON.
 */
export function buildRequest(
  operation: Operation,
  input: Input,
  authorization: string | undefined,
): SentRequest {
  const { body, method = operation.method, pathAndQuery = pathOf(operation, input) } = input
  const headers = buildHeaders(input, authorization)
  if (body === undefined) return { method, path: pathAndQuery, headers }

  const text = typeof body === 'string' ? body : JSON.stringify(body)
  return { method, path: pathAndQuery, headers, body: text }
}

/**
 * Builds the headers of a request: the usual ones, and those of the input, which win. A header that is
 * undefined is left out.
 */
function buildHeaders(
  { headers, body }: Input,
  authorization: string | undefined,
): Record<string, string> {
  const candidates: Record<string, string | undefined> = {
    accept: 'application/json',
    authorization,
    'content-type': body === undefined ? undefined : 'application/json',
    ...headers,
  }
  const present: Record<string, string> = {}
  for (const [name, value] of Object.entries(candidates)) {
    if (value !== undefined) present[name] = value
  }
  return present
}

/** Builds the path of a request with its ids and its query: `/pix/qrcode/…?limit=2`. */
export function pathOf(
  { path }: Pick<Operation, 'path'>,
  { path: parameters = {}, query = {} }: Input,
): string {
  const pathWithIds = path.replaceAll(/\{(\w+)\}/g, (_, name: string) =>
    encodeURIComponent(parameters[name] ?? ''),
  )
  const search = new URLSearchParams(query).toString()
  return search === '' ? pathWithIds : `${pathWithIds}?${search}`
}
