import type { AppOptions } from '@partner-payments/sandbox'
import { by, type Call, keepsContract, type OperationId, withBody } from './call.ts'
import { bodyOf, isJson, type Json, problem, withJson } from './responses.ts'
import type { Relay, TestSandbox } from './sandbox.ts'
import { callerOf } from './state.ts'

/** How a service differs from the sandbox. */
export interface Service {
  readonly wrap?: Wrap | undefined
  /** Handles deliveries between the service and its receivers. */
  readonly relay?: Relay | undefined
  readonly options?: AppOptions
  readonly prepare?: (sandbox: TestSandbox) => unknown
  /** Other targets of the short paths; null for one that is not served. */
  readonly guide?: Readonly<Record<string, Short | null>>
  /** Option values that a user sets for this service. */
  readonly values?: Readonly<Record<string, Readonly<Record<string, unknown>>>>
}

/** Services by their names. */
export type Services = Readonly<Record<string, Service>>

/** The full path of a short one, and the conversions of request and response. */
export interface Short {
  readonly path: string
  readonly ask?: (body: Json) => Json
  readonly show?: (body: Json) => Json
}

export type Next = (call: Call) => Promise<Response>

/** Wraps a service: gets each call, and returns the response. */
export type Wrap = (call: Call, next: Next, sandbox: TestSandbox) => Response | Promise<Response>

/** The calls that a change concerns: those of an operation, of all that match, or all. */
export type Scope = OperationId | RegExp | undefined

/** Changes or judges the body of a request or a response. */
export type OfBody = (body: Json, call: Call, sandbox: TestSandbox) => unknown

/** Handles the calls of some operations. */
export function handle(scope: Scope, wrap: Wrap): Service {
  const isMeant = (operation = '') =>
    scope instanceof RegExp ? scope.test(operation) : scope === undefined || scope === operation
  return {
    wrap: (call, next, sandbox) => (isMeant(call.operation) ? wrap(call, next, sandbox) : next(call)),
  }
}

/** Changes each response. */
export function changeResponse(
  scope: Scope,
  change: (response: Response, call: Call, sandbox: TestSandbox) => Response | Promise<Response>,
): Service {
  return handle(scope, async (call, next, sandbox) => {
    const response = await next(call)
    // A network error means that no response is sent, which a sandbox fault can cause.
    return response.type === 'error' ? response : change(response, call, sandbox)
  })
}

/** Changes the body of each success, or does something after it; undefined leaves it as it is. */
export function changeSuccess(scope: Scope, change: OfBody): Service {
  return changeResponse(scope, async (response, call, sandbox) => {
    if (!response.ok) return response
    const body = await change((await bodyOf(response)) ?? {}, call, sandbox)
    return body === undefined || response.status === 204 ? response : withJson(response, body)
  })
}

/** Changes calls before they reach the service. */
export function changeCall(
  scope: Scope,
  change: (call: Call, sandbox: TestSandbox) => Call | Promise<Call>,
): Service {
  return handle(scope, async (call, next, sandbox) => next(await change(call, sandbox)))
}

/** Changes the body of a request before it reaches the service, to hide what is wrong with it. */
export function changeRequest(scope: Scope, change: OfBody): Service {
  return changeCall(scope, async (call, sandbox) => {
    const body = call.json ? await change(call.json, call, sandbox) : undefined
    // An unchanged body is sent with its original bytes: with its spaces, length and duplicate fields.
    return isJson(body) && JSON.stringify(body) !== JSON.stringify(call.json) ? withBody(call, body) : call
  })
}

/** Refuses valid requests, or fails on them. Invalid requests are still refused as before. */
export function refuse(
  scope: Scope,
  [status, code]: readonly [status: number, code: string],
  test: OfBody,
): Service {
  return handle(scope, async (call, next, sandbox) => {
    const isValid = keepsContract(call) && (await callerOf(call, sandbox))
    return isValid && (await test(call.json ?? {}, call, sandbox)) ? problem(status, code) : next(call)
  })
}

/** Performs a call that was refused as the partner who may make it. */
export const asOwner: Wrap = async (call, next, { bearer }) => {
  const response = await next(call)
  if (response.status !== 404) return response
  for (const who of ['partner', 'other'] as const) {
    const response = await next(by(call, await bearer(who)))
    if (response.ok) return response
  }
  return response
}

/** Refuses an initiation_id this long after it was issued, earlier than the sandbox does. */
export function initiationsFor(ms: number): Service {
  const wrap: Wrap = async (call, next, sandbox) => {
    const { app, memory } = sandbox
    const at = call.operation === 'createTransfer' ? memory.get(call.json?.initiation_id) : undefined
    const isLate = at !== undefined && app.clock.now() - Number(at) > ms && keepsContract(call)
    if (isLate && (await callerOf(call, sandbox))) return problem(422, 'initiation_invalid')
    const response = await next(call)
    if (call.operation === 'checkKey') memory.set((await bodyOf(response))?.initiation_id, app.clock.now())
    return response
  }
  return { wrap }
}

/** Combines services whose other parts differ; the first is the outermost. */
export function together(outer: Service, inner: Service, ...rest: readonly Service[]): Service {
  const wrap = outer.wrap && inner.wrap ? both(outer.wrap, inner.wrap) : (inner.wrap ?? outer.wrap)
  const relay = outer.relay && inner.relay ? relayed(outer.relay, inner.relay) : (inner.relay ?? outer.relay)
  const two = { ...outer, ...inner, wrap, relay }
  const [next, ...others] = rest
  return next ? together(two, next, ...others) : two
}

function both(outer: Wrap, inner: Wrap): Wrap {
  return (call, next, sandbox) => outer(call, async (it) => inner(it, next, sandbox), sandbox)
}

function relayed(outer: Relay, inner: Relay): Relay {
  return (posted, send, sandbox) => inner(posted, (it) => outer(it, send, sandbox), sandbox)
}
