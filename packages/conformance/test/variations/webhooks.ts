import { createHmac } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Call } from '../faulty/call.ts'
import type { Json } from '../faulty/json.ts'
import type { Posted } from '../faulty/relay.ts'
import { bodyOf, remade } from '../faulty/responses.ts'
import type { Relay, TestSandbox } from '../faulty/sandbox.ts'
import { after, type Wrap } from '../faulty/wrap.ts'
import { callerIn, delivering, field, refusing, rows, secretsOf, signedAnew, success, words } from './kit.ts'
import { judged } from './requests.ts'
import { GUIDE, type Services, together } from './service.ts'

const WEBHOOKS = /Webhook/
const SHORT = 'POST /partners/webhooks'
const SIGNATURE = 'webhook-signature'

export const webhooks: Services = {
  'status-disabled': words(/^status$/, WEBHOOKS, { inactive: 'disabled' }),
  'types-pix': words(/^type$/, WEBHOOKS, { transfer: 'pix_out', qrcode: 'pix_in' }),
  'starts-inactive': {
    wrap: after('createWebhook', ({ id }, _, { run }) =>
      run(`UPDATE webhooks SET status = 'inactive' WHERE id = ?`, [String(id)]),
    ),
  },
  'url-any': {
    prepare: ({ app }) => Object.assign(app.context, { checkTarget: async () => undefined }),
  },
  'url-255': judged('/components/schemas/WebhookUrl/maxLength', 255),
  'url-once': refusing(/^createWebhook$/, [409, 'url_taken'], async ({ url }, call, sandbox) =>
    (await webhooksOf(call, sandbox)).some((it) => it.url === url),
  ),
  'webhooks-five': refusing(
    /^createWebhook$/,
    [422, 'too_many_webhooks'],
    async (_, call, sandbox) => (await webhooksOf(call, sandbox)).length >= 5,
  ),
  'delete-again': { wrap: ofDeleted(['deleteWebhook']) },
  'delete-softly': { wrap: ofDeleted(['getWebhook']) },
  'delete-listed': { wrap: ofDeleted(['getWebhook', 'listWebhooks']) },
  'signature-hex': { relay: signedInHex },
  'signature-names': {
    relay: (posted, send) => {
      const renamed = Object.entries(posted.headers).map(([name, it]) => [
        name.replace('webhook', 'x-pix'),
        it,
      ])
      return send({ ...posted, headers: Object.fromEntries(renamed) })
    },
  },
  'secret-hex': together(field({ name: /^secret$/, show: hexOf }), {
    relay: delivering(
      (event) => event,
      (secret) => Buffer.from(hexOf(secret)),
    ),
  }),
  'events-envelope': {
    relay: delivering(({ type, timestamp, data }) => ({ event: type, created_at: timestamp, payload: data })),
  },
  'events-words': {
    relay: delivering((event) => ({
      ...event,
      type: `PIX_${String(event.type).toUpperCase().replace('.', '_')}`,
    })),
  },
  'events-thin': {
    relay: delivering(({ data, ...event }) => ({ ...event, data: only(data as Json, ['id', 'status']) })),
  },
  'events-record': {
    relay: delivering(({ data, ...event }) =>
      /^transfer\./.test(String(event.type))
        ? { ...event, data: { ...only(data as Json, ['id', 'status']), data } }
        : { ...event, data },
    ),
  },
  'events-more': { relay: announced },
  'events-fewer': {
    relay: async (posted, send) => (posted.body.includes('"type":"qrcode.cancelled"') ? 204 : send(posted)),
  },
  'one-attempt': { relay: (posted, send) => send(posted).then(() => 204) },
  'delivered-twice': { relay: (posted, send) => send(posted).then(() => send(posted)) },
  'delivered-late': { relay: (posted, send) => sleep(3000).then(() => send(posted)) },
  'old-secret-ends': {
    relay: (posted, send) => {
      const [newest = ''] = posted.headers[SIGNATURE]?.split(' ') ?? []
      return send({ ...posted, headers: { ...posted.headers, [SIGNATURE]: newest } })
    },
  },
  'guide-absent': { guide: Object.fromEntries(Object.keys(GUIDE).map((path) => [path, null])) },
  'guide-200': {
    guide: {
      [SHORT]: {
        ...GUIDE[SHORT],
        show: async (it) => (it.ok ? remade(await GUIDE[SHORT].show(it), { status: 200 }) : it),
      },
    },
  },
  'guide-type': { guide: { [SHORT]: { ...GUIDE[SHORT], ask: (body) => ({ ...body, type: 'transfer' }) } } },
}

function only(record: Json, names: readonly string[]): Json {
  return Object.fromEntries(names.map((name) => [name, record[name]]))
}

/** The webhooks of the calling partner; none for a customer. */
async function webhooksOf(call: Call, sandbox: TestSandbox, deleted = 'IS NULL'): Promise<Json[]> {
  const { partner_id, customer_id } = (await callerIn(call, sandbox)) ?? {}
  const sql = `SELECT * FROM webhooks WHERE partner_id = ? AND deleted_at ${deleted}`
  return partner_id === undefined || customer_id !== null ? [] : rows(sandbox, sql, partner_id)
}

/** Operations that still succeed for a deleted webhook. */
function ofDeleted(operations: readonly string[]): Wrap {
  return (sandbox) => async (call, next) => {
    const response = await next(call)
    if (!operations.includes(String(call.operation))) return response
    const all = await webhooksOf(call, sandbox, 'IS NOT NULL')
    if (call.operation === 'listWebhooks' && response.ok) {
      const { data } = (await bodyOf(response)) as { data: Json[] }
      const both = [...data, ...all.map(webhookOf)]
      return success(response, {
        data: both.sort((a, b) => `${b.created_at}`.localeCompare(`${a.created_at}`)),
      })
    }
    const one = all.find(({ id }) => id === call.path.webhook_id)
    if (!one) return response
    return call.operation === 'deleteWebhook'
      ? new Response(null, { status: 204 })
      : success(response, webhookOf(one))
  }
}

function webhookOf({ id, partner_id, url, type, status, created_at, updated_at, deleted_at }: Json): Json {
  const [created, updated, deleted] = [created_at, updated_at, deleted_at].map((at) =>
    new Date(Number(at)).toISOString(),
  )
  return { id, partner_id, url, type, status, created_at: created, updated_at: updated, deleted_at: deleted }
}

async function signedInHex(
  posted: Posted,
  send: Parameters<Relay>[1],
  sandbox: TestSandbox,
): Promise<number> {
  const [secret = ''] = await secretsOf(posted, sandbox)
  const hex = createHmac('sha256', secret).update(posted.body).digest('hex')
  return send({ ...posted, headers: { 'content-type': 'application/json', 'x-signature': `sha256=${hex}` } })
}

function hexOf(secret: string): string {
  return Buffer.from(secret.replace('whsec_', ''), 'base64').toString('hex')
}

/** Announces the creation of a transfer before its result. */
async function announced(posted: Posted, send: Parameters<Relay>[1], sandbox: TestSandbox): Promise<number> {
  const event: { type: string; data: Json } = JSON.parse(posted.body)
  if (event.type.startsWith('transfer.')) {
    const data = { ...event.data, status: 'pending', settled_at: '', rejection_message: '' }
    const body = JSON.stringify({ ...event, type: 'transfer.created', data })
    await send(await signedAnew(posted, body, sandbox, undefined, `${posted.headers['webhook-id']}c`))
  }
  return send(posted)
}
