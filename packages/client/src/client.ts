import {
  type HeadersOptions,
  mergeHeaders,
  type Client as OpenapiFetch,
  type QuerySerializer,
  type QuerySerializerOptions,
  serializePrimitiveParam,
} from 'openapi-fetch'
import { ConfigError, HttpError, isObject, typed } from './errors.ts'
import type { paths } from './generated/contract.ts'
import { allOperations, type Operation } from './operation.ts'
import type { CallOptions, ClientOptions } from './options.ts'
import { type Transport, transportOf } from './transport.ts'
import { fillPath } from './url.ts'

/** The methods of openapi-fetch, typed by the paths of the contract. It has no `use`: pass `middleware` to `createClient`. */
export type Client = Pick<OpenapiFetch<paths>, 'request' | 'GET' | 'POST' | 'PATCH' | 'DELETE'>

/**
 * Creates a client with the types and results of openapi-fetch, which sends through this package.
 *
 * `error` is the JSON object of an error response. The call rejects with a `PaymentsError` if the error response has no
 * JSON object, if there is no response, or if a request of effect `once` may have been carried out
 * (`OutcomeUnknownError`). A failure therefore never reads as a success.
 *
 * A call accepts `params`, `body`, `headers`, `signal`, `timeout` and `querySerializer`. Other options of openapi-fetch
 * are refused, in a call and here.
 *
 * Accepts client options, or the `transport` of `createPayments` to share its tokens.
 *
 * @example
 * const api = createClient({ baseUrl, auth: { clientKey, clientSecret } })
 * const { data, error } = await api.GET('/mobile-bff/v1/partner/user')
 */
export function createClient(options: ClientOptions | Transport): Client {
  const transport = transportOf(options)
  const known = operationsByPath()
  const request = async (method: string, path: string, callInit?: Init | null) => {
    const init = callInit ?? {}
    const operation = operationFor(known, `${method.toUpperCase()} ${path}`, init)
    const { url, ...options } = requestOf(operation, init)
    try {
      const { response, data } = await transport.send(operation, url, init.body, options)
      return { data, response }
    } catch (error) {
      return problemOf(operation, error)
    }
  }
  const methods = ['GET', 'POST', 'PATCH', 'DELETE'].map((method) => [
    method,
    (path: string, init?: Init) => request(method, path, init),
  ])
  return { request, ...Object.fromEntries(methods) } as unknown as Client
}

function operationFor(known: Map<string, Operation>, called: string, init: object): Operation {
  const operation = known.get(called)
  if (!operation) throw new ConfigError(`the contract has no ${called}`)
  const refused = Object.keys(init).find((name) => !PER_CALL.includes(name))
  if (refused)
    throw new ConfigError(
      `"${refused}" is not an option of a call: expected ${PER_CALL.join(', ')}`,
      operation,
    )
  return operation
}

/** Converts what openapi-fetch throws, such as for an invalid header. */
function requestOf(operation: Operation, { params, headers, signal, timeout, querySerializer }: Init) {
  const { path, query, header } = params ?? {}
  try {
    const search = querySerializerOf(querySerializer)(query ?? {}).replace(/^\?/, '')
    const url = fillPath(operation, (name) => path?.[name]) + (search && `?${search}`)
    const merged = mergeHeaders(headers, header as HeadersOptions)
    return { url, headers: Object.fromEntries(merged), signal, timeout }
  } catch (thrown) {
    throw typed(thrown, 'the request cannot be serialized; see `cause`', operation)
  }
}

/** Other options of openapi-fetch would bypass this package or be ignored. */
const PER_CALL = ['params', 'body', 'headers', 'signal', 'timeout', 'querySerializer']

type Values = Readonly<Record<string, unknown>>

interface Init extends CallOptions {
  readonly params?: { readonly [place in 'path' | 'query' | 'header']?: Values }
  readonly body?: unknown
  readonly querySerializer?: QuerySerializer<unknown> | QuerySerializerOptions
}

function operationsByPath(): Map<string, Operation> {
  return new Map(allOperations().map((operation) => [`${operation.method} ${operation.path}`, operation]))
}

/** Returns an error response with a JSON object; throws other errors, and those of a sign-in. */
function problemOf({ operationId }: Operation, error: unknown) {
  const isErrorResponse =
    error instanceof HttpError && error.operationId === operationId && isObject(error.body)
  if (!isErrorResponse) throw error
  return { error: error.body, response: error.response }
}

/** Every query parameter of the contract is a string. */
function querySerializerOf(own: Init['querySerializer']): QuerySerializer<unknown> {
  if (typeof own === 'function') return own
  return (query) =>
    Object.entries(query as Values)
      .map(([name, value]) => serializePrimitiveParam(name, value as string, own))
      .filter(Boolean)
      .join('&')
}
