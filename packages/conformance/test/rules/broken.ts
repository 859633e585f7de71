import { createValidator } from '@partner-payments/validator'
import type { HttpRequest, HttpResponse } from '../../src/model/http.ts'
import type { Transport } from '../../src/transport/transport.ts'

/** Passes a request on. */
export type Next = (call: HttpRequest) => Promise<HttpResponse>

/** Stands in front of a right service and does one thing wrong. The operation is undefined where there is none. */
export type Fault = (call: HttpRequest, next: Next, operation: string | undefined) => Promise<HttpResponse>

const { findOperation } = createValidator()

/** A service that has a fault. What is behind it stays open. */
export function broken(transport: Transport, fault: Fault): Transport {
  const next: Next = (call) => transport.send(call)
  return { send: (call) => fault(call, next, operationOf(call)), close: async () => undefined }
}

function operationOf({ method, path }: HttpRequest): string | undefined {
  const found = findOperation(method, path.split('?')[0] ?? '')
  return found.found ? found.operation.id : undefined
}

/** Both faults in one service. */
export function both(outer: Fault, inner: Fault): Fault {
  return (call, next, called) => outer(call, (passed) => inner(passed, next, called), called)
}

/** Answers of one operation, or of all, with a change. */
export function alters(
  operation: string | undefined,
  change: (reply: HttpResponse, call: HttpRequest) => HttpResponse | Promise<HttpResponse>,
): Fault {
  return async (call, next, called) => {
    const reply = await next(call)
    return operation === undefined || called === operation ? change(reply, call) : reply
  }
}

/** Successes of one operation that show something else. */
export function shows(operation: string, change: (body: Body) => unknown): Fault {
  return alters(operation, (reply) => (isSuccess(reply) ? withBody(reply, change) : reply))
}

/** Requests of one operation with a change, as if the service read them so. */
export function reads(operation: string | undefined, change: (call: HttpRequest) => HttpRequest): Fault {
  return (call, next, called) => next(operation === undefined || called === operation ? change(call) : call)
}

/** A service that refuses all that it is asked for by one operation. */
export function refuses(operation: string, status = 422): Fault {
  return alters(operation, refusing(status))
}

/** An answer whose body is JSON, with a change to it. */
export function withBody(reply: HttpResponse, change: (body: Body) => unknown): HttpResponse {
  return reply.text === '' ? reply : { ...reply, text: JSON.stringify(change(JSON.parse(reply.text))) }
}

/** A page whose items are others: those of the one array that it holds. */
export function withItems(reply: HttpResponse, change: (items: readonly Body[]) => unknown): HttpResponse {
  return withBody(reply, (body) => {
    const [name, items] = Object.entries(body).find(([, it]) => Array.isArray(it)) ?? []
    return name === undefined ? body : { ...body, [name]: change(items as Body[]) }
  })
}

/** Whether a transfer to a key has all that it needs, so that nothing but what is looked at can be wrong with it. */
export function isWhole({ type, dict_key, initiation_id, amount }: Body): boolean {
  return type === 'dict' && dict_key !== undefined && initiation_id !== undefined && amount !== undefined
}

/** JSON that a test knows the form of. */
// biome-ignore lint/suspicious/noExplicitAny: it is the test that knows
export type Body = any

/** An answer without a header, or with another value of it. */
export function withHeader(reply: HttpResponse, name: string, value?: string): HttpResponse {
  const { [name]: _, ...rest } = reply.headers
  return { ...reply, headers: value === undefined ? rest : { ...rest, [name]: value } }
}

/** A success of JSON. */
export function ok(body: unknown, status = 200): HttpResponse {
  const headers = { 'content-type': 'application/json', 'x-request-id': 'req_made' }
  return { status, headers, text: JSON.stringify(body), ms: 0 }
}

/** Problem details. */
export function problem(status: number, code = 'refused'): HttpResponse {
  const body = { type: 'about:blank', title: 'Refused', status, code, request_id: 'req_made' }
  const made = withHeader(ok(body, status), 'content-type', 'application/problem+json')
  // Longer than anyone waits.
  return status === 429 ? withHeader(made, 'retry-after', '86400') : made
}

/** An answer that was a success becomes a refusal. */
export function refusing(status: number): (reply: HttpResponse) => HttpResponse {
  return (reply) => (isSuccess(reply) ? problem(status) : reply)
}

export function isSuccess({ status }: HttpResponse): boolean {
  return status >= 200 && status < 300
}

/** The body of a request, where it is JSON. */
export function bodyOf(call: HttpRequest): Body {
  try {
    return JSON.parse(call.body ?? '{}') ?? {}
  } catch {
    return {}
  }
}

/** A service that does what it should have refused, where the request is of this kind. */
export function accepts(
  operation: string,
  isMeant: (body: Body, call: HttpRequest) => boolean = () => true,
  status = 200,
): Fault {
  return alters(operation, (reply, call) =>
    isSuccess(reply) || !isMeant(bodyOf(call), call) ? reply : ok({}, status),
  )
}

/** A service that takes everyone who is meant for the one who first came in with the same scheme. */
export function mistakes(operation: string, isMeant: (authorization: string) => boolean = () => true): Fault {
  const first = new Map<string, string>()
  return async (call, next, called) => {
    const { authorization = '' } = call.headers
    const kind = called === 'signIn' ? 'signIn' : 'rest'
    const known = first.get(kind)
    const isTaken = called === operation && known !== undefined && isMeant(authorization)
    const reply = await next(isTaken ? { ...call, headers: { ...call.headers, authorization: known } } : call)
    if (known === undefined && isSuccess(reply) && authorization !== '') first.set(kind, authorization)
    return reply
  }
}

/** A service that answers all that ask for the same at once as it answers the first. */
export function race(operation: string): Fault {
  const under = new Map<string | undefined, Promise<HttpResponse>>()
  return async (call, next, called) => {
    if (called !== operation) return next(call)
    const reply = under.get(call.body) ?? next(call)
    under.set(call.body, reply)
    return reply.finally(() => under.delete(call.body))
  }
}
