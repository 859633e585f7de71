import { createHmac } from 'node:crypto'
import type { Call } from '../services/call.ts'
import type { Json } from '../services/json.ts'
import type { Posted } from '../services/relay.ts'
import { bodyOf } from '../services/responses.ts'
import type { Relay, TestSandbox } from '../services/sandbox.ts'
import { callerOf, rowsOf, secretsOf } from '../services/state.ts'
import type { Wrap } from '../services/wrap.ts'
import { delivering, success, words } from './kit.ts'
import { GUIDE, type Services } from './service.ts'

const WEBHOOKS = /Webhook/
const SHORT = 'POST /partners/webhooks'
const SIGNATURE = 'webhook-signature'

export const webhooks: Services = {
  'status-disabled': words(/^status$/, WEBHOOKS, { inactive: 'disabled' }),
  'types-pix': words(/^type$/, WEBHOOKS, { transfer: 'pix_out', qrcode: 'pix_in' }),
  'url-any': {
    prepare: ({ app }) => Object.assign(app.context, { checkTarget: async () => undefined }),
  },
  'delete-again': { wrap: ofDeleted(['deleteWebhook']) },
  'signature-hex': { relay: signedInHex },
  'events-envelope': {
    relay: delivering(({ type, timestamp, data }) => ({ event: type, created_at: timestamp, payload: data })),
  },
  'one-attempt': { relay: (posted, send) => send(posted).then(() => 204) },
  'old-secret-ends': {
    relay: (posted, send) => {
      const [newest = ''] = posted.headers[SIGNATURE]?.split(' ') ?? []
      return send({ ...posted, headers: { ...posted.headers, [SIGNATURE]: newest } })
    },
  },
  'guide-absent': { guide: Object.fromEntries(Object.keys(GUIDE).map((path) => [path, null])) },
  'guide-type': { guide: { [SHORT]: { ...GUIDE[SHORT], ask: (body) => ({ ...body, type: 'transfer' }) } } },
}

/** The webhooks of the calling partner; none for a customer. */
async function webhooksOf(call: Call, sandbox: TestSandbox, deleted = 'IS NULL'): Promise<Json[]> {
  const { partner_id, customer_id } = (await callerOf(call, sandbox)) ?? {}
  const sql = `SELECT * FROM webhooks WHERE partner_id = ? AND deleted_at ${deleted}`
  return partner_id === undefined || customer_id !== null ? [] : rowsOf<Json>(sandbox, sql, [partner_id])
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
  const [secret = ''] = await secretsOf(sandbox, posted)
  const hex = createHmac('sha256', secret).update(posted.body).digest('hex')
  return send({ ...posted, headers: { 'content-type': 'application/json', 'x-signature': `sha256=${hex}` } })
}
