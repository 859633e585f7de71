import { by, type Call, keepsContract, type OperationId, withBody } from './call.ts'
import { bodyOf, isJson, type Json, problem, withJson } from './responses.ts'
import type { TestSandbox } from './sandbox.ts'
import { callerOf } from './state.ts'

export type Next = (call: Call) => Promise<Response>

/** Wraps a service: gets each call, and returns the response. */
export type Wrap = (call: Call, next: Next, sandbox: TestSandbox) => Response | Promise<Response>

/** The calls that a wrap concerns: those of an operation, of all that match, or all. */
export type Scope = OperationId | RegExp | undefined

/** Changes or judges the body of a request or a response. */
export type OfBody = (body: Json, call: Call, sandbox: TestSandbox) => unknown

/** Wraps some operations only. */
export function within(scope: Scope, wrap: Wrap): Wrap {
  return (call, next, sandbox) => {
    const { operation = '' } = call
    const isMeant =
      scope instanceof RegExp ? scope.test(operation) : scope === undefined || scope === operation
    return isMeant ? wrap(call, next, sandbox) : next(call)
  }
}

/** Changes each response. */
export function changeResponse(
  scope: Scope,
  change: (response: Response, call: Call, sandbox: TestSandbox) => Response | Promise<Response>,
): Wrap {
  return within(scope, async (call, next, sandbox) => {
    const response = await next(call)
    // A network error means that no response is sent, which a sandbox fault can cause.
    return response.type === 'error' ? response : change(response, call, sandbox)
  })
}

/** Changes the body of each success; undefined leaves it as it is. */
export function changeSuccess(scope: Scope, change: OfBody): Wrap {
  return changeResponse(scope, async (response, call, sandbox) => {
    if (!response.ok) return response
    const body = await change((await bodyOf(response)) ?? {}, call, sandbox)
    return body === undefined || response.status === 204 ? response : withJson(response, body)
  })
}

/** Changes calls before they reach the service. */
export function before(
  scope: Scope,
  change: (call: Call, sandbox: TestSandbox) => Call | Promise<Call>,
): Wrap {
  return within(scope, async (call, next, sandbox) => next(await change(call, sandbox)))
}

/** Changes the body of a request before it reaches the service, to hide what is wrong with it. */
export function ask(scope: Scope, change: OfBody): Wrap {
  return before(scope, async (call, sandbox) => {
    const body = call.json ? await change(call.json, call, sandbox) : undefined
    // An unchanged body is sent with its original bytes: with its spaces, length and duplicate fields.
    return isJson(body) && JSON.stringify(body) !== JSON.stringify(call.json) ? withBody(call, body) : call
  })
}

/** Refuses valid requests, or fails on them. Invalid requests are still refused as before. */
export function refuse(
  scope: Scope,
  test: OfBody,
  [status, code]: readonly [status: number, code: string],
): Wrap {
  return within(scope, async (call, next, sandbox) => {
    const isValid = keepsContract(call) && (await callerOf(call, sandbox))
    return isValid && (await test(call.json ?? {}, call, sandbox)) ? problem(status, code) : next(call)
  })
}

/** Performs a call that was refused as the partner who may make it. */
export function asOwner(id: OperationId): Wrap {
  return within(id, async (call, next, { bearer }) => {
    const response = await next(call)
    if (response.status !== 404) return response
    for (const who of ['partner', 'other'] as const) {
      const response = await next(by(call, await bearer(who)))
      if (response.ok) return response
    }
    return response
  })
}

/** Combines wraps; the first is the outermost. */
export function both(outer: Wrap, inner: Wrap): Wrap {
  return (call, next, sandbox) => outer(call, async (it) => inner(it, next, sandbox), sandbox)
}

/** Refuses an initiation_id this long after it was issued, earlier than the sandbox does. */
export function initiationsFor(ms: number): Wrap {
  return async (call, next, sandbox) => {
    const { app, memory } = sandbox
    const at = call.operation === 'createTransfer' ? memory.get(call.json?.initiation_id) : undefined
    const isLate = at !== undefined && app.clock.now() - Number(at) > ms && keepsContract(call)
    if (isLate && (await callerOf(call, sandbox))) return problem(422, 'initiation_invalid')
    const response = await next(call)
    if (call.operation === 'checkKey') memory.set((await bodyOf(response))?.initiation_id, app.clock.now())
    return response
  }
}
