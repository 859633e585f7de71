import { setTimeout as sleep } from 'node:timers/promises'
import { sample } from '@partner-payments/campaign'
import { expect, it } from 'vitest'
import { rewritten } from '../faulty/faults/deliveries.ts'
import { change, type Json } from '../faulty/json.ts'
import type { Relay } from '../faulty/sandbox.ts'
import { ask, both, changeSuccess, type Wrap } from '../faulty/wrap.ts'
import { type Change, resultOf, twice } from './over-http.ts'

const RULES = [
  'deliveries-sent',
  'deliveries-signed',
  'deliveries-subscription',
  'deliveries-retried',
  'deliveries-secrets',
]

/** The status of each rule, and the open questions of its deviations. */
async function seen(rules: readonly string[], change?: Change, options?: { deliveryWithinMs: number }) {
  const result = await resultOf(rules, change, options)
  const statuses = result.rules.filter(({ rule }) => rules.includes(rule)).map(({ status }) => status)
  return { statuses: new Set(statuses), findings: result.findings }
}

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

it.concurrent('passes on the correct service', async () => {
  const { statuses, findings } = await seen(RULES)
  expect(findings).toEqual([])
  expect(statuses).toEqual(new Set(['passed']))
})

// One level for all tests: concurrency works only within one describe block, and most of the time is waiting.
it.concurrent.each(
  sample(
    [
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
      ['deliveries-signed', 'body-written-anew', 'signature'],
      ['deliveries-signed', 'timestamp-of-an-hour-ago', 'signature'],
      ['deliveries-subscription', 'told-to-the-old-url', 'webhook-types'],
      ['deliveries-subscription', 'type-of-creation-stays', 'webhook-types'],
      ['deliveries-subscription', 'delivered-while-inactive', 'webhook-statuses'],
      ['deliveries-subscription', 'silent-once-inactive', 'webhook-statuses'],
      ['deliveries-subscription', 'update-changes-the-secret', 'webhook-types'],
      ['deliveries-secrets', 'old-secret-dropped-at-once', 'secret-rotation'],
      ['deliveries-secrets', 'old-secret-signs-for-good', 'secret-rotation'],
      ['deliveries-secrets', 'rotation-of-all-secrets', 'secret-rotation'],
    ],
    ([rule]) => rule,
  ),
)('%s reports %s as a deviation of %s', async (rule, mutant, question) => {
  const { findings } = await seen([rule], mutant)
  expect(findings.map((it) => it.rule)).toContain(rule)
  expect(new Set(findings.map((it) => it.question))).toContain(question)
})

it.concurrent('reports deliveries to a deleted webhook as a failure: a fact says that webhooks are deleted', async () => {
  const { findings } = await seen(['deliveries-subscription'], 'delivered-after-deletion')
  expect(findings).toMatchObject([{ kind: 'failure', cites: { statement: 'webhooks-managed' } }])
})

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

const unsigned: Relay = (posted, send) =>
  send({ ...posted, headers: { 'content-type': 'application/json', 'x-signature': 'sha256=00' } })

const otherNames = rewritten(change('/type', (it) => `PIX_${it}`))

it.concurrent.each(
  sample<readonly [string, Change, readonly (string | undefined)[]]>([
    ['has another word for inactive', { service: disabled }, []],
    ['has another shape of the QR record', { service: nestedService, relay: nestedEvents }, ['qr-record']],
    ['has another signature scheme', unsigned, ['signature']],
    ['has other names of events', otherNames, ['event-kinds']],
    ['sends every delivery twice', twice(), []],
  ]),
)('a service that %s departs from that question only, and fails no fact', async (_, change, questions) => {
  const { findings } = await seen(RULES.slice(0, 3), change)
  expect([...new Set(findings.map((it) => it.question))]).toEqual(questions)
  expect(findings.filter(({ kind }) => kind === 'failure')).toEqual([])
})

it.concurrent('is inconclusive where no webhook may point to this machine', async () => {
  const refused: Wrap = () => async (call, next) =>
    call.operation === 'createWebhook'
      ? Response.json({ code: 'url_not_allowed' }, { status: 422 })
      : next(call)
  const { statuses, findings } = await seen(RULES, { service: refused })
  expect(findings).toEqual([])
  expect(statuses).toEqual(new Set(['not-assessed']))
})
