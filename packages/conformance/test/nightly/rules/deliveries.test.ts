import { setTimeout as sleep } from 'node:timers/promises'
import { expect, it } from 'vitest'
import { rewritten } from '../../faulty/faults/deliveries.ts'
import { change, type Json } from '../../faulty/json.ts'
import type { Relay } from '../../faulty/sandbox.ts'
import { ask, both, changeSuccess, type Wrap } from '../../faulty/wrap.ts'
import { expectDeviation, expectOnly, seen } from '../../rules/deliveries.ts'
import { type Change, twice } from '../../rules/over-http.ts'

/** Once a delivery is attempted again, each arrives later than the rule waits for one. */
function lagging(ms: number): Relay {
  const attempted = new Set<string>()
  let isLagging = false
  return async (posted, send) => {
    const key = `${posted.url} ${posted.headers['webhook-id']}`
    isLagging ||= attempted.has(key)
    attempted.add(key)
    if (isLagging) await sleep(ms)
    return send(posted)
  }
}

// First, because it waits longest.
it.concurrent('does not report a second attempt that is as late as every other delivery', async () => {
  const { statuses, findings } = await seen(['deliveries-retried'], lagging(4_700), {
    deliveryWithinMs: 2_000,
  })
  expect(findings).toEqual([])
  expect(statuses).toEqual(new Set(['passed']))
})

// One level for all tests: concurrency works only within one describe block, and most of the time is waiting.
it.concurrent.each([
  ['deliveries-retried', 'not-retried-after-429', 'delivery'],
  ['deliveries-retried', 'redirect-followed', 'delivery'],
  ['deliveries-retried', 'retried-after-202', 'delivery'],
  ['deliveries-retried', 'retried-under-another-id', 'delivery'],
  ['deliveries-retried', 'second-attempt-signed-as-the-first', 'signature'],
  ['deliveries-sent', 'newest-webhook-alone-told', 'event-kinds'],
  ['deliveries-sent', 'due-date-payment-not-told', 'event-kinds'],
  ['deliveries-sent', 'second-cancellation-told', 'event-kinds'],
  ['deliveries-sent', 'event-of-another-amount', 'event-kinds'],
  ['deliveries-sent', 'rejection-told-as-settled', 'event-kinds'],
  ['deliveries-sent', 'settled-tomorrow', 'event-kinds'],
  ['deliveries-sent', 'settlement-without-moment', 'transfer-statuses'],
  ['deliveries-sent', 'transfers-told-to-type-qrcode', 'webhook-types'],
  ['deliveries-sent', 'told-to-another-partner', 'record-owners'],
  ['deliveries-sent', 'one-id-for-all-events', 'signature'],
  ['deliveries-signed', 'timestamp-of-an-hour-ago', 'signature'],
  ['deliveries-subscription', 'told-to-the-old-url', 'webhook-types'],
  ['deliveries-subscription', 'delivered-while-inactive', 'webhook-statuses'],
  ['deliveries-subscription', 'silent-once-inactive', 'webhook-statuses'],
  ['deliveries-subscription', 'update-changes-the-secret', 'webhook-types'],
  ['deliveries-secrets', 'old-secret-signs-for-good', 'secret-rotation'],
  ['deliveries-secrets', 'rotation-of-all-secrets', 'secret-rotation'],
])('%s reports %s as a deviation of %s', expectDeviation)

/** Another value of a status, also in requests. */
const disabled: Wrap = both(
  ask('updateWebhook', (body) => (body.status === 'inactive' ? { ...body, status: 'none' } : body)),
  ask('updateWebhook', (body) => (body.status === 'disabled' ? { ...body, status: 'inactive' } : body)),
)

/** Another structure of a QR code record: only the id stays in its place. */
const nested = ({ id, ...charge }: Json): Json => ({ id, charge })
const nestedService: Wrap = both(
  both(changeSuccess('createImmediateQrCode', nested), changeSuccess('createDueDateQrCode', nested)),
  both(changeSuccess('cancelImmediateQrCode', nested), changeSuccess('cancelDueDateQrCode', nested)),
)
const nestedEvents: Relay = rewritten((event) => {
  const { type, data } = event as Json
  return String(type).startsWith('qrcode.') ? { ...(event as Json), data: nested(data as Json) } : event
})

const otherNames = rewritten(change('/type', (it) => `PIX_${it}`))

it.concurrent.each<readonly [string, Change, readonly (string | undefined)[]]>([
  ['has another word for inactive', { service: disabled }, []],
  ['has another shape of the QR record', { service: nestedService, relay: nestedEvents }, ['qr-record']],
  ['has other names of events', otherNames, ['event-kinds']],
  ['sends every delivery twice', twice(), []],
])('a service that %s departs from that question only, and fails no fact', (_, change, questions) =>
  expectOnly(change, questions),
)
