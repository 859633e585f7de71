import { randomUUID } from 'node:crypto'
import { gzipSync } from 'node:zlib'
import { type Call, EVERY_OPERATION } from '../services/call.ts'
import { bodyOf, isJson, problem, remade } from '../services/responses.ts'
import type { TestSandbox } from '../services/sandbox.ts'
import { cached, type Next, onResponse, onSuccess, type Services } from '../services/wrap.ts'

/** The refusals of the contract that are not about the caller, or too many requests. */
const REFUSALS: ReadonlySet<number> = new Set([
  404, // no such record or path
  405, // no such method
  409, // a conflict with the state
  413, // a body that is too large
  415, // another media type
  422, // a rule of the business
])

const LISTS: ReadonlySet<string> = new Set(['listImmediateQrCodes', 'listDueDateQrCodes'])

export const responses: Services = {
  'everything-400': onResponse(async (response) => {
    if (!REFUSALS.has(response.status)) return response
    const body = await bodyOf(response)
    if (!body) return remade(response, { status: 400 })
    return remade(response, { status: 400, body: JSON.stringify({ ...body, status: 400 }) })
  }),
  'error-plain': onResponse(async (response) => {
    if (response.status < 400) return response
    const body = JSON.stringify({ error: (await bodyOf(response))?.detail })
    return remade(response, { body, headers: { 'content-type': 'application/json' } })
  }),
  'slash-tolerant': { wrap: slashTolerant },
  'limits-and-bursts': { wrap: limited },
  'other-forms': onResponse(inOtherForms),
  'lists-lag': { operations: LISTS, ...cached(1_000, ({ url }) => url) },
  'fields-added': {
    operations: EVERY_OPERATION,
    ...onSuccess((body) => ({ ...body, api_version: '2026-11' })),
  },
}

async function slashTolerant(call: Call, next: Next): Promise<Response> {
  const response = await next(call)
  if (call.operation || !isUnknownPath(response)) return response
  const url = new URL(call.url)
  const { pathname } = url
  url.pathname = pathname.endsWith('/') ? pathname.slice(0, -1) : `${pathname}/`
  const other = await next({ ...call, url })
  return isUnknownPath(other) ? response : other
}

/** Whether the path, or its method, is unknown. */
function isUnknownPath({ status }: Response): boolean {
  return status === 404 || status === 405
}

/** Counts look-ups and other requests apart. */
function limited(call: Call, next: Next, { memory }: TestSandbox): Response | Promise<Response> {
  const isLookUp = call.operation === 'checkKey'
  const count = Number(memory.get(isLookUp) ?? 0) + 1
  memory.set(isLookUp, count)
  const isTooMany = isLookUp && count % 40 === 0
  if (isTooMany) return problem(429, 'rate_limited')
  const isOverloaded = count % 150 === 0
  if (!isOverloaded) return next(call)
  return remade(problem(503, 'unavailable'), { headers: { 'retry-after': '1' } })
}

/** What RFC 8259, RFC 9110 and RFC 9457 leave free. */
async function inOtherForms(response: Response): Promise<Response> {
  const id = randomUUID()
  const type = response.headers.get('content-type')
  const challenge = response.headers.get('www-authenticate')
  const isOfToken = challenge === 'Bearer'
  const headers = {
    'cache-control': 'no-store',
    vary: 'accept',
    'x-request-id': id,
    'content-type': type ? `${type.replace('json', 'JSON')}; charset=utf-8` : null,
    'www-authenticate': isOfToken ? 'Bearer realm="pix", error="invalid_token"' : challenge,
  }

  const body = await bodyOf(response)
  if (!body) return remade(response, { headers: { ...headers, 'content-encoding': null } })

  const isSuccess = response.status < 400
  const words = isSuccess ? {} : { title: 'Recusado', detail: 'Não.', request_id: id }
  const text = JSON.stringify(reversed({ ...body, ...words }), null, 2)
  return remade(response, {
    headers: { ...headers, 'content-encoding': 'gzip' },
    body: new Uint8Array(gzipSync(text)),
  })
}

/** The same value with the fields of all objects in reverse order. */
function reversed(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(reversed)
  if (!isJson(value)) return value
  const entries = Object.entries(value).reverse()
  return Object.fromEntries(entries.map(([name, fieldValue]) => [name, reversed(fieldValue)]))
}
