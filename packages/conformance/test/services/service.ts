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
  const service = async (call: Call) =>
    wrap(call, (changedCall) => fetch(requestOf(changedCall)), sandbox)
  const shorts: Service['guide'] = { ...GUIDE, ...changes.guide }

  return async (request: Request): Promise<Response> => {
    const { pathname } = new URL(request.url)
    if (!isOfService(pathname)) return fetch(request)

    const call = await callOf(request)
    const short = shorts[`${call.method} ${pathname}`]
    if (short === undefined) return service(call)
    if (short === null) return service(await atFullPath(call, { path: '/none' }))

    const response = await service(await atFullPath(call, short))
    if (!short.show || !response.ok) return response
    const body = await bodyOf(response)
    return body ? withJson(response, short.show(body)) : response
  }
}

/** The page and the control API of the sandbox are not part of the service. */
function isOfService(pathname: string): boolean {
  const isPage = pathname === '/' || pathname.startsWith('/assets/')
  const isControl = pathname.startsWith('/_sandbox/')
  return !isPage && !isControl
}

/** The call of a short path at the full one. */
async function atFullPath(call: Call, { path, ask }: Short): Promise<Call> {
  const url = new URL(`/mobile-bff/v1${path}`, call.url)
  const full = await callOf(requestOf({ ...call, url }))
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
