import { createHmac } from 'node:crypto'
import type { Call } from '../services/call.ts'
import type { Posted } from '../services/listen.ts'
import { problem } from '../services/responses.ts'
import type { Relay, TestSandbox } from '../services/sandbox.ts'
import { GUIDE } from '../services/service.ts'
import { callerOf, rowOf, secretsOf } from '../services/state.ts'
import { type Next, onResponse, type Services, together } from '../services/wrap.ts'
import { delivering, type Scope, words } from './kit.ts'

const WEBHOOKS: Scope = new Set([
  'createWebhook',
  'listWebhooks',
  'getWebhook',
  'updateWebhook',
  'rotateWebhookSecret',
  'deleteWebhook',
])
const SHORT = 'POST /partners/webhooks'
const SIGNATURE = 'webhook-signature'

export const webhooks: Services = {
  'webhook-words': together(
    words('status', WEBHOOKS, { inactive: 'disabled' }),
    words('type', WEBHOOKS, { transfer: 'pix_out', qrcode: 'pix_in' }),
  ),
  'url-any': {
    prepare: ({ app }) => Object.assign(app.context, { checkTarget: async () => undefined }),
  },
  'delete-again': { operations: 'deleteWebhook', wrap: deletedAgain },
  'signature-hex': { relay: signedInHex },
  'signature-with-time': { relay: signedWithTime },
  'events-envelope': {
    relay: delivering(({ type, timestamp, data }) => ({
      event: type,
      created_at: timestamp,
      payload: data,
    })),
  },
  'credits-untold': {
    prepare: ({ run }) =>
      run(`CREATE TRIGGER untold AFTER INSERT ON deliveries
        WHEN (SELECT type FROM events WHERE id = NEW.event_id) = 'transfer.received'
        BEGIN UPDATE deliveries SET status = 'dropped', due_at = NULL
          WHERE position = NEW.position; END`),
  },
  'delivered-twice': { relay: (posted, send) => send(posted).then(() => send(posted)) },
  'one-attempt': { relay: (posted, send) => send(posted).then(() => 204) },
  'old-secret-ends': {
    relay: (posted, send) => {
      const [newest = ''] = posted.headers[SIGNATURE]?.split(' ') ?? []
      return send({ ...posted, headers: { ...posted.headers, [SIGNATURE]: newest } })
    },
  },
  'guide-absent': { guide: withoutShortPaths() },
  'guide-forbidden': {
    guide: withoutShortPaths(),
    ...onResponse((response, { url }) =>
      url.pathname.endsWith('/none') ? problem(403, 'forbidden') : response,
    ),
  },
  'guide-type': {
    guide: { [SHORT]: { ...GUIDE[SHORT], ask: (body) => ({ ...body, type: 'transfer' }) } },
  },
}

function withoutShortPaths(): Readonly<Record<string, null>> {
  const paths = Object.keys(GUIDE)
  return Object.fromEntries(paths.map((path) => [path, null]))
}

/** A deleted webhook of the calling partner can be deleted again. */
async function deletedAgain(call: Call, next: Next, sandbox: TestSandbox): Promise<Response> {
  const response = await next(call)
  const caller = await callerOf(call, sandbox)
  const isPartner = caller?.customer_id === null
  if (!isPartner) return response
  const sql = `SELECT 1 AS found FROM webhooks
    WHERE id = ? AND partner_id = ? AND deleted_at IS NOT NULL`
  const deleted = await rowOf(sandbox, sql, call.path.webhook_id, caller.partner_id)
  return deleted ? new Response(null, { status: 204 }) : response
}

async function signedInHex(
  posted: Posted,
  send: Parameters<Relay>[1],
  sandbox: TestSandbox,
): Promise<number> {
  const [secret = ''] = await secretsOf(sandbox, posted)
  const hex = createHmac('sha256', secret).update(posted.body).digest('hex')
  return send({
    ...posted,
    headers: { 'content-type': 'application/json', 'x-signature': `sha256=${hex}` },
  })
}

/** Signs the time and the body, and shows both the time and the signature in one header. */
async function signedWithTime(
  posted: Posted,
  send: Parameters<Relay>[1],
  sandbox: TestSandbox,
): Promise<number> {
  const [secret = ''] = await secretsOf(sandbox, posted)
  const time = posted.headers['webhook-timestamp']
  const hex = createHmac('sha256', secret).update(`${time}.${posted.body}`).digest('hex')
  return send({
    ...posted,
    headers: { 'content-type': 'application/json', 'x-signature': `t=${time},v1=${hex}` },
  })
}
