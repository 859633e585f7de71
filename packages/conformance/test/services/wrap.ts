import { by, type Call, callOf, keepsContract, type OperationId, requestOf, withBody } from './call.ts'
import { isJson, type Json } from './json.ts'
import { bodyOf, problem, withJson } from './responses.ts'
import type { TestSandbox } from './sandbox.ts'

export type Next = (call: Call) => Promise<Response>

/** Wraps a service: gets each call, and returns the response. */
export type Wrap = (sandbox: TestSandbox) => (call: Call, next: Next) => Promise<Response>

/** Decides whether a wrap applies. */
export type Test = (body: Json, call: Call, sandbox: TestSandbox) => unknown

/** A wrapped service. The page and the control API are not wrapped. */
export function wrapped(sandbox: TestSandbox, wrap: Wrap): (request: Request) => Promise<Response> {
  const { fetch } = sandbox.app
  const service = wrap(sandbox)
  return async (request) => {
    const { pathname } = new URL(request.url)
    if (!pathname.startsWith('/mobile-bff/')) return fetch(request)
    return service(await callOf(request), (call) => fetch(requestOf(call)))
  }
}

/** Changes every response, optionally of one operation. */
export function changeResponse(
  id: OperationId | undefined,
  change: (response: Response, call: Call, sandbox: TestSandbox) => Response | Promise<Response>,
): Wrap {
  return (sandbox) => async (call, next) => {
    const response = await next(call)
    // A network error means that no response is sent, which a sandbox fault can cause.
    const isMeant = response.type !== 'error' && (id === undefined || call.operation === id)
    return isMeant ? change(response, call, sandbox) : response
  }
}

/** Changes the body of each success of an operation. */
export function changeSuccess(
  id: OperationId,
  change: (body: Json, call: Call, sandbox: TestSandbox) => unknown,
): Wrap {
  return changeResponse(id, async (response, call, sandbox) => {
    const body = response.ok ? await bodyOf(response) : undefined
    return body ? withJson(response, await change(body, call, sandbox)) : response
  })
}

/** Changes each refusal. */
export function refusal(change: (response: Response, call: Call) => Response | Promise<Response>): Wrap {
  return changeResponse(undefined, (response, call) =>
    response.status >= 400 ? change(response, call) : response,
  )
}

/** Changes calls of an operation before they reach the service. */
export function before(
  id: OperationId | undefined,
  change: (call: Call, sandbox: TestSandbox) => Call | Promise<Call>,
): Wrap {
  return (sandbox) => async (call, next) =>
    next(id === undefined || call.operation === id ? await change(call, sandbox) : call)
}

/** Changes the body of a request before it reaches the service, to hide what is wrong with it. */
export function ask(
  id: OperationId,
  change: (body: Json, call: Call, sandbox: TestSandbox) => unknown,
): Wrap {
  return before(id, async (call, sandbox) => {
    const body = call.json ? await change(call.json, call, sandbox) : undefined
    // An unchanged body is sent with its original bytes: with its spaces, length and duplicate fields.
    return isJson(body) && JSON.stringify(body) !== JSON.stringify(call.json) ? withBody(call, body) : call
  })
}

/** Refuses valid requests, or fails on them. Invalid requests are still refused as before. */
export function refuse(
  id: OperationId,
  test: Test,
  [status, code]: readonly [status: number, code: string],
): Wrap {
  return (sandbox) => async (call, next) => {
    const isMeant =
      call.operation === id && keepsContract(call) && (await test(call.json ?? {}, call, sandbox))
    return isMeant && (await isSignedIn(call, sandbox)) ? problem(status, code) : next(call)
  }
}

/** What a caller gets for a list that only a partner may read. */
function usersFor({ headers }: Call, { send }: TestSandbox): Promise<Json> {
  return send('GET', '/partner/user', { authorization: headers.get('authorization') })
}

/** Whether a call is by a partner for itself, not for a customer. */
export async function isPartner(call: Call, sandbox: TestSandbox): Promise<boolean> {
  return (await usersFor(call, sandbox)).users !== undefined
}

async function isSignedIn(call: Call, sandbox: TestSandbox): Promise<boolean> {
  return (await usersFor(call, sandbox)).status !== 401
}

/** Performs a call that was refused as the partner who may make it. */
export function asOwner(...ids: readonly OperationId[]): Wrap {
  return (sandbox) => async (call, next) => {
    const response = await next(call)
    if (!ids.some((id) => id === call.operation) || response.status !== 404) return response
    for (const who of ['partner', 'other'] as const) {
      const response = await next(by(call, await sandbox.bearer(who)))
      if (response.ok) return response
    }
    return response
  }
}

/** Combines two wraps; the first is the outer one. */
export function both(outer: Wrap, inner: Wrap): Wrap {
  return (sandbox) => {
    const [first, second] = [outer(sandbox), inner(sandbox)]
    return (call, next) => first(call, (it) => second(it, next))
  }
}

/** Runs work after an operation has succeeded, before the response is sent. */
export function after(
  id: OperationId,
  work: (body: Json, call: Call, sandbox: TestSandbox) => Promise<void>,
): Wrap {
  return changeResponse(id, async (response, call, sandbox) => {
    if (response.ok) await work((await bodyOf(response)) ?? {}, call, sandbox)
    return response
  })
}
