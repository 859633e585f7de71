import { decoded } from '@partner-payments/contract'
import { type HttpHandler, http } from 'msw'
import { parseJson } from './body.ts'
import { copyEchoes } from './echoes.ts'
import type { operations as Contract } from './generated/contract.ts'
import * as fixtures from './generated/fixtures.ts'
import { headers } from './generated/headers.ts'
import type { Operations } from './generated/models.ts'
import { allOperations, type ContentOf, type Operation } from './operation.ts'

/** The result of {@link mockPayments}. */
export interface MockedPayments {
  /** One handler per operation, which returns the first example of its success. */
  readonly handlers: readonly HttpHandler[]
  /** Creates a handler of one operation, to put before the others. */
  readonly handle: { readonly [Id in OperationId]: Handle<Id> }
}

/** An operationId of the contract or of the short paths of its guide. */
export type OperationId = keyof Operations

/** Creates a handler of one operation. */
export interface Handle<Id extends OperationId> {
  /** Returns a status of the contract; by default with the first example of the status. */
  <Status extends StatusOf<Id>>(
    status: Status,
    body?: BodyOf<Id, Status>,
    options?: ResponseOptions,
  ): HttpHandler
  /**
   * Returns the response of `resolver`; `undefined` passes the request to the next handler.
   * Default: the first success example.
   */
  (resolver?: Resolver<Id>, options?: Pick<ResponseOptions, 'once'>): HttpHandler
}

/**
 * Creates the response to a request: with `respond`, which is typed by the contract, or with your
 * own `Response` for anything outside the contract, such as `HttpResponse.error()` or the error
 * page of a proxy.
 */
export type Resolver<Id extends OperationId> = (
  context: ResolverContext<Id>,
) => Response | undefined | Promise<Response | undefined>

/** The argument of a resolver. */
export interface ResolverContext<Id extends OperationId> {
  readonly request: Request
  /** The decoded path parameters. */
  readonly params: PathOf<Contract[Id]['parameters']>
  /** The JSON body, typed by the contract but not validated. */
  readonly body: ContentOf<Contract[Id]['requestBody']>
  /** Creates a response of the contract; by default with the first example of the status. */
  respond<Status extends StatusOf<Id>>(
    status: Status,
    body?: BodyOf<Id, Status>,
    headers?: ResponseOptions['headers'],
  ): Response
}

/** Options of a mocked response. */
export interface ResponseOptions {
  /**
   * Overrides the headers of the contract's examples, such as `retry-after: 2` with 429 and 503.
   */
  readonly headers?: Readonly<Record<string, string>>
  /** Handles one request and passes the following ones to the next handler. Default: false. */
  readonly once?: boolean
}

type StatusOf<Id extends OperationId> = keyof Contract[Id]['responses'] & number

type BodyOf<Id extends OperationId, Status extends StatusOf<Id>> = ContentOf<
  Contract[Id]['responses'][Status]
>

type PathOf<Parameters> = Parameters extends { path: infer Path }
  ? Path
  : Readonly<Record<never, never>>

/**
 * Creates handlers for Mock Service Worker (msw 2 and 3) that return the examples of the contract.
 *
 * - Paths match byte for byte. msw itself ignores a trailing slash, which distinguishes
 *   `createWebhook` from `listWebhooks`.
 * - Other requests stay unhandled; the option `onUnhandledFrame` (msw 3) or `onUnhandledRequest`
 *   (msw 2) decides about them.
 * - A status or body that the contract does not declare for the operation does not compile.
 * - Requests are not validated, and the handlers are stateless.
 * - A success repeats values of the request, such as the amount of a transfer, unless your resolver
 *   creates the body.
 *
 * Throws `TypeError` if `baseUrl` is not an absolute URL.
 *
 * @example
 * import { setupServer } from 'msw/node'
 *
 * const { handlers, handle } = mockPayments({ baseUrl: 'https://api.example.com' })
 * const server = setupServer(...handlers)
 * server.listen({ onUnhandledFrame: 'error' })
 *
 * server.use(handle.createTransfer(409))
 * server.use(handle.checkKey(({ body, respond }) => respond(body.dict_key === '11222333000181' ? 200 : 404)))
 * server.use(handle.listUsers(503, undefined, { once: true, headers: { 'retry-after': '0' } }))
 */
export function mockPayments({ baseUrl }: { readonly baseUrl: string }): MockedPayments {
  const base = new URL(baseUrl).href.replace(/^(.*[^/])\/*$/, '$1')
  const handlers: HttpHandler[] = []
  const handle: Record<string, ReturnType<typeof createHandle>> = {}
  for (const operation of allOperations()) {
    const handleOperation = createHandle(base, operation)
    handlers.push(handleOperation())
    handle[operation.operationId] = handleOperation
  }
  // The loop adds every operation of the type, which is derived from the same table.
  return { handlers, handle: handle as unknown as MockedPayments['handle'] }
}

type Respond = (status: number, body?: unknown, headers?: ResponseOptions['headers']) => Response

/** A resolver without the types of the contract, which the public types enforce. */
type LooseResolver = (context: {
  request: Request
  params: object
  body: unknown
  respond: Respond
}) => ReturnType<Resolver<'getUser'>>

/**
 * Returns the function `handle.operationId` of one operation, which creates a handler. It takes a
 * status, a body and options (`handle(409, body, { once: true })`), or a resolver and options
 * (`handle(({ respond }) => respond(200), { once: true })`).
 */
function createHandle(base: string, operation: Operation) {
  const pattern = createPattern(base + operation.path)
  return (
    statusOrResolver: number | LooseResolver = operation.status,
    bodyOrOptions?: unknown,
    options?: ResponseOptions,
  ) => {
    if (typeof statusOrResolver === 'function') {
      const optionsOfResolver = bodyOrOptions as ResponseOptions
      return createHandler(operation, pattern, statusOrResolver, optionsOfResolver)
    }

    const status = statusOrResolver
    const resolver: LooseResolver = ({ body, respond }) =>
      respond(status, createBody(operation, status, body, bodyOrOptions), options?.headers)
    return createHandler(operation, pattern, resolver, options)
  }
}

/** Creates the handler of MSW for an operation: `resolver` responds to requests whose URLs match. */
function createHandler(
  operation: Operation,
  pattern: RegExp,
  resolver: LooseResolver,
  { once = false }: ResponseOptions = {},
) {
  const createMswHandler =
    http[operation.method.toLowerCase() as 'get' | 'post' | 'patch' | 'delete']
  const handleRequest = async ({ request }: { request: Request }) => {
    // `undefined` if it is not JSON.
    const body = operation.takes === 'body' ? parseJson(await request.clone().text()) : undefined
    const respond = createRespond(operation, body)
    return resolver({ request, params: readParams(pattern, request), body, respond })
  }
  return createMswHandler(pattern, handleRequest, { once })
}

/** A regular expression, since msw normalizes paths that it matches by a string. */
function createPattern(url: string): RegExp {
  const literal = url.replace(/[.*+?^$()|[\]\\]/g, '\\$&')
  const withParameters = literal.replace(/\{(\w+)\}/g, '(?<$1>[^/]+)')
  return new RegExp(`^${withParameters}$`)
}

/**
 * The path parameters of a request, decoded, such as `{ user_id: 'u 1' }` for `/users/u%201`. The
 * groups of `pattern` have their names.
 */
function readParams(pattern: RegExp, { url }: Request): Record<string, string> {
  const { origin, pathname } = new URL(url)
  const { groups = {} } = pattern.exec(origin + pathname) ?? {}
  const params: Record<string, string> = {}
  for (const [name, value] of Object.entries(groups)) {
    // An invalid encoding stays as it is.
    params[name] = decoded(value) ?? value
  }
  return params
}

/**
 * Creates the `respond` of a resolver: a function that returns the response of a status, by default
 * with its example from the contract.
 *
 * @param sent the body of the request, some of whose values a success repeats
 */
function createRespond(operation: Operation, sent: unknown): Respond {
  return (status, body = createBody(operation, status, sent), ownHeaders) => {
    const merged = new Headers(headers[operation.operationId]?.[status])
    // Headers.set replaces a name of any case; spreading an object would join both.
    for (const [name, value] of Object.entries(ownHeaders ?? {})) merged.set(name, value)
    const text = body === undefined ? null : JSON.stringify(body)
    return new Response(text, { status, headers: merged })
  }
}

type Examples = Readonly<Record<string, { readonly response?: Readonly<Record<number, object>> }>>

/**
 * The body of a response, by default the first example of its status. A success repeats values of
 * the request, such as an amount.
 */
function createBody(
  operation: Operation,
  status: number,
  sent: unknown,
  body = firstExample(operation, status),
): unknown {
  const copy = structuredClone(body)
  if (status === operation.status) copyEchoes(operation, sent, copy)
  return copy
}

function firstExample({ operationId }: Operation, status: number): unknown {
  const examples = (fixtures as Examples)[operationId]?.response?.[status] ?? {}
  return Object.values(examples)[0]
}
