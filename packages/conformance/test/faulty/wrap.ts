import { by, type Call, callOf, keepsContract, type OperationId, requestOf, withBody } from './call.ts'
import { isJson, type Json } from './json.ts'
import { bodyOf, problem, withJson } from './reply.ts'
import type { World } from './world.ts'

export type Next = (call: Call) => Promise<Response>

/** Stands before a service: sees each call, and makes the answer. */
export type Wrap = (world: World) => (call: Call, next: Next) => Promise<Response>

/** What a wrap decides by. */
export type Test = (body: Json, call: Call) => boolean

/** A service behind a wrap. The page and the control of the sandbox are no part of the service. */
export function wrapped(world: World, wrap: Wrap): (request: Request) => Promise<Response> {
  const { fetch } = world.app
  const service = wrap(world)
  return async (request) => {
    const { pathname } = new URL(request.url)
    if (!pathname.startsWith('/mobile-bff/')) return fetch(request)
    return service(await callOf(request), (call) => fetch(requestOf(call)))
  }
}

/** Changes every answer, of one operation where it is named. */
export function reply(
  id: OperationId | undefined,
  change: (response: Response, call: Call, world: World) => Response | Promise<Response>,
): Wrap {
  return (world) => async (call, next) => {
    const response = await next(call)
    // A network error stands for no answer at all, which the control can ask for.
    const isMeant = response.type !== 'error' && (id === undefined || call.operation === id)
    return isMeant ? change(response, call, world) : response
  }
}

/** Changes the body of each success of an operation. */
export function answer(id: OperationId, change: (body: Json, call: Call, world: World) => unknown): Wrap {
  return reply(id, async (response, call, world) => {
    const body = response.ok ? await bodyOf(response) : undefined
    return body ? withJson(response, await change(body, call, world)) : response
  })
}

/** Changes each refusal. */
export function refusal(change: (response: Response, call: Call) => Response | Promise<Response>): Wrap {
  return reply(undefined, (response, call) => (response.status >= 400 ? change(response, call) : response))
}

/** Changes calls of an operation before they reach the service. */
export function before(
  id: OperationId | undefined,
  change: (call: Call, world: World) => Call | Promise<Call>,
): Wrap {
  return (world) => async (call, next) =>
    next(id === undefined || call.operation === id ? await change(call, world) : call)
}

/** Changes the body of a request before it reaches the service, so that what is wrong with it is not seen. */
export function ask(id: OperationId, change: (body: Json, call: Call, world: World) => unknown): Wrap {
  return before(id, async (call, world) => {
    const body = call.json ? await change(call.json, call, world) : undefined
    // What is as it was is sent as it came: with its spaces, its length and its equal members.
    return isJson(body) && JSON.stringify(body) !== JSON.stringify(call.json) ? withBody(call, body) : call
  })
}

/** Refuses what the contract allows, or breaks down over it. What is to be refused anyway is refused as ever. */
export function refuse(
  id: OperationId,
  test: Test,
  [status, code]: readonly [status: number, code: string],
): Wrap {
  return (world) => async (call, next) => {
    const isMeant = call.operation === id && test(call.json ?? {}, call) && keepsContract(call)
    return isMeant && (await isSignedIn(call, world)) ? problem(status, code) : next(call)
  }
}

/** Whether a call is by a partner, and not by one who acts for a customer. */
export async function isPartner({ headers }: Call, { send }: World): Promise<boolean> {
  const authorization = headers.get('authorization')
  return (await send('GET', '/partner/user', { authorization })).users !== undefined
}

async function isSignedIn({ headers }: Call, { send }: World): Promise<boolean> {
  const authorization = headers.get('authorization')
  return (await send('GET', '/partner/user', { authorization })).status !== 401
}

/** After a refusal, tries again with what `mend` makes of the call; undefined leaves it refused. */
export function retry(
  id: OperationId,
  codes: readonly string[],
  mend: (call: Call, world: World) => Call | undefined | Promise<Call | undefined>,
): Wrap {
  return (world) => async (call, next) => {
    const response = await next(call)
    if (call.operation !== id || response.ok) return response
    const { code } = (await bodyOf(response)) ?? {}
    const mended = codes.includes(String(code)) ? await mend(call, world) : undefined
    return mended ? next(mended) : response
  }
}

/** Does a call that was refused as a partner whose right it is. */
export function asOwner(...ids: readonly OperationId[]): Wrap {
  return (world) => async (call, next) => {
    const response = await next(call)
    if (!ids.some((id) => id === call.operation) || response.status !== 404) return response
    for (const who of ['partner', 'other'] as const) {
      const answer = await next(by(call, await world.bearer(who)))
      if (answer.ok) return answer
    }
    return response
  }
}

/** Both, the first one outside. */
export function both(outer: Wrap, inner: Wrap): Wrap {
  return (world) => {
    const [first, second] = [outer(world), inner(world)]
    return (call, next) => first(call, (it) => second(it, next))
  }
}

/** Does something once an operation has succeeded, before that is told. */
export function after(id: OperationId, work: (body: Json, call: Call, world: World) => Promise<void>): Wrap {
  return reply(id, async (response, call, world) => {
    if (response.ok) await work((await bodyOf(response)) ?? {}, call, world)
    return response
  })
}
