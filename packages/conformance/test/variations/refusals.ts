import { by, withHeaders } from '../faulty/call.ts'
import type { Json } from '../faulty/json.ts'
import { problem, remade } from '../faulty/responses.ts'
import { before, changeResponse, type Wrap } from '../faulty/wrap.ts'
import { fields, findingsIn, keeps, refusals, statuses } from './kit.ts'
import { type Service, type Services, together } from './service.ts'

const PROBLEM = 'application/problem+json'

export const refused: Services = {
  'rules-400': statuses({ 422: 400 }),
  'business-409': statuses({ 422: 409 }),
  'conflicts-422': statuses({ 409: 422 }),
  'everything-400': statuses({ 404: 400, 405: 400, 409: 400, 413: 400, 415: 400, 422: 400 }),
  'schema-422': statuses({ 400: 422 }),
  'unauthorized-403': statuses({ 401: 403 }),
  'method-404': together(without('allow'), statuses({ 405: 404 })),
  'large-400': statuses({ 413: 400 }),
  'error-plain': refusals('application/json', ({ detail }) => ({ error: detail })),
  'error-text': refusals('text/plain', ({ detail }) => `${detail}`),
  'error-empty': refusals(null, () => ''),
  'error-list': refusals('application/json', ({ errors, detail, status }) => ({
    errors: ((errors ?? [{ detail }]) as Json[]).map((it) => ({ code: `PP${status}`, message: it.detail })),
  })),
  'error-html': {
    wrap: offContract(() => new Response('<html>nginx</html>', { status: 404, headers: HTML })),
  },
  'error-codes': refusals(
    PROBLEM,
    fields((name, value) => (name === 'code' ? `PIX-${String(value).length}` : value)),
  ),
  'no-request-id': together(
    without('x-request-id'),
    refusals(PROBLEM, ({ request_id: _, ...it }) => it),
  ),
  'no-challenge': without('www-authenticate'),
  'slash-tolerant': { wrap: slashTolerant },
  'options-allowed': {
    wrap: changeResponse(undefined, (response, { method }) =>
      method === 'OPTIONS' && response.status === 405
        ? new Response(null, { status: 204, headers: response.headers })
        : response,
    ),
  },
  'gateway-403': {
    wrap: offContract(() => Response.json({ message: 'Missing Authentication Token' }, { status: 403 })),
  },
  'media-ignored': {
    wrap: before(undefined, (call) =>
      call.json && call.operation ? withHeaders(call, { 'content-type': 'application/json' }) : call,
    ),
  },
  'validation-first': { wrap: validatedFirst },
  'lookups-limited': { wrap: every(40, /checkKey/, () => problem(429, 'rate_limited')) },
  'bursts-limited': { wrap: every(250, /./, () => later(429, 'rate_limited')) },
  'bursts-503': { wrap: every(150, /./, () => later(503, 'unavailable')) },
  'large-bodies': {
    wrap: before(undefined, (call) => {
      if (call.bytes.byteLength <= 65_536 || call.bytes.byteLength > 1_048_576 || !call.json) return call
      const unknown = findingsIn(call).flatMap(({ keyword, pointer }) =>
        keyword === 'unknown' ? pointer : [],
      )
      const known = Object.entries(call.json).filter(([name]) => !unknown.includes(`/${name}`))
      const bytes = new TextEncoder().encode(JSON.stringify(Object.fromEntries(known)))
      return { ...withHeaders(call, { 'content-length': null }), bytes }
    }),
  },
  'other-headers': {
    wrap: changeResponse(undefined, async (response) => {
      const text = await response.clone().text()
      const type = text && `${response.headers.get('content-type')}; charset=utf-8`
      const headers = { 'cache-control': 'no-store', etag: `"${text.length}"`, 'content-type': type || null }
      return remade(response, { body: text && JSON.stringify(JSON.parse(text), null, 2), headers })
    }),
  },
}

const HTML = { 'content-type': 'text/html' }

function without(header: string): Service {
  return { wrap: changeResponse(undefined, (response) => remade(response, { headers: { [header]: null } })) }
}

/** Another response for unknown methods and paths. */
function offContract(respond: () => Response): Wrap {
  return () => async (call, next) => {
    const response = await next(call)
    return !call.operation && [404, 405].includes(response.status) ? respond() : response
  }
}

function slashTolerant(): ReturnType<Wrap> {
  return async (call, next) => {
    const response = await next(call)
    if (call.operation || ![404, 405].includes(response.status)) return response
    const url = new URL(call.url)
    url.pathname = url.pathname.endsWith('/') ? url.pathname.slice(0, -1) : `${url.pathname}/`
    const other = await next({ ...call, url })
    return [404, 405].includes(other.status) ? response : other
  }
}

function validatedFirst(sandbox: Parameters<Wrap>[0]): ReturnType<Wrap> {
  return async (call, next) => {
    const response = await next(call)
    if (response.status !== 401 || !call.operation || call.operation === 'signIn' || keeps(call))
      return response
    // The request is invalid, so it has no effect, whoever sends it.
    return next(by(call, await sandbox.bearer('partner')))
  }
}

function every(nth: number, scope: RegExp, refuse: () => Response | Promise<Response>): Wrap {
  let count = 0
  return () => async (call, next) => {
    const isCounted = scope.test(String(call.operation))
    if (isCounted) count += 1
    return isCounted && count % nth === 0 ? refuse() : next(call)
  }
}

function later(status: number, code: string): Promise<Response> {
  return remade(problem(status, code), { headers: { 'retry-after': '1' } })
}
