import { createHmac } from 'node:crypto'
import { generateSecret, sign } from '@partner-payments/webhooks'
import type { Faults } from '../fault.ts'
import { change, drop, type Edit, type Json } from '../json.ts'
import type { Posted } from '../relay.ts'
import { problem } from '../responses.ts'
import type { Relay, TestSandbox } from '../sandbox.ts'
import { after, ask, both, changeSuccess, type Wrap } from '../wrap.ts'

const schema = ['deliveries-sent'] as const
const signed = ['deliveries-signed'] as const
const HOUR = 3_600_000

/** Deliveries that are wrong, duplicated, sent to another receiver, or missing. */
export const deliveries: Faults = {
  'signed-with-another-secret': {
    rule: signed,
    describe: 'Deliveries are signed with a secret that nobody has.',
    relay: async (posted, send) => send(await signedBy(posted, generateSecret())),
  },
  'body-written-anew': {
    rule: signed,
    describe: 'The body of a delivery is written anew after it was signed.',
    relay: (posted, send) => send({ ...posted, body: JSON.stringify(JSON.parse(posted.body), null, 1) }),
  },
  'fields-in-another-order': {
    rule: signed,
    describe: 'The fields of a delivery change their order after it was signed.',
    relay: (posted, send) => send({ ...posted, body: turnedRound(posted.body) }),
  },
  'signed-with-the-old-secret': {
    rule: ['deliveries-secrets', 'deliveries-signed'],
    describe: 'After a rotation, deliveries are signed with the old secret alone.',
    relay: async (posted, send, sandbox) => {
      const { old_secret } = await secretsOf(posted, sandbox)
      return send(old_secret ? await signedBy(posted, old_secret) : posted)
    },
  },
  'old-secret-dropped-at-once': {
    rule: ['deliveries-secrets'],
    describe: 'After a rotation, the old secret signs no more.',
    service: after('rotateWebhookSecret', (_, { path }, sandbox) =>
      sandbox.run('UPDATE webhooks SET old_secret = NULL WHERE id = ?', [path.webhook_id ?? '']),
    ),
  },
  'rotated-secret-not-used': {
    rule: ['deliveries-secrets', 'deliveries-signed'],
    describe: 'Rotating a secret shows a new one that never signs.',
    service: changeSuccess('rotateWebhookSecret', (body) => ({ ...body, secret: generateSecret() })),
  },
  'timestamp-not-signed': {
    rule: ['deliveries-signed'],
    describe: 'The signature of a delivery is not over its timestamp.',
    relay: withSignature(({ id, body }) => `${id}.${body}`),
  },
  'id-not-signed': {
    rule: signed,
    describe: 'The signature of a delivery is not over its id.',
    relay: withSignature(({ timestamp, body }) => `${timestamp}.${body}`),
  },
  'timestamp-of-an-hour-ago': {
    rule: ['deliveries-signed'],
    describe: 'Deliveries say that they were signed an hour ago.',
    relay: signedAt((now) => now - HOUR),
  },
  'timestamp-in-milliseconds': {
    rule: ['deliveries-signed', 'deliveries-sent'],
    describe: 'The timestamp of a delivery is in milliseconds.',
    relay: signedAt((now) => now * 1000),
  },
  'signature-in-hex': {
    rule: ['deliveries-sent', 'deliveries-signed'],
    describe: 'The signature of a delivery is written in hexadecimal digits.',
    relay: (posted, send) => send(withHeader(posted, 'webhook-signature', hexadecimal)),
  },
  'no-delivery-id': {
    rule: ['deliveries-sent', 'deliveries-signed'],
    describe: 'Deliveries have no webhook-id.',
    relay: (posted, send) => send(withHeader(posted, 'webhook-id', () => undefined)),
  },
  'delivery-called-text': {
    rule: schema,
    describe: 'The JSON of a delivery is called text/plain.',
    relay: (posted, send) => send(withHeader(posted, 'content-type', () => 'text/plain')),
  },
  'event-without-timestamp': {
    rule: schema,
    describe: 'Events lack their timestamp.',
    relay: rewritten(drop('/timestamp')),
  },
  'event-of-an-unknown-type': {
    rule: schema,
    describe: 'A settled transfer emits transfer.done.',
    relay: rewritten(change('/type', (it) => String(it).replace('settled', 'done'))),
  },
  'event-with-a-number': {
    rule: schema,
    describe: 'The amount of a transfer is a number in its event.',
    relay: rewritten(change('/data/amount', (it) => (typeof it === 'string' ? Number(it) : it))),
  },
  'event-without-envelope': {
    rule: schema,
    describe: 'A delivery is the record alone.',
    relay: rewritten((event) => (event as Json).data),
  },
  'not-retried': {
    rule: ['deliveries-retried'],
    describe: 'A delivery that fails is not tried again.',
    relay: async (posted, send) => {
      await send(posted).catch(() => 0)
      return 200
    },
  },
  'retried-under-another-id': {
    rule: ['deliveries-retried'],
    describe: 'Each attempt to deliver an event has an id of its own.',
    relay: async (posted, send, sandbox) => {
      const { secret } = await secretsOf(posted, sandbox)
      return send(await signedBy(withHeader(posted, 'webhook-id', newId), secret))
    },
  },
  'delivered-after-deletion': {
    rule: ['deliveries-subscription'],
    describe: 'A webhook that was deleted, and is shown to nobody, gets deliveries.',
    service: onlyHidden,
  },
  'delivered-while-inactive': {
    rule: ['deliveries-subscription'],
    describe: 'A webhook that is shown as inactive gets deliveries.',
    service: onlyShownInactive,
  },
  'delivered-to-every-type': {
    rule: ['deliveries-sent'],
    describe: 'A webhook gets events of every type, whatever its own.',
    service: onlyShownTyped,
  },
  'cancellation-not-told': {
    rule: ['deliveries-sent'],
    describe: 'The cancellation of a code emits no event.',
    relay: silent('qrcode.cancelled'),
  },
  'rejection-not-told': {
    rule: ['deliveries-sent'],
    describe: 'The rejection of a transfer emits no event.',
    relay: silent('transfer.rejected'),
  },
  'settlement-told-twice': {
    rule: ['deliveries-sent', 'one-time-values'],
    describe: 'A settlement emits two events with different ids.',
    relay: async (posted, send, sandbox) => {
      const { secret } = await secretsOf(posted, sandbox)
      await send(posted)
      return send(await signedBy(withHeader(posted, 'webhook-id', newId), secret))
    },
  },
}

type Secrets = { readonly secret: string; readonly old_secret: string | null }

const SECRETS = `
  SELECT w.secret, w.old_secret FROM deliveries d JOIN webhooks w ON w.id = d.webhook_id
  WHERE d.event_id = ? AND w.url = ? ORDER BY d.position DESC`

/** The secrets of the webhook of a delivery. */
export async function secretsOf({ url, headers }: Posted, { app }: TestSandbox): Promise<Secrets> {
  const values = [headers['webhook-id'] ?? '', url]
  const row = await app.store.read((queries) => queries.get<Secrets>(SECRETS, values))
  return row ?? { secret: generateSecret(), old_secret: null }
}

export async function signedBy(posted: Posted, secret: string, at?: number): Promise<Posted> {
  const { 'webhook-id': id = '', 'webhook-timestamp': seconds } = posted.headers
  const made = await sign(posted.body, secret, { id, now: () => at ?? Number(seconds) * 1000 })
  return { ...posted, headers: { ...posted.headers, ...made } }
}

function signedAt(moment: (now: number) => number): Relay {
  return async (posted, send, sandbox) => {
    const { secret } = await secretsOf(posted, sandbox)
    const seconds = Math.floor(moment(Number(posted.headers['webhook-timestamp']) * 1000) / 1000)
    const text = `${posted.headers['webhook-id']}.${seconds}.${posted.body}`
    const dated = withHeader(posted, 'webhook-timestamp', () => String(seconds))
    return send(withHeader(dated, 'webhook-signature', () => `v1,${mac(secret, text)}`))
  }
}

/** Signs another text than the standard defines. */
export function withSignature(text: (of: { id: string; timestamp: string; body: string }) => string): Relay {
  return async (posted, send, sandbox) => {
    const { secret } = await secretsOf(posted, sandbox)
    const { 'webhook-id': id = '', 'webhook-timestamp': timestamp = '' } = posted.headers
    const signature = `v1,${mac(secret, text({ id, timestamp, body: posted.body }))}`
    return send(withHeader(posted, 'webhook-signature', () => signature))
  }
}

export function mac(secret: string, text: string): string {
  const key = Buffer.from(secret.slice('whsec_'.length), 'base64')
  return createHmac('sha256', key).update(text).digest('base64')
}

/** Changes the body of a delivery, and signs it correctly. */
export function rewritten(edit: Edit): Relay {
  return async (posted, send, sandbox) => {
    const { secret } = await secretsOf(posted, sandbox)
    const body = JSON.stringify(edit(JSON.parse(posted.body)))
    return send(await signedBy({ ...posted, body }, secret))
  }
}

export function withHeader(
  posted: Posted,
  name: string,
  edit: (value: string) => string | undefined,
): Posted {
  const { [name]: value = '', ...others } = posted.headers
  const changed = edit(value)
  return { ...posted, headers: changed === undefined ? others : { ...others, [name]: changed } }
}

export function newId(): string {
  return `msg_${crypto.randomUUID()}`
}

function hexadecimal(signature: string): string {
  return `v1,${Buffer.from(signature.slice(3), 'base64').toString('hex')}`
}

function turnedRound(body: string): string {
  return JSON.stringify(Object.fromEntries(Object.entries(JSON.parse(body)).toReversed()))
}

export function silent(type: string): Relay {
  return async (posted, send) => (JSON.parse(posted.body).type === type ? 204 : send(posted))
}

/** Hides deleted webhooks instead of deleting them. */
function onlyHidden(sandbox: TestSandbox): ReturnType<Wrap> {
  const deleted = new Set<string>()
  const isDeleted = (id: string | undefined) => id !== undefined && deleted.has(id)
  const hide = changeSuccess('listWebhooks', (body) => ({
    ...body,
    data: (body.data as { id: string }[]).filter(({ id }) => !isDeleted(id)),
  }))
  const list = hide(sandbox)
  return async (call, next) => {
    if (isDeleted(call.path.webhook_id)) return problem(404, 'not_found')
    const response = await list(call, next)
    if (call.operation !== 'deleteWebhook' || !response.ok) return response
    await sandbox.run('UPDATE webhooks SET deleted_at = NULL WHERE id = ?', [call.path.webhook_id ?? ''])
    deleted.add(call.path.webhook_id ?? '')
    return response
  }
}

/** Shows active webhooks as inactive. */
function onlyShownInactive(sandbox: TestSandbox): ReturnType<Wrap> {
  const inactive = new Set<unknown>()
  return shownWith(
    (webhook) => (inactive.has(webhook.id) ? { ...webhook, status: 'inactive' } : webhook),
    (id, body) => {
      if (body.status === 'inactive') inactive.add(id)
      else inactive.delete(id)
      return { ...body, status: 'active' }
    },
  )(sandbox)
}

type Shown = (webhook: Json) => Json
type Changed = (id: string | undefined, body: Json) => Json

export function shownWith(show: Shown, changed: Changed): Wrap {
  const shown = both(
    changeSuccess('listWebhooks', (body) => ({ ...body, data: (body.data as Json[]).map(show) })),
    both(changeSuccess('getWebhook', show), changeSuccess('updateWebhook', show)),
  )
  const isRight = (body: Json) => body.status === 'inactive' || body.status === 'active'
  return both(
    shown,
    ask('updateWebhook', (body, { path }) => (isRight(body) ? changed(path.webhook_id, body) : body)),
  )
}

const TYPES = ['transfer', 'qrcode']

/** Shows the requested types of webhooks, but stores them all as type all. */
function onlyShownTyped(sandbox: TestSandbox): ReturnType<Wrap> {
  const types = new Map<unknown, unknown>()
  const show: Shown = (webhook) => ({ ...webhook, type: types.get(webhook.id) ?? webhook.type })
  const shown = shownWith(show, (id, body) => {
    types.set(id, body.type)
    return TYPES.includes(String(body.type)) ? { ...body, type: 'all' } : body
  })
  return both(shown, typed(types))(sandbox)
}

/** Stores webhooks of some types as type all, and remembers the requested types. */
export function typed(types: Map<unknown, unknown>, of: readonly string[] = TYPES): Wrap {
  return both(
    after('createWebhook', async ({ id }, call) => {
      types.set(id, call.json?.type)
    }),
    ask(
      'createWebhook',
      change('/type', (it) => (of.includes(String(it)) ? 'all' : it)),
    ),
  )
}
