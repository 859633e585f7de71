import { type Call, callOf, requestOf, withBody } from './call.ts'
import { bodyOf, type Json, withJson } from './responses.ts'
import { openTestSandbox, type TestSandbox } from './sandbox.ts'
import { type Service, type Short, wrapped } from './wrap.ts'

/** Opens a sandbox in memory with the changes of a service, as a fetch function. */
export async function openService({ options, prepare, relay, ...service }: Service) {
  const sandbox = await openTestSandbox(options, relay)
  await prepare?.(sandbox)
  return { app: sandbox.app, fetch: served(sandbox, service), close: sandbox.close }
}

function served(sandbox: TestSandbox, changes: Service) {
  const { fetch } = sandbox.app
  const wrap = wrapped(changes)
  const service = async (call: Call) => wrap(call, (it) => fetch(requestOf(it)), sandbox)
  const shorts: Service['guide'] = { ...GUIDE, ...changes.guide }
  return async (request: Request): Promise<Response> => {
    const { pathname } = new URL(request.url)
    // The page and the control API are not part of the service.
    if (/^\/(_sandbox\/|assets\/|$)/.test(pathname)) return fetch(request)
    const call = await callOf(request)
    const short = shorts[`${call.method} ${pathname}`]
    if (short === undefined) return service(call)
    const response = await service(await moved(call, short ?? { path: '/none' }))
    const body = short?.show && response.ok ? await bodyOf(response) : undefined
    return body ? withJson(response, short?.show?.(body)) : response
  }
}

async function moved(call: Call, { path, ask }: Short): Promise<Call> {
  const full = await callOf(requestOf({ ...call, url: new URL(`/mobile-bff/v1${path}`, call.url) }))
  return ask && full.json ? withBody(full, ask(full.json)) : full
}

/**
 * Serves the short paths by the full ones. Otherwise they would still show the unchanged service.
 */
export const GUIDE = {
  'POST /partners/webhooks': {
    path: '/partner/webhook',
    ask: (body: Json) => ({ ...body, type: 'all' }),
    show: ({ id, secret }: Json) => ({ id, secret }),
  },
  'GET /partners/webhooks': {
    path: '/partner/webhook/',
    show: (body: Json) => ({
      ...body,
      data: (body.data as Json[]).map(({ type: _, ...it }) => it),
    }),
  },
  'POST /pix/brcode/emv': { path: '/pix/brcode/emv/' },
  'POST /pix/out': { path: '/pix/out/' },
  'POST /pix/key': { path: '/pix/dict/check/' },
}
