import { randomUUID } from 'node:crypto'
import { gzipSync } from 'node:zlib'
import type { Call } from '../services/call.ts'
import { bodyOf, isJson, problem, remade } from '../services/responses.ts'
import type { TestSandbox } from '../services/sandbox.ts'
import { cached, type Next, onResponse, onSuccess, type Services } from '../services/wrap.ts'

export const responses: Services = {
  'everything-400': onResponse(async (response) => {
    if (![404, 405, 409, 413, 415, 422].includes(response.status)) return response
    const body = await bodyOf(response)
    return remade(response, {
      status: 400,
      ...(body && { body: JSON.stringify({ ...body, status: 400 }) }),
    })
  }),
  'error-plain': onResponse(async (response) => {
    if (response.status < 400) return response
    const body = JSON.stringify({ error: (await bodyOf(response))?.detail })
    return remade(response, { body, headers: { 'content-type': 'application/json' } })
  }),
  'slash-tolerant': { wrap: slashTolerant },
  'limits-and-bursts': { wrap: limited },
  'other-forms': onResponse(inOtherForms),
  'lists-lag': { operations: /^list\w*QrCodes$/, ...cached(1_000, ({ url }) => url) },
  'fields-added': {
    operations: /./,
    ...onSuccess((body) => ({ ...body, api_version: '2026-11' })),
  },
}

async function slashTolerant(call: Call, next: Next): Promise<Response> {
  const response = await next(call)
  if (call.operation || ![404, 405].includes(response.status)) return response
  const url = new URL(call.url)
  url.pathname = url.pathname.endsWith('/') ? url.pathname.slice(0, -1) : `${url.pathname}/`
  const other = await next({ ...call, url })
  return [404, 405].includes(other.status) ? response : other
}

function limited(call: Call, next: Next, { memory }: TestSandbox): Response | Promise<Response> {
  const isLookUp = call.operation === 'checkKey'
  const count = Number(memory.get(isLookUp) ?? 0) + 1
  memory.set(isLookUp, count)
  if (isLookUp && count % 40 === 0) return problem(429, 'rate_limited')
  if (count % 150 !== 0) return next(call)
  return remade(problem(503, 'unavailable'), { headers: { 'retry-after': '1' } })
}

/** What RFC 8259, RFC 9110 and RFC 9457 leave free. */
async function inOtherForms(response: Response): Promise<Response> {
  const body = await bodyOf(response)
  const id = randomUUID()
  const words = response.status < 400 ? {} : { title: 'Recusado', detail: 'Não.', request_id: id }
  const [type, challenge] = ['content-type', 'www-authenticate'].map((name) =>
    response.headers.get(name),
  )
  const headers = {
    ...{ 'cache-control': 'no-store', vary: 'accept', 'x-request-id': id },
    'content-type': type ? `${type.replace('json', 'JSON')}; charset=utf-8` : null,
    'www-authenticate':
      challenge === 'Bearer' ? 'Bearer realm="pix", error="invalid_token"' : (challenge ?? null),
    'content-encoding': body ? 'gzip' : null,
  }
  const text = JSON.stringify(reversed({ ...body, ...words }), null, 2)
  return remade(response, { headers, ...(body && { body: new Uint8Array(gzipSync(text)) }) })
}

/** The same value with the fields of all objects in reverse order. */
function reversed(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(reversed)
  if (!isJson(value)) return value
  return Object.fromEntries(
    Object.entries(value)
      .reverse()
      .map(([name, it]) => [name, reversed(it)]),
  )
}
