import { problem, remade } from '../services/responses.ts'
import { changeResponse, type Wrap } from '../services/wrap.ts'
import { refusals, statuses } from './kit.ts'
import type { Services } from './service.ts'

export const refused: Services = {
  'everything-400': statuses({ 404: 400, 405: 400, 409: 400, 413: 400, 415: 400, 422: 400 }),
  'large-400': statuses({ 413: 400 }),
  'error-plain': refusals('application/json', ({ detail }) => ({ error: detail })),
  'slash-tolerant': { wrap: slashTolerant },
  'lookups-limited': { wrap: every(40, /checkKey/, () => problem(429, 'rate_limited')) },
  'bursts-503': { wrap: every(150, /./, () => later(503, 'unavailable')) },
  'other-headers': {
    wrap: changeResponse(undefined, async (response) => {
      const text = await response.clone().text()
      const type = text && `${response.headers.get('content-type')}; charset=utf-8`
      const headers = { 'cache-control': 'no-store', etag: `"${text.length}"`, 'content-type': type || null }
      return remade(response, { body: text && JSON.stringify(JSON.parse(text), null, 2), headers })
    }),
  },
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
