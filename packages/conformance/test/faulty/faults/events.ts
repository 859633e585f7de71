import type { Faults } from '../fault.ts'
import { change, type Json, set } from '../json.ts'
import type { Relay, TestSandbox } from '../sandbox.ts'
import { after, both, type Wrap } from '../wrap.ts'
import { mac, rewritten, secretsOf, shownWith, signedBy, silent, typed, withHeader } from './deliveries.ts'

const follows = ['deliveries-subscription'] as const
const record = ['deliveries-sent'] as const
const signed = ['deliveries-signed', 'deliveries-sent'] as const

/** Events with wrong content, or for the wrong or too few webhooks. */
export const events: Faults = {
  'told-to-another-partner': {
    rule: ['deliveries-sent'],
    describe: 'The webhooks of every partner get the events of all.',
    relay: toEverybody,
  },
  'one-id-for-all-events': {
    rule: ['deliveries-sent'],
    describe: 'All events have the same webhook-id.',
    relay: async (posted, send, sandbox) => {
      const { secret } = await secretsOf(posted, sandbox)
      return send(
        await signedBy(
          withHeader(posted, 'webhook-id', () => 'msg_1'),
          secret,
        ),
      )
    },
  },
  'transfers-told-to-type-qrcode': {
    rule: ['deliveries-sent'],
    describe: 'A webhook for QR codes gets the events of transfers.',
    service: qrcodeAsAll,
  },
  'type-of-creation-stays': {
    rule: follows,
    describe: 'Which events a webhook gets is settled when it is created.',
    service: typeOfCreation,
  },
  'told-to-the-old-url': {
    rule: follows,
    describe: 'A webhook whose URL was changed gets events at the old URL.',
    service: urlOfCreation,
  },
  'silent-once-inactive': {
    rule: [...follows, 'deliveries-subscription'],
    describe: 'A webhook that was inactive once gets nothing when it is active again.',
    service: inactiveForGood,
  },
  'update-changes-the-secret': {
    rule: follows,
    describe: 'A change of a webhook changes its secret, which it does not show.',
    service: after('updateWebhook', (_, { path }, sandbox) =>
      sandbox.run(`UPDATE webhooks SET secret = 'whsec_' || ? WHERE id = ?`, [
        Buffer.alloc(32, 7).toString('base64'),
        path.webhook_id ?? '',
      ]),
    ),
  },
  'newest-webhook-alone-told': {
    rule: ['deliveries-sent'],
    describe: 'Of several webhooks, only the newest gets events.',
    relay: onlyNewest,
  },
  'payment-of-a-code-not-told': {
    rule: ['deliveries-sent'],
    describe: 'The payment of a code emits no event.',
    relay: silent('qrcode.paid'),
  },
  'cancellation-told-as-paid': {
    rule: ['deliveries-sent', ...record],
    describe: 'A cancellation emits a payment event.',
    relay: rewritten((event) => retyped(event as Json, 'qrcode.cancelled', 'qrcode.paid')),
  },
  'rejection-told-as-settled': {
    rule: ['deliveries-sent'],
    describe: 'A rejection emits a settlement event, with a record that says rejected.',
    relay: rewritten((event) => retyped(event as Json, 'transfer.rejected', 'transfer.settled')),
  },
  'event-of-the-state-before': {
    rule: record,
    describe: 'The event of a cancellation shows the code as it was before.',
    relay: rewritten(
      change('/data', (it) =>
        /^REMOVIDA/.test(String((it as Json).status))
          ? { ...(it as Json), status: 'ATIVA', revision: 0 }
          : it,
      ),
    ),
  },
  'event-of-another-amount': {
    rule: record,
    describe: 'The event of a transfer shows a centavo more.',
    relay: rewritten(
      change('/data/amount', (it) => (typeof it === 'string' ? (Number(it) + 0.01).toFixed(2) : it)),
    ),
  },
  'event-of-1970': {
    rule: record,
    describe: 'Events happened in 1970.',
    relay: rewritten(set('/timestamp', '1970-01-01T00:00:00Z')),
  },
  'settlement-without-moment': {
    rule: ['invariants', ...record],
    describe: 'The event of a settlement does not say when it was.',
    relay: rewritten(
      change('/data', (it) => ('settled_at' in (it as Json) ? { ...(it as Json), settled_at: '' } : it)),
    ),
  },
  'old-secret-signs-for-good': {
    rule: ['deliveries-secrets'],
    describe: 'After a rotation, the old secret never ends to sign.',
    service: after('rotateWebhookSecret', (_, { path }, sandbox) =>
      sandbox.run('UPDATE webhooks SET old_secret_until = ? WHERE id = ?', [
        8_000_000_000_000_000n,
        path.webhook_id ?? '',
      ]),
    ),
  },
  'rotation-of-all-secrets': {
    rule: ['deliveries-secrets'],
    describe: 'A rotation changes the secrets of all webhooks.',
    service: after('rotateWebhookSecret', ({ secret }, _, sandbox) =>
      sandbox.run('UPDATE webhooks SET secret = ? WHERE secret <> ?', [String(secret), String(secret)]),
    ),
  },
  'signature-in-base64url': {
    rule: signed,
    describe: 'The signature of a delivery is written in the other alphabet of base64.',
    relay: (posted, send) =>
      send(withHeader(posted, 'webhook-signature', (it) => `v1,${inUrl(it.slice(3))}`)),
  },
  'signed-with-the-text-of-the-secret': {
    rule: signed,
    describe: 'Deliveries are signed with the secret as a text, prefix and all.',
    relay: async (posted, send, sandbox) => {
      const { secret } = await secretsOf(posted, sandbox)
      const { 'webhook-id': id, 'webhook-timestamp': timestamp } = posted.headers
      const key = `whsec_${Buffer.from(secret).toString('base64')}`
      const signature = `v1,${mac(key, `${id}.${timestamp}.${posted.body}`)}`
      return send(withHeader(posted, 'webhook-signature', () => signature))
    },
  },
}

function inUrl(base64: string): string {
  // Every signature must differ, whatever its characters.
  return Buffer.from(base64, 'base64').toString('base64url')
}

function retyped(event: Json, from: string, to: string): Json {
  return event.type === from ? { ...event, type: to } : event
}

type Target = { readonly url: string; readonly secret: string }

const STRANGERS = `
  SELECT o.url, o.secret FROM webhooks o WHERE o.deleted_at IS NULL AND o.partner_id <>
  (SELECT e.partner_id FROM events e WHERE e.id = ?)`

async function toEverybody(...[posted, send, sandbox]: Parameters<Relay>): Promise<number> {
  const id = posted.headers['webhook-id'] ?? ''
  const others = await sandbox.app.store.read((queries) => queries.all<Target>(STRANGERS, [id]))
  for (const { url, secret } of others) await send(await signedBy({ ...posted, url }, secret)).catch(() => 0)
  return send(posted)
}

/** Stores webhooks of type qrcode as type all, and shows them as requested. */
function qrcodeAsAll(sandbox: TestSandbox): ReturnType<Wrap> {
  const types = new Map<unknown, unknown>()
  return both(
    shownWith(
      (webhook) => ({ ...webhook, type: types.get(webhook.id) ?? webhook.type }),
      (id, body) => {
        types.set(id, body.type)
        return body.type === 'qrcode' ? { ...body, type: 'all' } : body
      },
    ),
    typed(types, ['qrcode']),
  )(sandbox)
}

/** Keeps a field at its initial value, but shows the updated one. */
function ofCreation(field: 'type' | 'url'): Wrap {
  return (sandbox) => {
    const [first, now] = [new Map<unknown, unknown>(), new Map<unknown, unknown>()]
    return both(
      shownWith(
        (webhook) => ({ ...webhook, [field]: now.get(webhook.id) ?? webhook[field] }),
        (id, body) => {
          now.set(id, body[field])
          return { ...body, [field]: first.get(id) ?? body[field] }
        },
      ),
      after('createWebhook', async ({ id }, call) => {
        first.set(id, call.json?.[field])
      }),
    )(sandbox)
  }
}

function typeOfCreation(sandbox: TestSandbox): ReturnType<Wrap> {
  return ofCreation('type')(sandbox)
}

function urlOfCreation(sandbox: TestSandbox): ReturnType<Wrap> {
  return ofCreation('url')(sandbox)
}

/** Shows an inactive webhook as active again. */
function inactiveForGood(sandbox: TestSandbox): ReturnType<Wrap> {
  const [off, shown] = [new Set<unknown>(), new Map<unknown, unknown>()]
  return shownWith(
    (webhook) => ({ ...webhook, status: shown.get(webhook.id) ?? webhook.status }),
    (id, body) => {
      shown.set(id, body.status)
      if (body.status === 'inactive') off.add(id)
      return off.has(id) ? { ...body, status: 'inactive' } : body
    },
  )(sandbox)
}

const NEWEST = 'SELECT url FROM webhooks WHERE deleted_at IS NULL ORDER BY position DESC LIMIT 1'

async function onlyNewest(...[posted, send, sandbox]: Parameters<Relay>): Promise<number> {
  const newest = await sandbox.app.store.read((queries) => queries.get<{ url: string }>(NEWEST))
  return newest?.url === posted.url ? send(posted) : 204
}
