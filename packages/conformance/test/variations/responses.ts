import { randomUUID } from 'node:crypto'
import { gzipSync } from 'node:zlib'
import { type Call, EVERY_OPERATION } from '../services/call.ts'
import { bodyOf, isJson, type Json, problem, remade } from '../services/responses.ts'
import type { TestSandbox } from '../services/sandbox.ts'
import { callerOf } from '../services/state.ts'
import {
  cached,
  type Next,
  onResponse,
  onSuccess,
  type Services,
  together,
} from '../services/wrap.ts'

/** The refusals of the contract that are not about the caller, or too many requests. */
const REFUSALS: ReadonlySet<number> = new Set([
  404, // no such record or path
  405, // no such method
  409, // a conflict with the state
  413, // a body that is too large
  415, // another media type
  422, // a rule of the business
])

const WEBHOOKS: ReadonlySet<string> = new Set([
  'createWebhook',
  'getWebhook',
  'updateWebhook',
  'rotateWebhookSecret',
  'deleteWebhook',
])

const LISTS: ReadonlySet<string> = new Set(['listImmediateQrCodes', 'listDueDateQrCodes'])

/** Milliseconds by which a replica is behind. */
const LAG_MS = 500

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
  'reads-lag': together(
    { operations: LISTS, ...cached(LAG_MS, ({ url }) => url) },
    { operations: WEBHOOKS, wrap: replicated },
  ),
  'busy-now-and-then': { wrap: busy },
  'conflicts-422': onResponse((response) => withStatus(response, 409, 422)),
  'rules-400': onResponse((response) => withStatus(response, 422, 400)),
  'rules-404': onResponse((response) => withStatus(response, 422, 404)),
  'unauthorized-403': onResponse((response) => withStatus(response, 401, 403)),
  'fields-added': {
    operations: EVERY_OPERATION,
    ...onSuccess((body) => ({ ...body, api_version: '2026-11' })),
  },
}

/** A refusal with another status in place of one. */
async function withStatus(response: Response, from: number, to: number): Promise<Response> {
  if (response.status !== from) return response
  const body = await bodyOf(response)
  const headers = { 'www-authenticate': null }
  if (!body) return remade(response, { status: to, headers })
  return remade(response, { status: to, headers, body: JSON.stringify({ ...body, status: to }) })
}

/** Refuses every 25th request but sign-ins as one too many. */
function busy(call: Call, next: Next, { memory }: TestSandbox): Response | Promise<Response> {
  if (call.operation === 'signIn') return next(call)
  const count = Number(memory.get('requests') ?? 0) + 1
  memory.set('requests', count)
  if (count % 25 !== 0) return next(call)
  return remade(problem(429, 'rate_limited'), { headers: { 'retry-after': '0' } })
}

/** Reads webhooks from a replica that is half a second behind. */
async function replicated(call: Call, next: Next, sandbox: TestSandbox): Promise<Response> {
  const { memory } = sandbox
  const isRead = call.operation === 'getWebhook'
  if (isRead) return readOld(call, next, sandbox)

  const id = call.path.webhook_id
  const read = { ...call, method: 'GET', url: urlOf(call, id), bytes: NO_BYTES }
  const before = id === undefined ? undefined : await next(read)
  const response = await next(call)
  if (!response.ok) return response

  const created = await bodyOf(response)
  const since = performance.now()
  if (before?.ok) memory.set(id, { since, body: await bodyOf(before) })
  else if (!before) memory.set(created?.id, { since, body: undefined })
  return response
}

async function readOld(call: Call, next: Next, sandbox: TestSandbox): Promise<Response> {
  const response = await next(call)
  const caller = await callerOf(call, sandbox)
  // Only this service writes to the key.
  const old = sandbox.memory.get(call.path.webhook_id) as Old | undefined
  const isOfPartner = caller?.partner_id === PARTNER && caller.customer_id === null
  const isOld = old && performance.now() - old.since < LAG_MS
  if (!isOld || !isOfPartner) return response
  if (!old.body) return problem(404, 'not_found')

  const body = JSON.stringify(old.body)
  return remade(response, { status: 200, body, headers: { 'content-type': 'application/json' } })
}

function urlOf({ url }: Call, id: string | undefined): URL {
  return new URL(`/mobile-bff/v1/partner/webhook/${id}`, url)
}

/** What a replica shows of a record, and when that was changed. */
interface Old {
  readonly since: number
  /** Undefined if it was not there. */
  readonly body: Json | undefined
}

/** The first partner of the seed data. */
const PARTNER = '47216ec3-f206-4f92-a1b8-735b0c2aba05'
const NO_BYTES = new Uint8Array()

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
