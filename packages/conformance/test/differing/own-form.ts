import { createHmac } from 'node:crypto'
import { type Call, withQuery } from '../services/call.ts'
import { readEveryRecord } from '../services/every-record.ts'
import type { Posted } from '../services/listen.ts'
import { bodyOf, isJson, type Json, remade, withJson } from '../services/responses.ts'
import type { Relay, TestSandbox } from '../services/sandbox.ts'
import { rowsOf, secretsOf } from '../services/state.ts'
import { type Next, onResponse, type Service, together } from '../services/wrap.ts'
import { DYNAMIC_QR_CODES, fields, type Scope, words } from '../variations/kit.ts'

/** Words of this service by those of the contract. */
const TRANSFER_STATUSES = { pending: 'PROCESSING', settled: 'DONE', rejected: 'DECLINED' }
const CHARGE_STATUSES = {
  ATIVA: 'OPEN',
  CONCLUIDA: 'PAID',
  REMOVIDA_PELO_USUARIO_RECEBEDOR: 'CANCELLED',
}
const EVENT_NAMES: Readonly<Record<string, string>> = {
  'transfer.settled': 'pix.sent',
  'transfer.rejected': 'pix.declined',
  'transfer.received': 'pix.arrived',
  'qrcode.paid': 'charge.paid',
  'qrcode.cancelled': 'charge.closed',
}

const TRANSFERS: Scope = new Set(['createTransfer'])
const WEBHOOKS: Scope = new Set(['createWebhook', 'listWebhooks', 'getWebhook', 'updateWebhook'])
const PAGED: Scope = new Set(['listImmediateQrCodes', 'listDueDateQrCodes'])
const LISTS: Scope = new Set([...PAGED, 'listWebhooks'])

/** A list shows its oldest record first. A bug of paging comes on top of it. */
export const oldestFirst: Service = { operations: LISTS, wrap: showOldestFirst }

/**
 * A service whose author knew the document alone: it breaks no fact, and differs in words, cursor,
 * errors, times, events and signatures.
 */
export const ownForm: Service = together(
  onResponse(withOwnErrors),
  onResponse(withOffsets),
  { operations: PAGED, ...onResponse(withOwnCursor) },
  withoutRelay(words('status', TRANSFERS, TRANSFER_STATUSES)),
  withoutRelay(words('status', DYNAMIC_QR_CODES, CHARGE_STATUSES)),
  withoutRelay(words('status', WEBHOOKS, { inactive: 'disabled' })),
  { relay: inOwnForm },
)

/** Changes of deliveries are all made at once, after the last of which a delivery is signed. */
function withoutRelay({ relay: _, ...service }: Service): Service {
  return service
}

/** Records of a page without a limit. */
const STANDARD_LIMIT = 20
const CURSOR = /^at-(\d+)$/

async function showOldestFirst(call: Call, next: Next): Promise<Response> {
  const { searchParams } = call.url
  const isPaged = PAGED.has(String(call.operation))
  const [, start = '0'] = CURSOR.exec(searchParams.get('cursor') ?? 'at-0') ?? []
  const isOfOtherCursor = !CURSOR.test(searchParams.get('cursor') ?? 'at-0')
  if (isOfOtherCursor) return next(call)

  const checked = await next(withQuery(call, { cursor: null }))
  if (!checked.ok) return checked
  const newestFirst = isPaged ? await readEveryRecord(call, next) : await recordsOf(checked)
  const records = newestFirst.toReversed()
  if (!isPaged) return withJson(checked, { data: records })

  const limit = Number(searchParams.get('limit') ?? STANDARD_LIMIT)
  const end = Number(start) + limit
  return withJson(checked, {
    data: records.slice(Number(start), end),
    next_cursor: end < records.length ? `at-${end}` : null,
  })
}

async function recordsOf(response: Response): Promise<readonly unknown[]> {
  const body = await bodyOf(response)
  return Array.isArray(body?.data) ? body.data : []
}

/** The cursor is inside an object, which the last page does not have. */
async function withOwnCursor(response: Response): Promise<Response> {
  const body = response.ok ? await bodyOf(response) : undefined
  if (!body) return response
  const { next_cursor, ...others } = body
  const paging = next_cursor === null ? {} : { paging: { after: next_cursor } }
  return withJson(response, { ...others, ...paging })
}

async function withOwnErrors(response: Response): Promise<Response> {
  const body = response.status < 400 ? undefined : await bodyOf(response)
  if (!isJson(body)) return response
  const { code, detail } = body
  return remade(response, {
    body: JSON.stringify({ error: { type: code, message: detail } }),
    headers: { 'content-type': 'application/json' },
  })
}

async function withOffsets(response: Response): Promise<Response> {
  const body = response.ok ? await bodyOf(response) : undefined
  return body ? withJson(response, inLocalTimes(body)) : response
}

/** The UTC offset of Brazil's official time in milliseconds. */
const BRAZIL_MS = -3 * 3_600_000

const inLocalTimes = fields((_, value) => {
  const isTime = typeof value === 'string' && /^\d{4}-\d\d-\d\dT[\d:.]+Z$/.test(value)
  if (!isTime) return value
  const local = new Date(Date.parse(value) + BRAZIL_MS).toISOString().slice(0, 19)
  return `${local}-03:00`
})

/** A delivery with other names, other headers and a signature of its own over the body. */
async function inOwnForm(
  posted: Posted,
  send: Parameters<Relay>[1],
  sandbox: TestSandbox,
): Promise<number> {
  const { type, timestamp, data } = JSON.parse(posted.body)
  const event = {
    event: EVENT_NAMES[type] ?? type,
    occurred_at: timestamp,
    payload: isJson(data) ? withOwnWords(data, String(type)) : data,
  }
  const body = JSON.stringify(inLocalTimes(event))
  const secret = await signingSecret(sandbox, posted)
  const signature = secret === undefined ? {} : { 'x-signature': signatureOf(body, secret) }
  const headers = { 'content-type': 'application/json', ...signature }
  return send({ ...posted, headers, body })
}

function withOwnWords(data: Json, type: string): Json {
  const isOfCharge = type.startsWith('qrcode.')
  const statuses: Readonly<Record<string, string>> = isOfCharge
    ? CHARGE_STATUSES
    : TRANSFER_STATUSES
  const status = statuses[String(data.status)] ?? data.status
  return data.status === undefined ? data : { ...data, status }
}

function signatureOf(body: string, secret: string): string {
  return `sha256=${createHmac('sha256', secret).update(body).digest('hex')}`
}

/** Signs with the secret that signed before, so that a wrong signature stays a wrong one. */
async function signingSecret(sandbox: TestSandbox, posted: Posted): Promise<string | undefined> {
  const header = posted.headers['webhook-signature']
  if (header === undefined) return undefined
  const current = await secretsOf(sandbox, posted)
  const every = await rowsOf(sandbox, 'SELECT secret FROM webhooks WHERE url = ?', posted.url)
  const secrets = [...current, ...every.map(({ secret }) => String(secret))]
  return secrets.find((secret) => isSignedWith(posted, secret)) ?? 'the secret of nobody'
}

function isSignedWith({ headers, body }: Posted, secret: string): boolean {
  const signed = `${headers['webhook-id']}.${headers['webhook-timestamp']}.${body}`
  const key = Buffer.from(secret.replace(/^whsec_/, ''), 'base64')
  const hash = createHmac('sha256', key).update(signed).digest('base64')
  return (headers['webhook-signature'] ?? '').split(' ').includes(`v1,${hash}`)
}
