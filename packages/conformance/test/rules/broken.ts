import { createValidator } from '@partner-payments/validator'
import type { HttpRequest, HttpResponse } from '../../src/model/http.ts'
import type { Transport } from '../../src/transport/transport.ts'

/** Passes a request on. */
export type Next = (call: HttpRequest) => Promise<HttpResponse>

/** Wraps a correct service and does one thing wrong. The operation is undefined for an unknown path. */
export type Fault = (call: HttpRequest, next: Next, operation: string | undefined) => Promise<HttpResponse>

const { findOperation } = createValidator()

/** A service with a fault. Closing it leaves the inner transport open. */
export function broken(transport: Transport, fault: Fault): Transport {
  const next: Next = (call) => transport.send(call)
  return { send: (call) => fault(call, next, operationOf(call)), close: async () => undefined }
}

function operationOf({ method, path }: HttpRequest): string | undefined {
  const found = findOperation(method, path.split('?')[0] ?? '')
  return found.found ? found.operation.id : undefined
}

/** Combines two faults. */
export function both(outer: Fault, inner: Fault): Fault {
  return (call, next, called) => outer(call, (passed) => inner(passed, next, called), called)
}

/** Changes the responses of one operation, or of all. */
export function alters(
  operation: string | undefined,
  change: (response: HttpResponse, call: HttpRequest) => HttpResponse | Promise<HttpResponse>,
): Fault {
  return async (call, next, called) => {
    const response = await next(call)
    return operation === undefined || called === operation ? change(response, call) : response
  }
}

/** Changes the body of the successes of one operation. */
export function shows(operation: string, change: (body: Body) => unknown): Fault {
  return alters(operation, (response) => (isSuccess(response) ? withBody(response, change) : response))
}

/** Changes the requests of one operation before the service reads them. */
export function reads(operation: string | undefined, change: (call: HttpRequest) => HttpRequest): Fault {
  return (call, next, called) => next(operation === undefined || called === operation ? change(call) : call)
}

/** A service that refuses all requests of one operation. */
export function refuses(operation: string, status = 422): Fault {
  return alters(operation, refusing(status))
}

/** Changes the JSON body of a response. */
export function withBody(response: HttpResponse, change: (body: Body) => unknown): HttpResponse {
  return response.text === ''
    ? response
    : { ...response, text: JSON.stringify(change(JSON.parse(response.text))) }
}

/** Changes the items of a page, which are its only array. */
export function withItems(response: HttpResponse, change: (items: readonly Body[]) => unknown): HttpResponse {
  return withBody(response, (body) => {
    const [name, items] = Object.entries(body).find(([, it]) => Array.isArray(it)) ?? []
    return name === undefined ? body : { ...body, [name]: change(items as Body[]) }
  })
}

/** JSON of a form that the test knows. */
// biome-ignore lint/suspicious/noExplicitAny: it is the test that knows
export type Body = any

/** Sets or removes a header of a response. */
export function withHeader(response: HttpResponse, name: string, value?: string): HttpResponse {
  const { [name]: _, ...rest } = response.headers
  return { ...response, headers: value === undefined ? rest : { ...rest, [name]: value } }
}

/** A success with a JSON body. */
export function ok(body: unknown, status = 200): HttpResponse {
  const headers = { 'content-type': 'application/json', 'x-request-id': 'req_made' }
  return { status, headers, text: JSON.stringify(body), ms: 0 }
}

/** Problem details. */
export function problem(status: number, code = 'refused'): HttpResponse {
  const body = { type: 'about:blank', title: 'Refused', status, code, request_id: 'req_made' }
  const made = withHeader(ok(body, status), 'content-type', 'application/problem+json')
  // Longer than the client waits.
  return status === 429 ? withHeader(made, 'retry-after', '86400') : made
}

/** Turns a success into a refusal. */
export function refusing(status: number): (response: HttpResponse) => HttpResponse {
  return (response) => (isSuccess(response) ? problem(status) : response)
}

export function isSuccess({ status }: HttpResponse): boolean {
  return status >= 200 && status < 300
}

/** The body of a request, if it is JSON. */
export function bodyOf(call: HttpRequest): Body {
  try {
    return JSON.parse(call.body ?? '{}') ?? {}
  } catch {
    return {}
  }
}

/** A service that performs matching requests that it should refuse. */
export function accepts(
  operation: string,
  isMeant: (body: Body, call: HttpRequest) => boolean = () => true,
  status = 200,
): Fault {
  return alters(operation, (response, call) =>
    isSuccess(response) || !isMeant(bodyOf(call), call) ? response : ok({}, status),
  )
}

/** A service that confuses matching callers with the first one of the same scheme. */
export function mistakes(operation: string, isMeant: (authorization: string) => boolean = () => true): Fault {
  const first = new Map<string, string>()
  return async (call, next, called) => {
    const { authorization = '' } = call.headers
    const kind = called === 'signIn' ? 'signIn' : 'rest'
    const known = first.get(kind)
    const isTaken = called === operation && known !== undefined && isMeant(authorization)
    const response = await next(
      isTaken ? { ...call, headers: { ...call.headers, authorization: known } } : call,
    )
    if (known === undefined && isSuccess(response) && authorization !== '') first.set(kind, authorization)
    return response
  }
}

/** A service that responds to concurrent identical requests with the response to the first. */
export function race(operation: string): Fault {
  const under = new Map<string | undefined, Promise<HttpResponse>>()
  return async (call, next, called) => {
    if (called !== operation) return next(call)
    const response = under.get(call.body) ?? next(call)
    under.set(call.body, response)
    return response.finally(() => under.delete(call.body))
  }
}
