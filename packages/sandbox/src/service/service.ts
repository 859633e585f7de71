import type { Finding } from '@partner-payments/validator'
import { type Caller, createWriteWithToken, findCaller } from '../auth/tokens.ts'
import { refusalOfToken } from '../behaviour.ts'
import type { Context } from '../context.ts'
import type { OperationId } from '../contract.ts'
import type { Handler } from '../handler.ts'
import { handlers } from '../handlers.ts'
import { createProblem, Refusal } from '../problems.ts'
import { alphanumeric } from '../random.ts'
import type { Rejection } from '../transfers/rejections.ts'
import { hasBody, isJsonType, parseJson, readBytes } from './body.ts'
import { dropUnknown, requireNoFindings } from './findings.ts'
import { type RequestTarget, splitUrl } from './request-url.ts'
import type { Match, Route, Router } from './routes.ts'

/**
 * A handled request, for logs and metrics. Except for the partner, it contains nothing secret or
 * personal.
 */
export interface HandledRequest {
  readonly request_id: string
  /** Milliseconds since 1970, by the clock of the sandbox. */
  readonly at: number
  readonly method: string
  /** Without the query. */
  readonly path: string
  readonly operation: OperationId | undefined
  /** 0 if no response was sent on purpose. */
  readonly status: number
  readonly duration_ms: number
  readonly partner_id: string | undefined
  readonly findings: readonly Finding[]
  /** The code of the refusal, if it was refused. */
  readonly code: string | undefined
  /** The error, if it was not a refusal. */
  readonly error: unknown
}

/** Request and response in full, with secrets. Mask them before showing or storing them. */
export interface Exchange {
  readonly query: string
  readonly request: Message
  /** Undefined if there was none. A fault may still have lost it on the way. */
  readonly response: Message | undefined
}

export interface Message {
  readonly headers: Iterable<readonly [name: string, value: string]>
  /** Undefined if the request was refused before its body was read. */
  readonly body: Uint8Array | ArrayBuffer | string | undefined
}

/**
 * A fault for one request: performs the operation or not, and returns what to respond. A network
 * error means that no response is sent.
 */
export type PerformWithFault = (perform: Perform) => Promise<Response>

/** @param rejection the rejection of the transfer that the request creates */
type Perform = (rejection?: Rejection) => Promise<Response>

export interface ServiceOptions {
  readonly context: Context
  readonly router: Router
  readonly observe?: (handled: HandledRequest) => void
  /**
   * Receives request and response with secrets. Separate from `observe`, whose data may be logged.
   */
  readonly keep?: ((handled: HandledRequest, exchange: Exchange) => void) | undefined
  /** Takes the fault for a request, which uses up its rule; undefined if there is none. */
  readonly takeFault?: (operation: OperationId, request: Request) => PerformWithFault | undefined
  /**
   * Whether to check responses against the contract. An invalid one becomes a 500. Off by default.
   */
  readonly checksResponses?: boolean
  /**
   * The page that explains each error code under an anchor: the `type` of each problem leads there.
   * None by default.
   */
  readonly errorCatalogue?: string | undefined
}

/** The service: all operations of the contract and the guide. Never rejects. */
export type Service = (request: Request) => Promise<Response>

/** A request on its way through the service. */
interface Incoming extends RequestTarget {
  readonly request: Request
  readonly request_id: string
  readonly notes: Notes
}

/**
 * What the observers learn of a request, in the order in which it is noted. A field is absent if the
 * request did not get so far. Nothing that handles the request reads the notes.
 */
interface Notes {
  operation?: OperationId
  caller?: Caller
  received?: Uint8Array | ArrayBuffer
  findings?: readonly Finding[]
  code?: string
  sent?: Message
}

/**
 * Creates the service: a function from request to response for all operations of the contract. It
 * reports each request to `observe`, without secrets, and to `keep`, with headers and bodies.
 */
export function createService(options: ServiceOptions): Service {
  const { context, observe, keep } = options
  return async (request) => {
    const began = performance.now()
    const { path, query } = splitUrl(request.url)
    const request_id = `req_${alphanumeric(context.random, 20)}`
    // Filled in while the request is handled, for the observers alone.
    const notes: Notes = {}
    const { response, error } = await handle({ request, request_id, path, query, notes }, options)
    const handled: HandledRequest = {
      request_id,
      at: context.now(),
      method: request.method,
      path,
      operation: notes.operation,
      status: response.status,
      duration_ms: performance.now() - began,
      partner_id: notes.caller?.partner_id,
      findings: notes.findings ?? [],
      code: notes.code,
      error,
    }
    observe?.(handled)
    keep?.(handled, {
      query,
      request: { headers: request.headers, body: notes.received },
      response: notes.sent,
    })

    // Status 0 means that no response is sent.
    const isHead = request.method === 'HEAD' && response.status !== 0
    return isHead ? new Response(null, response) : response
  }
}

/**
 * Finds the operation of a request and performs it; with a fault, if a tester has asked for one. An
 * error becomes a response with problem details. Resolves with the response, and with the error if
 * it is a bug and no refusal.
 */
async function handle(incoming: Incoming, options: ServiceOptions) {
  const { request, request_id, path, notes } = incoming
  // Undefined in the refusal of a path that leads to no operation.
  let route: Route | undefined
  try {
    const match = options.router(request.method, path)
    route = match.route
    notes.operation = route.id
    const response = await performWithFault(incoming, match, options)
    return { response, error: undefined }
  } catch (error) {
    const { code, status, headers, text } = createProblem(error, request_id, options.errorCatalogue)
    notes.code = code
    const response = respond(notes, route, { status, headers, text })
    const isBug = !(error instanceof Refusal)
    return { response, error: isBug ? error : undefined }
  }
}

/** Performs an operation, with the fault that a tester has asked for if there is one. */
function performWithFault(
  incoming: Incoming,
  match: Match,
  options: ServiceOptions,
): Promise<Response> {
  const fault = options.takeFault?.(match.route.id, incoming.request)
  if (!fault) return perform(incoming, match, options)
  return fault((rejection) => perform(incoming, match, options, rejection))
}

/**
 * Authenticates the caller and validates the request, then performs the operation and returns its
 * response.
 *
 * @param rejection makes a transfer be rejected with this code, for a fault rule
 */
async function perform(
  incoming: Incoming,
  { route, path }: Match,
  options: ServiceOptions,
  rejection?: Rejection,
): Promise<Response> {
  const { context } = options
  const { request, notes } = incoming
  const handler = requireHandler(route)
  const authorization = request.headers.get('authorization')
  // A sign-in has no token yet.
  const isSignIn = route.id === 'signIn'
  const caller = isSignIn ? undefined : await identifyCaller(context, route, authorization)
  if (caller) notes.caller = caller

  const body = await readBody(incoming, route)
  const query = Object.fromEntries(new URLSearchParams(incoming.query))
  const writeWithToken = caller && createWriteWithToken(context.store, authorization)
  const call = { body, path, query, caller, authorization, writeWithToken, context, rejection }
  // The validation made sure that the call fits the operation. TypeScript cannot follow that
  // through the id.
  const result = await handler(call as never)
  return createResponse(incoming, route, result, options)
}

/**
 * The function that performs an operation.
 *
 * @throws {Refusal} 501 if the contract has an operation that the sandbox does not perform yet
 */
function requireHandler({ id }: Route): Handler<never> {
  const handler: Handler<never> | undefined = handlers[id]
  if (handler) return handler

  const detail = `The sandbox does not perform ${id} yet: add its handler to packages/sandbox/src/handlers.ts.`
  throw new Refusal('internal_error', { status: 501, detail })
}

/**
 * Returns the partner, and the customer it acts for, that the token identifies. Some operations
 * take only the token of a partner.
 *
 * @throws {Refusal} if the token is not accepted, or may not call the operation
 */
async function identifyCaller(
  context: Context,
  route: Route,
  authorization: string | null,
): Promise<Caller> {
  const caller = await findCaller(context, authorization)
  if (route.isForPartnersOnly) requirePartner(caller)
  return caller
}

/** Throws the refusal of a customer's token, by an operation for partners. */
function requirePartner({ customer_id }: Caller): void {
  const kind = customer_id === null ? 'partner' : 'customer'
  const refusal = refusalOfToken(kind)
  if (refusal !== undefined) throw new Refusal(refusal)
}

/**
 * Reads the body, and validates the request with it.
 *
 * @returns the body without unknown fields; undefined if the operation takes none
 * @throws {Refusal} if the request breaks the contract
 */
async function readBody(incoming: Incoming, route: Route): Promise<unknown> {
  const { request, notes } = incoming
  const type = request.headers.get('content-type')
  // A body that the operation does not take is read for the observers.
  const mustRead = route.takesBody || hasBody(request)
  const bytes = mustRead ? await readBytes(request) : EMPTY
  notes.received = bytes
  const body = route.takesBody ? parseBody(bytes, type) : undefined

  const findings = validateRequest(incoming, route, type, body)
  const violations = findings.filter(({ keyword }) => keyword !== 'unknown')
  notes.findings = violations
  requireNoFindings(violations)
  // An unknown field is no reason to refuse a request.
  dropUnknown(body, findings)
  return body
}

/** What is wrong with a request, and which of its fields the contract does not name. */
function validateRequest(
  { path, query }: Incoming,
  { validator, operation }: Route,
  type: string | null,
  body: unknown,
): Finding[] {
  const headers = type === null ? {} : { 'content-type': type }
  const message = { method: operation.method, path, query, headers, body }
  return validator.validateRequest(message, { unknown: true })
}

const EMPTY = new Uint8Array()

/** A body of another media type is not parsed; the validation reports the type. */
function parseBody(bytes: Uint8Array | ArrayBuffer, type: string | null): unknown {
  const isJson = type === null || isJsonType(type)
  return isJson ? parseJson(bytes) : bytes
}

/** The response to a request that succeeded, with `body` as JSON. */
function createResponse(
  incoming: Incoming,
  route: Route,
  body: unknown,
  { checksResponses }: ServiceOptions,
): Response {
  const headers: Record<string, string> = { 'x-request-id': incoming.request_id }
  if (body !== undefined) headers['content-type'] = 'application/json'
  // The short path of the guide shows fewer fields than the operation that it shortens.
  if (route.isAlias) dropUnknown(body, validateResponse(route, headers, body))
  if (checksResponses) requireContract(route, headers, body)

  const text = body === undefined ? '' : JSON.stringify(body)
  return respond(incoming.notes, route, { status: route.status, headers, text })
}

interface ResponseParts {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly text: string
}

/** Creates a response with the headers of its route, and notes it for the observers. */
function respond(
  notes: Notes,
  route: Route | undefined,
  { status, headers, text }: ResponseParts,
): Response {
  const sent = { ...headers, ...route?.deprecation }
  notes.sent = { headers: Object.entries(sent), body: text }
  return new Response(text || null, { status, headers: sent })
}

/**
 * Checks our own response against the contract.
 *
 * @throws {Error} if it breaks the contract, which is a bug of the sandbox
 */
function requireContract(route: Route, headers: Record<string, string>, body: unknown): void {
  const [first] = validateResponse(route, headers, body)
  if (!first) return

  const { id } = route.operation
  const { pointer, message } = first
  throw new Error(`the response of ${id} breaks the contract at "${pointer}": ${message}`)
}

/** What is wrong with our response, and which of its fields the contract does not name. */
function validateResponse(
  { validator, operation, status }: Route,
  headers: Record<string, string>,
  body: unknown,
): Finding[] {
  return validator.validateResponse(operation, { status, headers, body }, { unknown: true })
}
