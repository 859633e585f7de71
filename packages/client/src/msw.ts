import { type HttpHandler, http } from 'msw'
import { mirror } from './echoes.ts'
import type { operations as Contract } from './generated/contract.ts'
import * as fixtures from './generated/fixtures.ts'
import { headers } from './generated/headers.ts'
import { type aliases, allOperations, type Operation, type operations } from './operation.ts'

/** What {@link mockPayments} gives. */
export interface MockedPayments {
  /** A handler an operation, which answers the first example of its success. */
  readonly handlers: readonly HttpHandler[]
  /** Makes a handler of one operation, to be put before the others. */
  readonly handle: { readonly [Id in OperationId]: Handle<Id> }
}

/** One of the operationIds of the contract, or of the short paths of its guide. */
export type OperationId = IdOf<Rows[keyof Rows] | (typeof aliases)[number]>

type Rows = { [R in keyof typeof operations]: (typeof operations)[R][keyof (typeof operations)[R]] }

type IdOf<Row> = Row extends `${infer Id extends keyof Contract} ${string}` ? Id : never

/** Makes a handler of one operation. */
export interface Handle<Id extends OperationId> {
  /** Answers a status of the contract; by default with the first of its examples. */
  <Status extends StatusOf<Id>>(
    status: Status,
    body?: BodyOf<Id, Status>,
    options?: AnswerOptions,
  ): HttpHandler
  /** Answers what a function gives; `undefined` leaves the request to the next handler. By default the first success. */
  (resolver?: Resolver<Id>, options?: Pick<AnswerOptions, 'once'>): HttpHandler
}

/**
 * Answers a request: with what `answer` makes, which is typed by the contract; or with a `Response` of your own for
 * what no contract has, such as `HttpResponse.error()` or the page of a proxy.
 */
export type Resolver<Id extends OperationId> = (
  asked: Asked<Id>,
) => Response | undefined | Promise<Response | undefined>

/** What was asked of an operation. */
export interface Asked<Id extends OperationId> {
  readonly request: Request
  /** Of the path, decoded. */
  readonly params: PathOf<Contract[Id]['parameters']>
  /** The JSON that was sent; typed by the contract, and not checked. */
  readonly body: ContentOf<Contract[Id]['requestBody']>
  /** Makes an answer of the contract; by default with the first example of the status. */
  answer<Status extends StatusOf<Id>>(
    status: Status,
    body?: BodyOf<Id, Status>,
    headers?: AnswerOptions['headers'],
  ): Response
}

/** What goes with an answer. */
export interface AnswerOptions {
  /** In place of those of the contract's examples, which ask to wait 2 seconds after 429 and 503. */
  readonly headers?: Readonly<Record<string, string>>
  /** Answers one request and then leaves the others to the next handler. Default: false. */
  readonly once?: boolean
}

type StatusOf<Id extends OperationId> = keyof Contract[Id]['responses'] & number

type BodyOf<Id extends OperationId, Status extends StatusOf<Id>> = ContentOf<
  Contract[Id]['responses'][Status]
>

type ContentOf<Body> = Body extends { content: infer Content } ? Content[keyof Content] : undefined

type PathOf<Parameters> = Parameters extends { path: infer Path } ? Path : Readonly<Record<never, never>>

/**
 * Handlers for Mock Service Worker (msw 2 and 3) that answer as the contract does, with its examples. Paths are
 * matched byte for byte: msw by itself takes a slash more at the end, and so would answer `createWebhook` on the path of
 * `listWebhooks`. What matches none is unhandled to msw, and its option says what becomes of it: `onUnhandledFrame` of
 * msw 3, `onUnhandledRequest` of msw 2.
 *
 * A status or a body that the contract does not have for the operation does not compile. Requests are not checked, and
 * nothing is kept. Where a success shows a value of the request, such as the amount of a transfer, it shows the one that was
 * sent, unless a function of yours makes the body.
 *
 * Throws `TypeError` where `baseUrl` is no absolute URL.
 *
 * @example
 * import { setupServer } from 'msw/node'
 *
 * const { handlers, handle } = mockPayments({ baseUrl: 'https://api.example.com' })
 * const server = setupServer(...handlers)
 * server.listen({ onUnhandledFrame: 'error' })
 *
 * server.use(handle.createTransfer(409))
 * server.use(handle.checkKey(({ body, answer }) => answer(body.dict_key === '11222333000181' ? 200 : 404)))
 * server.use(handle.listUsers(503, undefined, { once: true, headers: { 'retry-after': '0' } }))
 */
export function mockPayments({ baseUrl }: { readonly baseUrl: string }): MockedPayments {
  const base = new URL(baseUrl).href.replace(/\/+$/, '')
  const made = allOperations().map((operation) => [operation.operationId, handleOf(base, operation)] as const)
  return {
    handlers: made.map(([, handle]) => handle()),
    handle: Object.fromEntries(made) as unknown as MockedPayments['handle'],
  }
}

type Answer = (status: number, body?: unknown, headers?: AnswerOptions['headers']) => Response

/** The types above hold what comes in to the contract. */
type LooseResolver = (asked: {
  request: Request
  params: object
  body: unknown
  answer: Answer
}) => ReturnType<Resolver<'getUser'>>

function handleOf(base: string, operation: Operation) {
  const { status: success, takes, method, path } = operation
  const pattern = patternOf(base + path)
  const on = http[method.toLowerCase() as 'get' | 'post' | 'patch' | 'delete']

  const asking = (resolver: LooseResolver, { once = false }: AnswerOptions = {}) => {
    const answered = async ({ request }: { request: Request }) => {
      const body = takes === 'body' ? await bodyOf(request) : undefined
      return resolver({
        request,
        params: paramsOf(pattern, request),
        body,
        answer: answerTo(operation, body),
      })
    }
    return on(pattern, answered, { once })
  }

  return (given: number | LooseResolver = success, ...rest: unknown[]): HttpHandler => {
    if (typeof given === 'function') return asking(given, rest[0] as AnswerOptions)
    const [body, { headers, once = false } = {}] = rest as [unknown, AnswerOptions?]
    return asking(({ body: sent, answer }) => answer(given, shownBy(operation, given, sent, body), headers), {
      once,
    })
  }
}

/** What is no JSON is answered as a program answers it; a resolver may look at the request itself. */
function bodyOf(request: Request): Promise<unknown> {
  return request
    .clone()
    .json()
    .catch(() => undefined)
}

/** A regular expression, since msw does not normalize what it matches by one. */
function patternOf(url: string): RegExp {
  const literal = url.replace(/[.*+?^$()|[\]\\]/g, '\\$&')
  return new RegExp(`^${literal.replace(/\{(\w+)\}/g, '(?<$1>[^/]+)')}$`)
}

function paramsOf(pattern: RegExp, { url }: Request): Record<string, string> {
  const { origin, pathname } = new URL(url)
  const groups = Object.entries(pattern.exec(origin + pathname)?.groups ?? {})
  return Object.fromEntries(groups.map(([name, value]) => [name, decoded(value)]))
}

/** What is not well encoded stays as it came. */
function decoded(value: string): string {
  try {
    return decodeURIComponent(value)
  } catch {
    return value
  }
}

function answerTo(operation: Operation, sent: unknown): Answer {
  const { operationId: id } = operation
  return (status, body = shownBy(operation, status, sent), own) => {
    const merged = new Headers(headers[id]?.[status])
    // Set, since a name that is spelled otherwise would be joined.
    for (const [name, value] of Object.entries(own ?? {})) merged.set(name, value)
    return new Response(body === undefined ? null : JSON.stringify(body), { status, headers: merged })
  }
}

interface Fixture {
  readonly request?: object
  readonly response?: Readonly<Record<number, object>>
}

const examples: Readonly<Record<string, Fixture>> = fixtures

/** A body made before the request was known, by default the contract's first, with what was sent where a success shows it. */
function shownBy(
  operation: Operation,
  status: number,
  sent: unknown,
  body = exampleOf(operation.operationId, status),
): unknown {
  const copy = structuredClone(body)
  if (status === operation.status) mirror(operation, sent, copy)
  return copy
}

function exampleOf(id: string, status: number): unknown {
  return Object.values(examples[id]?.response?.[status] ?? {})[0]
}
