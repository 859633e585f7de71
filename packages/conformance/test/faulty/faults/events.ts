import type { Faults } from '../fault.ts'
import { change, type Json, set } from '../json.ts'
import type { Relay, World } from '../world.ts'
import { after, both, type Wrap } from '../wrap.ts'
import { mac, rewritten, secretsOf, shownWith, signedBy, silent, typed, withHeader } from './deliveries.ts'

const follows = ['deliveries-subscription'] as const
const record = ['deliveries-sent'] as const
const signed = ['deliveries-signed', 'deliveries-sent'] as const

/** Events that tell something else, to somebody else, or to too few. */
export const events = {
  'told-to-another-partner': {
    rule: ['deliveries-sent'],
    describe: 'The webhooks of every partner get the events of all.',
    plant: { relay: toEverybody },
  },
  'one-id-for-all-events': {
    rule: ['deliveries-sent'],
    describe: 'All events have the same webhook-id.',
    plant: {
      relay: async (posted, send, world) => {
        const { secret } = await secretsOf(posted, world)
        return send(
          await signedBy(
            withHeader(posted, 'webhook-id', () => 'msg_1'),
            secret,
          ),
        )
      },
    },
  },
  'transfers-told-to-type-qrcode': {
    rule: ['deliveries-sent'],
    describe: 'A webhook for QR codes gets the events of transfers.',
    plant: { service: qrcodeAsAll },
  },
  'type-of-creation-stays': {
    rule: follows,
    describe: 'Which events a webhook gets is settled when it is created.',
    plant: { service: typeOfCreation },
  },
  'told-to-the-old-url': {
    rule: follows,
    describe: 'A webhook whose URL was changed is told at the old one.',
    plant: { service: urlOfCreation },
  },
  'silent-once-inactive': {
    rule: [...follows, 'deliveries-subscription'],
    describe: 'A webhook that was inactive once gets nothing when it is active again.',
    plant: { service: inactiveForGood },
  },
  'update-changes-the-secret': {
    rule: follows,
    describe: 'A change of a webhook changes its secret, which it does not show.',
    plant: {
      service: after('updateWebhook', (_, { path }, world) =>
        world.run(`UPDATE webhooks SET secret = 'whsec_' || ? WHERE id = ?`, [
          Buffer.alloc(32, 7).toString('base64'),
          path.webhook_id ?? '',
        ]),
      ),
    },
  },
  'newest-webhook-alone-told': {
    rule: ['deliveries-sent'],
    describe: 'Of several webhooks, the one that was created last is told.',
    plant: { relay: onlyNewest },
  },
  'payment-of-a-code-not-told': {
    rule: ['deliveries-sent'],
    describe: 'That a code was paid is told to nobody.',
    plant: { relay: silent('qrcode.paid') },
  },
  'cancellation-told-as-paid': {
    rule: ['deliveries-sent', ...record],
    describe: 'A cancellation is told as a payment.',
    plant: { relay: rewritten((event) => retyped(event as Json, 'qrcode.cancelled', 'qrcode.paid')) },
  },
  'rejection-told-as-settled': {
    rule: ['deliveries-sent'],
    describe: 'A rejection is told as a settlement, beside a record that says rejected.',
    plant: { relay: rewritten((event) => retyped(event as Json, 'transfer.rejected', 'transfer.settled')) },
  },
  'event-of-the-state-before': {
    rule: record,
    describe: 'The event of a cancellation shows the code as it was before.',
    plant: {
      relay: rewritten(
        change('/data', (it) =>
          /^REMOVIDA/.test(String((it as Json).status))
            ? { ...(it as Json), status: 'ATIVA', revision: 0 }
            : it,
        ),
      ),
    },
  },
  'event-of-another-amount': {
    rule: record,
    describe: 'The event of a transfer shows a centavo more.',
    plant: {
      relay: rewritten(
        change('/data/amount', (it) => (typeof it === 'string' ? (Number(it) + 0.01).toFixed(2) : it)),
      ),
    },
  },
  'event-of-1970': {
    rule: record,
    describe: 'Events happened in 1970.',
    plant: { relay: rewritten(set('/timestamp', '1970-01-01T00:00:00Z')) },
  },
  'settlement-without-moment': {
    rule: ['invariants', ...record],
    describe: 'The event of a settlement does not say when it was.',
    plant: {
      relay: rewritten(
        change('/data', (it) => ('settled_at' in (it as Json) ? { ...(it as Json), settled_at: '' } : it)),
      ),
    },
  },
  'old-secret-signs-for-good': {
    rule: ['deliveries-secrets'],
    describe: 'After a rotation, the old secret never ends to sign.',
    plant: {
      service: after('rotateWebhookSecret', (_, { path }, world) =>
        world.run('UPDATE webhooks SET old_secret_until = ? WHERE id = ?', [
          8_000_000_000_000_000n,
          path.webhook_id ?? '',
        ]),
      ),
    },
  },
  'rotation-of-all-secrets': {
    rule: ['deliveries-secrets'],
    describe: 'A rotation changes the secrets of all webhooks.',
    plant: {
      service: after('rotateWebhookSecret', ({ secret }, _, world) =>
        world.run('UPDATE webhooks SET secret = ? WHERE secret <> ?', [String(secret), String(secret)]),
      ),
    },
  },
  'signature-in-base64url': {
    rule: signed,
    describe: 'The signature of a delivery is written in the other alphabet of base64.',
    plant: {
      relay: (posted, send) =>
        send(withHeader(posted, 'webhook-signature', (it) => `v1,${inUrl(it.slice(3))}`)),
    },
  },
  'signed-with-the-text-of-the-secret': {
    rule: signed,
    describe: 'Deliveries are signed with the secret as a text, prefix and all.',
    plant: {
      relay: async (posted, send, world) => {
        const { secret } = await secretsOf(posted, world)
        const { 'webhook-id': id, 'webhook-timestamp': timestamp } = posted.headers
        const key = `whsec_${Buffer.from(secret).toString('base64')}`
        const signature = `v1,${mac(key, `${id}.${timestamp}.${posted.body}`)}`
        return send(withHeader(posted, 'webhook-signature', () => signature))
      },
    },
  },
} satisfies Faults

function inUrl(base64: string): string {
  // Every signature is to be another one, whatever its letters.
  return Buffer.from(base64, 'base64').toString('base64url')
}

function retyped(event: Json, from: string, to: string): Json {
  return event.type === from ? { ...event, type: to } : event
}

type Target = { readonly url: string; readonly secret: string }

const STRANGERS = `
  SELECT o.url, o.secret FROM webhooks o WHERE o.deleted_at IS NULL AND o.partner_id <>
  (SELECT e.partner_id FROM events e WHERE e.id = ?)`

async function toEverybody(...[posted, send, world]: Parameters<Relay>): Promise<number> {
  const id = posted.headers['webhook-id'] ?? ''
  const others = await world.app.store.read((queries) => queries.all<Target>(STRANGERS, [id]))
  for (const { url, secret } of others) await send(await signedBy({ ...posted, url }, secret)).catch(() => 0)
  return send(posted)
}

/** Keeps webhooks of the type qrcode as all, and shows them as they should be. */
function qrcodeAsAll(world: World): ReturnType<Wrap> {
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
  )(world)
}

/** Keeps a member as it was at the creation, and shows what the update has set. */
function ofCreation(member: 'type' | 'url'): Wrap {
  return (world) => {
    const [first, now] = [new Map<unknown, unknown>(), new Map<unknown, unknown>()]
    return both(
      shownWith(
        (webhook) => ({ ...webhook, [member]: now.get(webhook.id) ?? webhook[member] }),
        (id, body) => {
          now.set(id, body[member])
          return { ...body, [member]: first.get(id) ?? body[member] }
        },
      ),
      after('createWebhook', async ({ id }, call) => {
        first.set(id, call.json?.[member])
      }),
    )(world)
  }
}

function typeOfCreation(world: World): ReturnType<Wrap> {
  return ofCreation('type')(world)
}

function urlOfCreation(world: World): ReturnType<Wrap> {
  return ofCreation('url')(world)
}

/** Shows a webhook as active again that is not. */
function inactiveForGood(world: World): ReturnType<Wrap> {
  const [off, shown] = [new Set<unknown>(), new Map<unknown, unknown>()]
  return shownWith(
    (webhook) => ({ ...webhook, status: shown.get(webhook.id) ?? webhook.status }),
    (id, body) => {
      shown.set(id, body.status)
      if (body.status === 'inactive') off.add(id)
      return off.has(id) ? { ...body, status: 'inactive' } : body
    },
  )(world)
}

const NEWEST = 'SELECT url FROM webhooks WHERE deleted_at IS NULL ORDER BY position DESC LIMIT 1'

async function onlyNewest(...[posted, send, world]: Parameters<Relay>): Promise<number> {
  const newest = await world.app.store.read((queries) => queries.get<{ url: string }>(NEWEST))
  return newest?.url === posted.url ? send(posted) : 204
}
