import type { AppOptions } from '@partner-payments/sandbox'
import { by, type Call, keepsContract, withBody } from './call.ts'
import { bodyOf, isJson, type Json, problem, remade, withJson } from './responses.ts'
import type { Relay, TestSandbox } from './sandbox.ts'
import { callerOf } from './state.ts'

/** How a service differs from the sandbox. */
export interface Service {
  readonly wrap?: Wrap
  /**
   * The operation, or the set of operations, whose calls it wraps. Default: all calls, also those
   * of no operation.
   */
  readonly operations?: string | ReadonlySet<string>
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

/** Changes or judges the body of a request or a response. */
export type OfBody = (body: Json, call: Call, sandbox: TestSandbox) => unknown

/** Handles the calls that a service changes. */
export function wrapped({ wrap, operations }: Service): Wrap {
  return (call, next, sandbox) => {
    if (!wrap || !isMeant(call, operations)) return next(call)
    return wrap(call, next, sandbox)
  }
}

function isMeant(call: Call, operations: Service['operations']): boolean {
  if (operations === undefined) return true
  const { operation } = call
  if (operation === undefined) return false
  if (typeof operations === 'string') return operations === operation
  return operations.has(operation)
}

/** Handles calls. */
export function handle(wrap: Wrap): Service {
  return { wrap }
}

/** Changes each response. */
export function onResponse(
  change: (response: Response, call: Call, sandbox: TestSandbox) => Response | Promise<Response>,
): Service {
  return handle(async (call, next, sandbox) => {
    const response = await next(call)
    // A network error means that no response is sent, which a sandbox fault can cause.
    return response.type === 'error' ? response : change(response, call, sandbox)
  })
}

/** Changes the body of each success, or does something after it; undefined leaves it as it is. */
export function onSuccess(change: OfBody): Service {
  return onResponse(async (response, call, sandbox) => {
    if (!response.ok) return response
    const shown = (await bodyOf(response)) ?? {}
    const changed = await change(shown, call, sandbox)
    if (changed === undefined || response.status === 204) return response
    return withJson(response, changed)
  })
}

/** Changes calls before they reach the service. */
export function onCall(
  change: (call: Call, sandbox: TestSandbox) => Call | Promise<Call>,
): Service {
  return handle(async (call, next, sandbox) => next(await change(call, sandbox)))
}

/** Changes the body of a request before it reaches the service, to hide what is wrong with it. */
export function onRequest(change: OfBody): Service {
  return onCall(async (call, sandbox) => {
    if (!call.json) return call
    const changed = await change(call.json, call, sandbox)
    // An unchanged body is sent with its original bytes: with its spaces, length and duplicate
    // fields.
    const isChanged = JSON.stringify(changed) !== JSON.stringify(call.json)
    return isJson(changed) && isChanged ? withBody(call, changed) : call
  })
}

/** Refuses valid requests, or fails on them. Invalid requests are still refused as before. */
export function refuse(
  [status, code]: readonly [status: number, code: string],
  test: OfBody,
): Service {
  return handle(async (call, next, sandbox) => {
    if (!keepsContract(call)) return next(call)
    const caller = await callerOf(call, sandbox)
    if (!caller) return next(call)
    const isRefused = await test(call.json ?? {}, call, sandbox)
    return isRefused ? problem(status, code) : next(call)
  })
}

/**
 * Returns the previous response to the same request by the same caller, for this many milliseconds.
 */
export function cached(ms: number, keyOf: (call: Call) => unknown): Service {
  return handle(async (call, next, { app, memory }) => {
    const key = `${call.headers.get('authorization')} ${keyOf(call)}`
    // Only this service writes to the key.
    const kept = memory.get(key) as Kept | undefined
    const ageMs = app.clock.now() - (kept?.at ?? 0)
    const isRecent = ageMs >= 0 && ageMs < ms
    if (kept && isRecent && keepsContract(call)) {
      const headers = { 'x-request-id': `req_${crypto.randomUUID()}` }
      return remade(kept.response.clone(), { headers })
    }

    const response = await next(call)
    if (response.ok) memory.set(key, { at: app.clock.now(), response: response.clone() })
    return response
  })
}

interface Kept {
  readonly at: number
  readonly response: Response
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
  const issueAndRefuse: Wrap = async (call, next, sandbox) => {
    const { app, memory } = sandbox
    if (call.operation === 'checkKey') {
      const response = await next(call)
      const body = await bodyOf(response)
      memory.set(body?.initiation_id, app.clock.now())
      return response
    }

    const issuedAt = memory.get(call.json?.initiation_id)
    const isLate = issuedAt !== undefined && app.clock.now() - Number(issuedAt) > ms
    if (!isLate || !keepsContract(call)) return next(call)
    const caller = await callerOf(call, sandbox)
    return caller ? problem(422, 'initiation_invalid') : next(call)
  }
  return { operations: new Set(['checkKey', 'createTransfer']), wrap: issueAndRefuse }
}

/** Combines services whose other parts differ; the first is the outermost. */
export function together(outer: Service, inner: Service, ...rest: readonly Service[]): Service {
  const { operations: _, ...parts } = { ...outer, ...inner }
  const wrapOuter = wrapped(outer)
  const wrapInner = wrapped(inner)
  const wrap: Wrap = (call, next, sandbox) =>
    wrapOuter(call, async (changedCall) => wrapInner(changedCall, next, sandbox), sandbox)

  const both = { ...parts, wrap, relay: relayed(outer.relay, inner.relay) }
  const [third, ...others] = rest
  return third ? together(both, third, ...others) : both
}

/** A delivery passes the inner relay first. */
function relayed(outer: Relay | undefined, inner: Relay | undefined): Relay | undefined {
  if (!outer || !inner) return inner ?? outer
  return (posted, send, sandbox) =>
    inner(posted, (changedPosted) => outer(changedPosted, send, sandbox), sandbox)
}
