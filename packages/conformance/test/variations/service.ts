import type { AppOptions } from '@partner-payments/sandbox'
import { type Call, callOf, requestOf } from '../services/call.ts'
import type { Json } from '../services/json.ts'
import { bodyOf, withJson } from '../services/responses.ts'
import { openTestSandbox, type Relay, type TestSandbox } from '../services/sandbox.ts'
import { both, type Next, type Wrap } from '../services/wrap.ts'

/** How a service differs from the sandbox. */
export interface Service {
  readonly wrap?: Wrap
  /** Handles deliveries between the service and its receivers. */
  readonly relay?: Relay
  readonly options?: AppOptions
  readonly prepare?: (sandbox: TestSandbox) => unknown
  /** Other targets of the short paths; null for one that is not served. */
  readonly guide?: Readonly<Record<string, Short | null>>
  /** Option values that a user sets for this service. */
  readonly values?: Readonly<Record<string, Readonly<Record<string, unknown>>>>
}

export type Services = Readonly<Record<string, Service>>

/** The full path of a short one, and the conversions of request and response. */
interface Short {
  readonly path: string
  readonly ask?: (body: Json) => Json
  readonly show?: (response: Response) => Promise<Response> | Response
}

/** Combines services; the first is the outermost. */
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
  return (posted, send, sandbox) => inner(posted, (it) => outer(it, send, sandbox), sandbox)
}

/** Opens the sandbox with the changes of a service, as a fetch function. */
export async function openService({ options, prepare, relay, ...service }: Service) {
  const sandbox = await openTestSandbox(options)
  await sandbox.run(UNREACHABLE)
  await prepare?.(sandbox)
  sandbox.relay = relay
  return { sandbox, fetch: served(sandbox, service), close: sandbox.close }
}

/** Drops deliveries to unreachable hosts, because their attempts would delay those that the checker waits for. */
const UNREACHABLE = `
  CREATE TRIGGER unreachable AFTER INSERT ON deliveries
  WHEN (SELECT url FROM webhooks WHERE id = NEW.webhook_id) NOT LIKE 'http://127.0.0.1:%'
  BEGIN UPDATE deliveries SET status = 'dropped', due_at = NULL WHERE position = NEW.position; END`

function served(sandbox: TestSandbox, { wrap = () => (call, next) => next(call), guide }: Service) {
  const { fetch } = sandbox.app
  const stands = wrap(sandbox)
  const service: Next = (call) => stands(call, (it) => fetch(requestOf(it)))
  const shorts: typeof guide = { ...GUIDE, ...guide }
  return async (request: Request): Promise<Response> => {
    const { pathname } = new URL(request.url)
    // The page and the control API are not part of the service.
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

/** Serves the short paths by the full ones. Otherwise they would still show the unchanged service. */
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
