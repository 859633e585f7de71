import type { Faults } from '../fault.ts'
import { at, change, type Json } from '../json.ts'
import type { Posted } from '../relay.ts'
import type { Relay } from '../sandbox.ts'
import { changeResponse } from '../wrap.ts'
import { newId, rewritten, secretsOf, signedBy } from './deliveries.ts'

const HOUR = 3_600_000
const CUSTOMERS_ACCOUNT = 'a4c26fae-7b74-4a7e-a5e0-8f2917a1a87e'
const record = ['deliveries-sent'] as const

/** Deliveries that go wrong for one kind of record, or in one case. */
export const deliveryDetails: Faults = {
  'due-date-cancellation-not-told': {
    rule: ['deliveries-sent'],
    describe: 'The cancellation of a due-date code emits no event.',
    relay: unless((it) => it.type === 'qrcode.cancelled' && at(it, '/data/kind') === 'DueDate'),
  },
  'due-date-payment-not-told': {
    rule: ['deliveries-sent'],
    describe: 'The payment of a due-date code emits no event.',
    relay: unless((it) => it.type === 'qrcode.paid' && at(it, '/data/kind') === 'DueDate'),
  },
  'settlement-by-code-not-told': {
    rule: ['deliveries-sent'],
    describe: 'The settlement of a transfer by code emits no event.',
    relay: unless((it) => /^QR/.test(String(at(it, '/data/initiation_type')))),
  },
  'transfers-of-customers-not-told': {
    rule: ['deliveries-sent'],
    describe: 'The settlement of a transfer of a customer emits no event.',
    relay: unless((it) => at(it, '/data/account_id') === CUSTOMERS_ACCOUNT),
  },
  'second-cancellation-told': {
    rule: ['deliveries-sent', 'deliveries-retried'],
    describe: 'A repeated cancellation of a code emits another event.',
    ...sentAgain(),
  },
  'settled-tomorrow': {
    rule: record,
    describe: 'The event of a settlement says that it will be tomorrow.',
    relay: rewritten(
      change('/data/settled_at', (it) =>
        it ? new Date(Date.parse(String(it)) + 24 * HOUR).toISOString() : it,
      ),
    ),
  },
  'due-date-event-without-payer': {
    rule: record,
    describe: 'The events of due-date codes show no payer.',
    relay: rewritten(
      change('/data', (it) => ((it as Json).kind === 'DueDate' ? { ...(it as Json), payer: null } : it)),
    ),
  },
  'old-secret-ends-after-an-hour': {
    operation: 'rotateWebhookSecret',
    elsewhere: ['createWebhook'],
    rule: ['deliveries-secrets'],
    describe: 'The old secret signs for an hour after a rotation.',
    afterwards: (_, { path }, sandbox) =>
      sandbox.run('UPDATE webhooks SET old_secret_until = ? WHERE id = ?', [
        BigInt(sandbox.app.clock.now() + HOUR),
        path.webhook_id ?? '',
      ]),
  },
  'query-of-url-not-sent': {
    rule: ['deliveries-sent'],
    describe: 'Deliveries go to the URL of a webhook without its query.',
    relay: (posted, send) => send({ ...posted, url: posted.url.replace(/\?.*$/, '') }),
  },
}

function unless(isMeant: (event: Json) => boolean): Relay {
  return async (posted, send) => (isMeant(JSON.parse(posted.body)) ? 204 : send(posted))
}

/** Sends the event of a cancellation again with another id when the record is cancelled again. */
function sentAgain() {
  const resend = new Map<string, (() => Promise<unknown>)[]>()
  const relay: Relay = async (posted, send, sandbox) => {
    const { type, data } = JSON.parse(posted.body)
    const again = async () => send(await renamed(posted, sandbox))
    if (type === 'qrcode.cancelled') resend.set(data.id, [...(resend.get(data.id) ?? []), again])
    return send(posted)
  }
  const service = changeResponse('cancelImmediateQrCode', async (response, { path }) => {
    for (const again of (response.ok && resend.get(path.id ?? '')) || []) again().catch(() => {})
    return response
  })
  return { relay, service }
}

async function renamed(posted: Posted, sandbox: Parameters<Relay>[2]): Promise<Posted> {
  const { secret } = await secretsOf(posted, sandbox)
  return signedBy({ ...posted, headers: { ...posted.headers, 'webhook-id': newId() } }, secret)
}
