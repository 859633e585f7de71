import createFetchClient, {
  type MaybeOptionalInit,
  type Client as OpenapiFetch,
  type ClientOptions as OpenapiFetchOptions,
  type ParseAsResponse,
} from 'openapi-fetch'
import { requireObjectBody } from './body.ts'
import { ConfigError, OutcomeUnknownError, toTypedError } from './errors.ts'
import type { paths } from './generated/contract.ts'
import { requireValidHeaders } from './headers.ts'
import type { ContentOf } from './operation.ts'
import { createExchanger, type Exchange } from './safe-fetch.ts'
import { type Connection, resolveTransport } from './transport.ts'
import { fillPath } from './url.ts'

/**
 * A client of openapi-fetch, typed by the paths of the contract, without the options that would
 * bypass this package.
 */
export type Client = Methods & Pick<OpenapiFetch<paths>, 'use' | 'eject'>

type Methods = { readonly [M in Method as Uppercase<M>]: Call<M> } & {
  readonly request: RequestCall
}

type Method = 'get' | 'put' | 'post' | 'delete' | 'options' | 'head' | 'patch' | 'trace'

type Call<M extends Method> = <
  Path extends PathOf<M>,
  Init extends MaybeOptionalInit<paths[Path], M>,
>(
  path: Path,
  ...init: Optional<Init>
) => Promise<Result<paths[Path][M], Init>>

type RequestCall = <
  M extends Method,
  Path extends PathOf<M>,
  Init extends MaybeOptionalInit<paths[Path], M>,
>(
  method: M,
  path: Path,
  ...init: Optional<Init>
) => Promise<Result<paths[Path][M], Init>>

/** As in openapi-fetch, whose `Readable` would turn an open enum into an object. */
type Result<Operation, Init> = Operation extends { responses: infer Responses }
  ?
      | {
          data: ParseAsResponse<ContentOf<Responses[keyof Responses & Ok]>, Init>
          error?: never
          response: Response
        }
      | {
          data?: never
          error: ContentOf<Responses[Exclude<keyof Responses, Ok>]>
          response: Response
        }
  : never

type Ok = 200 | 201 | 204

type PathOf<M extends Method> = {
  [Path in keyof paths]: paths[Path] extends { readonly [name in M]: object } ? Path : never
}[keyof paths]

/** May be left out if nothing in it is required, as in openapi-fetch. */
type Optional<Init> = undefined extends Init ? [init?: Open<Init>] : [init: Open<Init>]

type Open<Init> = Init & {
  readonly [name in Exclude<keyof NonNullable<Init>, (typeof CALL_OPTIONS)[number]>]?: never
} & {
  readonly parseAs?: 'json' | 'text' | 'blob' | 'arrayBuffer'
}

/** Options of `createClient` besides the connection, as in openapi-fetch. */
export type SerializerOptions = {
  readonly [Name in (typeof SERIALIZERS)[number]]?: OpenapiFetchOptions[Name] | undefined
}

const SERIALIZERS = ['headers', 'querySerializer', 'bodySerializer', 'pathSerializer'] as const

/**
 * Creates a client of openapi-fetch whose requests are safe with money, as those of
 * `createSafeFetch`.
 *
 * `error` is the JSON object of an error response. The call rejects with a `PaymentsError` if the
 * error response has no JSON object, if there is no response, or if a request of effect `once` may
 * have been carried out (`OutcomeUnknownError`). A failure therefore never reads as a success.
 *
 * A call accepts `params`, `body`, `headers`, `signal`, `parseAs` (not `stream`), and serializers;
 * it refuses other options, which would bypass this package or be ignored. A middleware may change
 * the request, but not replace the response.
 *
 * @example
 * const api = createClient({ baseUrl, auth: { clientKey, clientSecret } })
 * const { data, error } = await api.GET('/mobile-bff/v1/partner/user')
 */
export function createClient(options: Connection & SerializerOptions): Client {
  // The headers are those of every request, also of the sign-in.
  const transport = resolveTransport(options, [
    'querySerializer',
    'bodySerializer',
    'pathSerializer',
  ])
  const sendExchange = createExchanger(transport)
  const client = createFetchClient<paths>({
    baseUrl: transport.baseUrl,
    ...createSerializers(options),
  })

  /**
   * Sends one call through openapi-fetch, which creates the request, runs the middlewares, and then
   * calls `singleExchange.fetch`. Resolves with `data` or `error`, or rejects with a `PaymentsError`.
   */
  async function request(method: string, path: string, init?: Init | null): Promise<unknown> {
    const singleExchange = createSingleExchange((request) => sendExchange(request, init?.signal))
    try {
      const callOptions = { ...readCallOptions(init), fetch: singleExchange.fetch }
      // Its types need literals: the methods of this client check them before.
      const result = await client.request(method as 'get', path as never, callOptions as never)
      await singleExchange.requireOwn(result.response)
      return result
    } catch (thrown) {
      singleExchange.end()
      throw await chooseError(thrown, singleExchange.sent())
    }
  }

  const methods: Record<string, unknown> = {}
  for (const method of METHODS) {
    methods[method] = (path: string, init?: Init) => request(method, path, init)
  }
  return { ...methods, request, use: client.use, eject: client.eject } as Client
}

const METHODS = ['GET', 'PUT', 'POST', 'DELETE', 'OPTIONS', 'HEAD', 'PATCH', 'TRACE'] as const

/** The serializers of the caller; path parameters are checked by default. */
function createSerializers(options: SerializerOptions): object {
  const { headers, querySerializer, bodySerializer, pathSerializer = fillByName } = options
  return { headers, querySerializer, bodySerializer, pathSerializer }
}

function fillByName(path: string, values: Readonly<Record<string, unknown>>): string {
  return fillPath(path, (name) => values[name])
}

/** The exchange of one call, which a middleware must neither repeat nor replace. */
interface SingleExchange {
  /** Sends the request of the call. Throws `ConfigError` at the second time, and after the end. */
  fetch(request: Request): Promise<Response>
  /** Throws `ConfigError` unless the response is that of the exchange. */
  requireOwn(response: Response): Promise<void>
  /** The exchange, if `fetch` was called. */
  sent(): Promise<Exchange> | undefined
  /** Ends the call: nothing is sent afterwards. */
  end(): void
}

/**
 * Wraps `send` so that a call sends one request at most, and its response is the one that was
 * received: a middleware of the caller must not repeat a payment, nor replace its response.
 */
function createSingleExchange(send: (request: Request) => Promise<Exchange>): SingleExchange {
  let sent: Promise<Exchange> | undefined
  let isOver = false
  return {
    // A middleware may call it too.
    async fetch(request) {
      if (sent || isOver) throw new ConfigError('"fetch" was called twice, or after the call ended')
      sent = send(request)
      return (await sent).response
    },
    async requireOwn(response) {
      const exchange = await sent
      if (exchange && response === exchange.response) return
      throw new ConfigError('a middleware returned a Response: it may only change the Request')
    },
    sent: () => sent,
    end() {
      isOver = true
    },
  }
}

/**
 * The error that a call rejects with after openapi-fetch or a middleware threw `thrown`: a
 * `PaymentsError` of what was thrown. It is an `OutcomeUnknownError` if the request has the effect
 * `once` and may have been carried out.
 *
 * @param sent the request with its response, once that comes; `undefined` if nothing was sent
 */
async function chooseError(thrown: unknown, sent: Promise<Exchange> | undefined): Promise<unknown> {
  const error = toTypedError(
    thrown,
    'the request cannot be created, or a middleware failed; see `cause`',
  )
  if (!sent) return error

  let exchange: Exchange
  try {
    exchange = await sent
  } catch (sendError) {
    // Sending failed. `thrown` is that error, or the one that a middleware's `onError` made of it,
    // which must not hide that a payment may have been made.
    return sendError instanceof OutcomeUnknownError ? sendError : thrown
  }
  return exchange.toCallError(error)
}

type Init = RequestInit & { readonly parseAs?: string }

/**
 * Copies the options of a call. Throws `ConfigError` for options that would bypass this package or
 * be ignored.
 */
function readCallOptions(init: Init | null | undefined): Init {
  const options = init ?? {}
  const refused = Object.keys(options).find((name) => !CALL_OPTIONS.includes(name as 'params'))
  if (refused) {
    throw new ConfigError(
      `"${refused}" is not an option of a call: expected ${CALL_OPTIONS.join(', ')}`,
    )
  }

  const { body, parseAs = 'json' } = options
  if (!PARSERS.has(parseAs)) {
    throw new ConfigError(`"parseAs" must be json, text, blob or arrayBuffer`)
  }

  requireObjectBody(body)
  requireValidHeaders(options.headers)
  return { ...options }
}

/** The options of a call. */
const CALL_OPTIONS = ['params', 'body', 'signal', 'parseAs', ...SERIALIZERS] as const

/** The values of `parseAs`. A stream is not among them, since every response is read completely. */
const PARSERS: ReadonlySet<string> = /* @__PURE__ */ new Set([
  'json',
  'text',
  'blob',
  'arrayBuffer',
])
