import type { AppOptions } from '@partner-payments/sandbox'
import { type Call, callOf, requestOf } from '../faulty/call.ts'
import type { Json } from '../faulty/json.ts'
import { bodyOf, withJson } from '../faulty/reply.ts'
import { openWorld, type Relay, type World } from '../faulty/world.ts'
import { both, type Next, type Wrap } from '../faulty/wrap.ts'

/** How a service differs from the sandbox. */
export interface Service {
  readonly wrap?: Wrap
  /** Stands between the service and the receivers of its deliveries. */
  readonly relay?: Relay
  readonly options?: AppOptions
  readonly prepare?: (world: World) => unknown
  /** Short paths of the guide that lead elsewhere; null where one is not served. */
  readonly guide?: Readonly<Record<string, Short | null>>
  /** What a user tells the checker of this service. */
  readonly values?: Readonly<Record<string, Readonly<Record<string, unknown>>>>
}

export type Services = Readonly<Record<string, Service>>

/** The full path behind a short one, and what the short one makes of the request and the response. */
export interface Short {
  readonly path: string
  readonly ask?: (body: Json) => Json
  readonly show?: (response: Response) => Promise<Response> | Response
}

/** Several services in one, the first one outside. */
export function together(outer: Service, inner: Service, ...rest: readonly Service[]): Service {
  const [next, ...others] = rest
  const two = {
    ...outer,
    ...inner,
    ...(outer.wrap && inner.wrap && { wrap: both(outer.wrap, inner.wrap) }),
    ...(outer.relay && inner.relay && { relay: relayed(outer.relay, inner.relay) }),
  }
  return next ? together(two, next, ...others) : two
}

function relayed(outer: Relay, inner: Relay): Relay {
  return (posted, send, world) => inner(posted, (it) => outer(it, send, world), world)
}

/** The sandbox changed into a service, as a function from a request to a response. */
export async function openService({ options, prepare, relay, ...service }: Service) {
  const world = await openWorld(options)
  await world.run(UNREACHABLE)
  await prepare?.(world)
  world.relay = relay
  return { world, fetch: served(world, service), close: world.close }
}

/** Drops what nobody can receive: attempts at hosts that are not there would hold up those that the checker waits for. */
const UNREACHABLE = `
  CREATE TRIGGER unreachable AFTER INSERT ON deliveries
  WHEN (SELECT url FROM webhooks WHERE id = NEW.webhook_id) NOT LIKE 'http://127.0.0.1:%'
  BEGIN UPDATE deliveries SET status = 'dropped', due_at = NULL WHERE position = NEW.position; END`

function served(world: World, { wrap = () => (call, next) => next(call), guide }: Service) {
  const { fetch } = world.app
  const stands = wrap(world)
  const service: Next = (call) => stands(call, (it) => fetch(requestOf(it)))
  const shorts: typeof guide = { ...GUIDE, ...guide }
  return async (request: Request): Promise<Response> => {
    const { pathname } = new URL(request.url)
    // The page and the control of the sandbox are no part of the service.
    if (/^\/(_sandbox\/|assets\/|$)/.test(pathname)) return fetch(request)
    const call = await callOf(request)
    const short = shorts[`${call.method} ${pathname}`]
    if (short === undefined) return service(call)
    const response = await service(await moved(call, short ?? { path: '/none' }))
    return short?.show ? short.show(response) : response
  }
}

async function moved(call: Call, { path, ask }: Short): Promise<Call> {
  const full = await callOf(requestOf({ ...call, url: new URL(`/mobile-bff/v1${path}`, call.url) }))
  if (!ask || !full.json) return full
  const json = ask(full.json)
  return { ...full, json, bytes: new TextEncoder().encode(JSON.stringify(json)) }
}

/** Served by the full paths: otherwise the short ones would still show the service that those no longer are. */
export const GUIDE = {
  'POST /partners/webhooks': {
    path: '/partner/webhook',
    ask: (body: Json) => ({ ...body, type: 'all' }),
    show: showing(({ id, secret }) => ({ id, secret })),
  },
  'GET /partners/webhooks': {
    path: '/partner/webhook/',
    show: showing((body) => ({ ...body, data: (body.data as Json[]).map(({ type: _, ...it }) => it) })),
  },
  'POST /pix/brcode/emv': { path: '/pix/brcode/emv/' },
  'POST /pix/out': { path: '/pix/out/' },
  'POST /pix/key': { path: '/pix/dict/check/' },
}

function showing(show: (body: Json) => Json) {
  return async (response: Response) => {
    const body = response.ok ? await bodyOf(response) : undefined
    return body ? withJson(response, show(body)) : response
  }
}
