import createFetchClient, {
  type MaybeOptionalInit,
  type Client as OpenapiFetch,
  type ClientOptions as OpenapiFetchOptions,
  type ParseAsResponse,
} from 'openapi-fetch'
import { ConfigError, OutcomeUnknownError, tagOf, typed } from './errors.ts'
import type { paths } from './generated/contract.ts'
import type { ContentOf } from './operation.ts'
import { type Exchange, exchangerOf } from './safe-fetch.ts'
import { type Connection, transportOf } from './transport.ts'
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
  readonly [name in Exclude<keyof NonNullable<Init>, (typeof OPEN)[number]>]?: never
} & {
  readonly parseAs?: 'json' | 'text' | 'blob' | 'arrayBuffer'
}

/** Options of `createClient` besides the connection, as in openapi-fetch. */
export type SerializerOptions = Pick<OpenapiFetchOptions, (typeof SERIALIZERS)[number]>

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
  const transport = transportOf(options, SERIALIZERS)
  const { headers, querySerializer, bodySerializer } = options
  const { pathSerializer = (path, values) => fillPath(path, (name) => values[name]) } = options
  const serializers = { headers, querySerializer, bodySerializer, pathSerializer }
  const client = createFetchClient<paths>({
    baseUrl: transport.baseUrl,
    ...(serializers as object),
  })
  const exchange = exchangerOf(transport)
  const request = async (method: string, path: string, init?: Init | null) => {
    let sent: Promise<Exchange> | undefined
    let isOver = false
    // A middleware may call it too.
    const fetch = async (request: Request) => {
      if (sent || isOver) throw new ConfigError('"fetch" was called twice, or after the call ended')
      sent = exchange(request, init?.signal)
      return (await sent).response
    }
    try {
      const own = { ...checked(init), fetch }
      const result = await client.request(method as 'get', path as never, own as never)
      if (sent && result.response === (await sent).response) return result
      throw new ConfigError('a middleware returned a Response: it may only change the Request')
    } catch (thrown) {
      isOver = true
      throw await errorOf(thrown, sent)
    }
  }
  const methods = Object.keys(client).map((method) => [
    method,
    (path: string, init?: Init) => request(method, path, init),
  ])
  return { ...Object.fromEntries(methods), request, use: client.use, eject: client.eject }
}

/** What a call rejects with, if openapi-fetch or a middleware threw `thrown`. */
async function errorOf(thrown: unknown, sent: Promise<Exchange> | undefined): Promise<unknown> {
  const error = typed(thrown, 'the request cannot be created, or a middleware failed; see `cause`')
  if (!sent) return error
  return sent.then(
    ({ failed }) => failed(error),
    // `onError` may replace any other error.
    (unsent) => (unsent instanceof OutcomeUnknownError ? unsent : thrown),
  )
}

type Init = RequestInit & { readonly parseAs?: string }

/** Refuses options that would bypass this package or be ignored. */
function checked(init: Init | null | undefined): Init {
  const { body, parseAs = 'json' } = init ?? {}
  const refused = Object.keys(init ?? {}).find((name) => !OPEN.includes(name as 'params'))
  if (refused)
    throw new ConfigError(`"${refused}" is not an option of a call: expected ${OPEN.join(', ')}`)
  if (!/^(json|text|blob|arrayBuffer)$/.test(parseAs))
    throw new ConfigError(`"parseAs" must be json, text, blob or arrayBuffer`)
  // The serializer would turn a FormData or a Map into `{}`.
  const tag = tagOf(body)
  if (!/^(Object|Undefined)$/.test(tag))
    throw new ConfigError(`the body must be an object, got ${tag}`)
  return { ...init }
}

/** The options of a call. */
const OPEN = ['params', 'body', 'signal', 'parseAs', ...SERIALIZERS] as const
