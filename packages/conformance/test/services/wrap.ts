import type { AppOptions } from '@partner-payments/sandbox'
import { by, type Call, keepsContract, withBody } from './call.ts'
import { bodyOf, isJson, type Json, problem, remade, withJson } from './responses.ts'
import type { Relay, TestSandbox } from './sandbox.ts'
import { callerOf } from './state.ts'

/** How a service differs from the sandbox. */
export interface Service {
  readonly wrap?: Wrap
  /** The operation, or those that match, whose calls it wraps. Default: all calls. */
  readonly operations?: string | RegExp
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
export function wrapped({ wrap, operations = /(?:)/ }: Service): Wrap {
  return (call, next, sandbox) => {
    const { operation = '' } = call
    const isMeant =
      typeof operations === 'string' ? operations === operation : operations.test(operation)
    return wrap && isMeant ? wrap(call, next, sandbox) : next(call)
  }
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
    const body = await change((await bodyOf(response)) ?? {}, call, sandbox)
    return body === undefined || response.status === 204 ? response : withJson(response, body)
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
    const body = call.json ? await change(call.json, call, sandbox) : undefined
    // An unchanged body is sent with its original bytes: with its spaces, length and duplicate
    // fields.
    return isJson(body) && JSON.stringify(body) !== JSON.stringify(call.json)
      ? withBody(call, body)
      : call
  })
}

/** Refuses valid requests, or fails on them. Invalid requests are still refused as before. */
export function refuse(
  [status, code]: readonly [status: number, code: string],
  test: OfBody,
): Service {
  return handle(async (call, next, sandbox) => {
    const isValid = keepsContract(call) && (await callerOf(call, sandbox))
    return isValid && (await test(call.json ?? {}, call, sandbox))
      ? problem(status, code)
      : next(call)
  })
}

/**
 * Returns the previous response to the same request by the same caller, for this many milliseconds.
 */
export function cached(ms: number, keyOf: (call: Call) => unknown): Service {
  return handle(async (call, next, { app, memory }) => {
    const key = `${call.headers.get('authorization')} ${keyOf(call)}`
    const kept = memory.get(key) as { readonly at: number; readonly response: Response } | undefined
    const age = app.clock.now() - (kept?.at ?? 0)
    if (kept && age >= 0 && age < ms && keepsContract(call))
      return remade(kept.response.clone(), {
        headers: { 'x-request-id': `req_${crypto.randomUUID()}` },
      })
    const response = await next(call)
    if (response.ok) memory.set(key, { at: app.clock.now(), response: response.clone() })
    return response
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
    const at =
      call.operation === 'createTransfer' ? memory.get(call.json?.initiation_id) : undefined
    const isLate = at !== undefined && app.clock.now() - Number(at) > ms && keepsContract(call)
    if (isLate && (await callerOf(call, sandbox))) return problem(422, 'initiation_invalid')
    const response = await next(call)
    if (call.operation === 'checkKey')
      memory.set((await bodyOf(response))?.initiation_id, app.clock.now())
    return response
  }
  return { operations: /^(checkKey|createTransfer)$/, wrap }
}

/** Combines services whose other parts differ; the first is the outermost. */
export function together(outer: Service, inner: Service, ...rest: readonly Service[]): Service {
  const { operations: _, ...parts } = { ...outer, ...inner }
  const relay =
    outer.relay && inner.relay ? relayed(outer.relay, inner.relay) : (inner.relay ?? outer.relay)
  const wrap: Wrap = (call, next, sandbox) =>
    wrapped(outer)(call, async (it) => wrapped(inner)(it, next, sandbox), sandbox)
  const [next, ...others] = rest
  const two = { ...parts, wrap, relay }
  return next ? together(two, next, ...others) : two
}

function relayed(outer: Relay, inner: Relay): Relay {
  return (posted, send, sandbox) => inner(posted, (it) => outer(it, send, sandbox), sandbox)
}
