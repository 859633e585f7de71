import openapiFetch, { type Client as OpenapiFetch } from 'openapi-fetch'
import { ConfigError, HttpError, isObject, PaymentsError } from './errors.ts'
import type { paths } from './generated/contract.ts'
import { allOperations, type Operation } from './operation.ts'
import type { CallOptions, ClientOptions } from './options.ts'
import { type Transport, transportOf } from './transport.ts'
import { fillPath } from './url.ts'

/** A client of openapi-fetch, typed by the paths of the contract. It has no `use`: pass `middleware` to `createClient`. */
export type Client = Pick<OpenapiFetch<paths>, 'request' | 'GET' | 'POST' | 'PATCH' | 'DELETE'>

/**
 * Creates a client of openapi-fetch that is typed by the paths of the contract and sends through this package.
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
  const { request: send } = openapiFetch<paths>({
    Request: LightRequest as unknown as typeof Request,
    bodySerializer: (body) => body,
  }) as unknown as { request: (method: string, path: string, init: object) => Promise<OpenapiFetchResult> }

  const request = async (method: string, path: string, callInit?: Init | null) => {
    const init = callInit ?? {}
    const operation = operationFor(known, `${method.toUpperCase()} ${path}`, init)
    let response: Response | undefined
    const fetch = async ({ url, body, headers, ...own }: LightRequest) => {
      const options = { ...own, headers: Object.fromEntries(headers) }
      const parsed = await transport.send(operation, url, body, options).catch(problemOf(operation))
      response = parsed.response
      return lightResponse(parsed)
    }
    const result = await send(method, path, { ...init, ...overrides(operation, init), fetch }).catch(
      throwTyped(operation),
    )
    return { ...result, response }
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

/** Overrides of openapi-fetch: return the data as it is, and fill the path with the checks of this package. */
function overrides(operation: Operation, { params }: Init) {
  const pathSerializer = (_: string, values: Values) => fillPath(operation, (name) => values[name])
  return { parseAs: 'stream', params: { path: {}, ...params }, pathSerializer }
}

/** Converts errors that openapi-fetch throws itself, such as for an invalid header. */
function throwTyped(operation: Operation) {
  return (thrown: unknown) => {
    throw thrown instanceof PaymentsError
      ? thrown
      : new ConfigError('the request could not be built; see `cause`', operation, thrown)
  }
}

/** Other options of openapi-fetch would bypass this package or be ignored. */
const PER_CALL = ['params', 'body', 'headers', 'signal', 'timeout', 'querySerializer']

type Values = Readonly<Record<string, unknown>>

interface Init {
  readonly params?: Readonly<Record<string, Values>>
}

interface OpenapiFetchResult {
  readonly data?: unknown
  readonly error?: unknown
}

interface ParsedResponse {
  readonly response: Response
  readonly data: unknown
}

function operationsByPath(): Map<string, Operation> {
  return new Map(allOperations().map((operation) => [`${operation.method} ${operation.path}`, operation]))
}

/** Stands in for Request, since creating a native one with a body costs as much as the rest of the call. */
class LightRequest {
  declare readonly body: unknown
  declare readonly headers: Headers
  declare readonly signal: CallOptions['signal']
  declare readonly timeout: CallOptions['timeout']
  readonly url: string

  constructor(url: string, init: object) {
    Object.assign(this, init)
    this.url = url
  }
}

/** openapi-fetch receives an error response with a JSON object; other errors, and those of a sign-in, are thrown. */
function problemOf({ operationId }: Operation) {
  return (error: unknown): ParsedResponse => {
    const isErrorResponse =
      error instanceof HttpError && error.operationId === operationId && isObject(error.body)
    if (isErrorResponse) return { response: error.response, data: error.body }
    throw error
  }
}

/** Without headers: openapi-fetch would check content-length, but the body is already read. */
function lightResponse({ response: { ok, status }, data }: ParsedResponse) {
  return { ok, status, headers: new Map(), body: data, text: async () => JSON.stringify(data) }
}
