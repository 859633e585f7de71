import type { Finding } from '@partner-payments/validator'
import type { Caller } from '../auth/caller.ts'
import { callerOf } from '../auth/tokens.ts'
import type { Context } from '../context.ts'
import type { OperationId } from '../contract.ts'
import type { Handler } from '../handler.ts'
import { handlers } from '../handlers.ts'
import { problemIn, Refusal } from '../problems.ts'
import { alphanumeric } from '../random.ts'
import type { Rejection } from '../transfers/rejections.ts'
import { hasBody, parseJson, readBytes } from './body.ts'
import { refuseFindings } from './findings.ts'
import type { Match, Route, Router } from './routes.ts'
import { dropUnknown } from './unknown.ts'

/** What is told of a request that was answered. Nothing in it is secret or personal but the partner. */
export interface Answered {
  readonly request_id: string
  /** Milliseconds since 1970, by the clock of the sandbox. */
  readonly at: number
  readonly method: string
  /** Without its query. */
  readonly path: string
  readonly operation: OperationId | undefined
  /** 0 where no answer was given on purpose. */
  readonly status: number
  readonly duration_ms: number
  readonly partner_id: string | undefined
  /** What the request broke of the contract. */
  readonly findings: readonly Finding[]
  /** The code of the refusal, where it was one. */
  readonly code: string | undefined
  /** What was thrown, where it was no refusal. */
  readonly error: unknown
}

/** Both sides as they were, with their secrets: nothing of it may be shown or kept as it is. */
export interface Exchange {
  readonly requestHeaders: Headers
  readonly query: string
  /** Undefined where the request was refused before its body was read. */
  readonly received: Uint8Array | ArrayBuffer | undefined
  /** Undefined where none was made; one that was made may have been lost on purpose. */
  readonly response: Sent | undefined
}

interface Sent {
  readonly headers: Readonly<Record<string, string>>
  readonly text: string
}

/** What goes wrong on purpose with one request. An answer that is a network error stands for none at all. */
export interface Disturbance {
  /** Before the operation is done; an answer is given instead of doing it. */
  readonly before?: () => Promise<Response | undefined>
  /** After it is done. */
  readonly after?: (answer: Response) => Promise<Response>
  /** What becomes of the transfer that the request makes. */
  readonly rejection?: Rejection
}

export interface ServiceOptions {
  readonly context: Context
  readonly router: Router
  readonly observe?: (answered: Answered) => void
  /** Keeps both sides, secrets too; apart from `observe`, which anyone may log. */
  readonly keep?: ((answered: Answered, exchange: Exchange) => void) | undefined
  readonly disturb?: (operation: OperationId, request: Request) => Disturbance | undefined
  /** Whether answers are held to the contract too; one that breaks it becomes a 500. Off by default. */
  readonly checksAnswers?: boolean
  /** The page that explains each error code under an anchor: the `type` of each problem leads there. None by default. */
  readonly errorCatalogue?: string | undefined
}

/** The service: the operations of the contract and of the guide, from a request to an answer. Never rejects. */
export type Service = (request: Request) => Promise<Response>

/** What becomes known of a request on its way. */
interface Passage {
  readonly request: Request
  readonly request_id: string
  readonly path: string
  readonly query: string
  match?: Match
  caller?: Caller
  findings?: readonly Finding[]
  received?: Uint8Array | ArrayBuffer
  sent?: Sent
  code?: string
  rejection?: Rejection | undefined
}

export function createService(options: ServiceOptions): Service {
  const { context, observe, keep } = options
  return async (request) => {
    const began = performance.now()
    const passage = passageOf(request, `req_${alphanumeric(context.random, 20)}`)
    const { answer, error } = await answerTo(passage, options)
    const duration_ms = performance.now() - began
    const answered = toldOf(passage, answer, error, { at: context.now(), duration_ms })
    observe?.(answered)
    keep?.(answered, exchangeOf(passage))
    return request.method === 'HEAD' && answer.status !== 0 ? new Response(null, answer) : answer
  }
}

function passageOf(request: Request, request_id: string): Passage {
  const { url } = request
  const start = url.indexOf('/', url.indexOf('//') + 2)
  const mark = url.indexOf('?', start)
  const path = url.slice(start, mark === -1 ? undefined : mark)
  return { request, request_id, path, query: mark === -1 ? '' : url.slice(mark) }
}

async function answerTo(passage: Passage, options: ServiceOptions) {
  const { request, request_id, path } = passage
  try {
    passage.match = options.router(request.method, path)
    const disturbance = options.disturb?.(passage.match.route.id, request)
    passage.rejection = disturbance?.rejection
    const instead = await disturbance?.before?.()
    const answer = instead ?? (await perform(passage, passage.match, options))
    return { answer: (await disturbance?.after?.(answer)) ?? answer, error: undefined }
  } catch (error) {
    const problem = problemIn(error, request_id, options.errorCatalogue)
    const { status, headers, text } = problem
    passage.sent = problem
    passage.code = problem.code
    return {
      answer: new Response(text, { status, headers }),
      error: error instanceof Refusal ? undefined : error,
    }
  }
}

/** The border, then the operation: who, then what, then whether it may be done. */
async function perform(passage: Passage, { route, path }: Match, options: ServiceOptions): Promise<Response> {
  const { context } = options
  const authorization = passage.request.headers.get('authorization')
  if (route.id !== 'signIn') passage.caller = await permitted(context, route, authorization)
  const body = await bodyOf(passage, route)
  const query = Object.fromEntries(new URLSearchParams(passage.query))
  const { caller, rejection } = passage
  const call = { body, path, query, caller, authorization, context, rejection }
  // The border has seen to it that the call is one of this operation, which no type can follow by an id.
  const result = await (handlers[route.id] as Handler<never>)(call as never)
  return answerOf(passage, route, route.toAnswer && result ? route.toAnswer(result) : result, options)
}

async function permitted(context: Context, route: Route, authorization: string | null): Promise<Caller> {
  const caller = await callerOf(context, authorization)
  if (route.isPartners && caller.customer_id !== null) throw new Refusal('wrong_token_kind')
  return caller
}

async function bodyOf(passage: Passage, route: Route): Promise<unknown> {
  const { request, path, query } = passage
  const { method } = route.operation
  const bytes = route.takesBody || hasBody(request) ? await readBytes(request) : EMPTY
  passage.received = bytes
  const type = request.headers.get('content-type')
  const isJson = type === null || /^\s*application\/json\s*(;|$)/i.test(type)
  // What is no JSON is not read as such; the contract says what it had to be.
  const body = route.takesBody ? (isJson ? parseJson(bytes) : bytes) : undefined
  const headers = type === null ? {} : { 'content-type': type }
  const found = route.validator.validateRequest({ method, path, query, headers, body }, { unknown: true })
  passage.findings = found.filter(({ keyword }) => keyword !== 'unknown')
  refuseFindings(passage.findings)
  dropUnknown(body, found)
  return route.toBody && body ? route.toBody(body) : body
}

const EMPTY = new Uint8Array()

function answerOf(
  passage: Passage,
  route: Route,
  body: unknown,
  { checksAnswers }: ServiceOptions,
): Response {
  const headers: Record<string, string> = { 'x-request-id': passage.request_id }
  if (body !== undefined) headers['content-type'] = 'application/json'
  if (checksAnswers) holdToContract(route, headers, body)
  const text = body === undefined ? '' : JSON.stringify(body)
  passage.sent = { headers, text }
  return new Response(text || null, { status: route.status, headers })
}

function holdToContract(
  { validator, operation, status }: Route,
  headers: Record<string, string>,
  body: unknown,
) {
  const [first] = validator.validateResponse(operation, { status, headers, body }, { unknown: true })
  if (first)
    throw new Error(
      `the response of ${operation.id} breaks the contract at "${first.pointer}": ${first.message}`,
    )
}

function exchangeOf({ request, query, received, sent }: Passage): Exchange {
  return { requestHeaders: request.headers, query, received, response: sent }
}

function toldOf(
  { request, request_id, path, match, caller, findings = [], code }: Passage,
  { status }: Response,
  error: unknown,
  times: Pick<Answered, 'at' | 'duration_ms'>,
): Answered {
  const operation = match?.route.id
  const { method } = request
  return {
    request_id,
    method,
    path,
    operation,
    status,
    partner_id: caller?.partner_id,
    findings,
    code,
    error,
    ...times,
  }
}
