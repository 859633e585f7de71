import openapiFetch, { type Client as OpenapiFetch } from 'openapi-fetch'
import { ConfigError, HttpError, isObject, PaymentsError } from './errors.ts'
import type { paths } from './generated/contract.ts'
import { allOperations, type Operation } from './operation.ts'
import type { CallOptions, ClientOptions } from './options.ts'
import { type Transport, transportOf } from './transport.ts'
import { fillPath } from './url.ts'

/** A client of openapi-fetch whose paths are those of the contract. In place of `use`, give `middleware` when it is made. */
export type Client = Pick<OpenapiFetch<paths>, 'request' | 'GET' | 'POST' | 'PATCH' | 'DELETE'>

/**
 * The client of openapi-fetch, typed by the paths of the contract, over the engine of this package.
 *
 * `error` is what the service answered as a JSON object. Where it answered a failure without one, and where it did not
 * answer, the call rejects with a `PaymentsError`: a failure cannot be mistaken for a success. So it does where a
 * request of effect `once` may have been carried out (`OutcomeUnknownError`).
 *
 * With a call go `params`, `body`, `headers`, `signal`, `timeout` and `querySerializer`. The other options of
 * openapi-fetch are refused, with a call and here.
 *
 * Takes the options of a client, or the `transport` of `createPayments` to share its tokens.
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
  }) as unknown as { request: (method: string, path: string, init: object) => Promise<Answer> }

  const request = async (method: string, path: string, given?: Init | null) => {
    const init = given ?? {}
    const operation = operationFor(known, `${method.toUpperCase()} ${path}`, init)
    let response: Response | undefined
    const fetch = async ({ url, body, headers, ...own }: LightRequest) => {
      const options = { ...own, headers: Object.fromEntries(headers) }
      const answered = await transport.send(operation, url, body, options).catch(problemOf(operation))
      response = answered.response
      return lightResponse(answered)
    }
    const answer = await send(method, path, { ...init, ...replaced(operation, init), fetch }).catch(
      typed(operation),
    )
    return { ...answer, response }
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

/** What openapi-fetch is told in place of the caller's: to give the data as it is, and to fill the path as we do. */
function replaced(operation: Operation, { params }: Init) {
  const pathSerializer = (_: string, values: Values) => fillPath(operation, (name) => values[name])
  return { parseAs: 'stream', params: { path: {}, ...params }, pathSerializer }
}

/** openapi-fetch has errors of its own, such as for a header that cannot be sent. */
function typed(operation: Operation) {
  return (thrown: unknown) => {
    throw thrown instanceof PaymentsError
      ? thrown
      : new ConfigError('the request could not be built; `cause` says why', operation, thrown)
  }
}

/** Everything else that openapi-fetch takes with a call would pass the engine by, or be ignored. */
const PER_CALL = ['params', 'body', 'headers', 'signal', 'timeout', 'querySerializer']

type Values = Readonly<Record<string, unknown>>

interface Init {
  readonly params?: Readonly<Record<string, Values>>
}

interface Answer {
  readonly data?: unknown
  readonly error?: unknown
}

interface Answered {
  readonly response: Response
  readonly data: unknown
}

function operationsByPath(): Map<string, Operation> {
  return new Map(allOperations().map((operation) => [`${operation.method} ${operation.path}`, operation]))
}

/** What openapi-fetch makes of a call; a native Request with a body costs as much as the rest of the call. */
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

/** An error with a body is an answer to openapi-fetch; any other is thrown, and that of a sign-in too. */
function problemOf({ operationId }: Operation) {
  return (error: unknown): Answered => {
    const isAnswer = error instanceof HttpError && error.operationId === operationId && isObject(error.body)
    if (isAnswer) return { response: error.response, data: error.body }
    throw error
  }
}

/** Without headers: openapi-fetch would look there for a length, and the body is read already. */
function lightResponse({ response: { ok, status }, data }: Answered) {
  return { ok, status, headers: new Map(), body: data, text: async () => JSON.stringify(data) }
}
