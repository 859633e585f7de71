import { expect, test } from 'vitest'
import { rules } from '../src/rules/index.ts'
import {
  cancel,
  charge,
  codeOf,
  type Delivered,
  deliver,
  example,
  expectFindingsWith,
  findings,
  inOrder,
  pass,
  payCode,
  read,
  readStory,
  remove,
  rotate,
  update,
  webhook,
  webhookOf,
} from './story.ts'

const url = 'https://elsewhere.example/pix'
const second = webhookOf({ url: 'https://second.example/pix' })
const before = String(example('createAll').url)
const HOUR = 3_600_000
/** The webhooks, and a QR code that was cancelled. */
const cancelled = inOrder(charge, cancel())
/** Time passes, then an event shows that the service still delivers. */
const control = (ms = 10_000) => inOrder(pass(ms), cancelled, deliver())
/** The event of a webhook's first code. */
const delivered = (it: Delivered = {}) => inOrder(webhook, cancelled, deliver(it))
const failing = (status: number) => delivered({ status, message: 'm' })
const again = deliver({ message: 'm' })

/** A transfer, and the event that it was rejected. */
const rejected = (settled_at: string) => {
  const { data } = example('immediatePending')
  const shown = { ...Object(data), status: 'rejected', rejection_message: 'AC03', settled_at }
  return [webhook, payCode(), deliver({ name: 'transferRejectedEvent', data: shown })]
}

/** Tokens end while a story waits for a day. */
const WITHOUT_ACCESS = { rules: rules.filter(({ id }) => !/^(access|codes-images)/.test(id)) }
const change = (sent: Record<string, unknown>) => update(sent, { of: 0 })
const [pause, resume] = [change({ status: 'inactive' }), change({ status: 'active' })]
const aDay = pass(25 * HOUR)
const removal = remove({ of: 0 })

expectFindingsWith(WITHOUT_ACCESS, {
  nothing: {
    'an event to each webhook': [
      webhook,
      second,
      cancelled,
      again,
      deliver({ to: 1, message: 'm' }),
    ],
    'a webhook that has changed more often than is remembered': [
      webhook,
      ...Array.from({ length: 101 }, (_, i) => rotate(10 + i)),
      cancelled,
      deliver({ signedWith: [8] }),
    ],
    'no missing event if nothing arrives later': [
      webhook,
      cancelled,
      deliver(),
      cancelled,
      pass(60_000),
    ],
    'no missing event while deliveries take long': [
      webhook,
      cancelled,
      pass(5_000),
      deliver(),
      cancelled,
      control(),
    ],
    'no missing event of a webhook that changes meanwhile': [
      webhook,
      cancelled,
      pause,
      resume,
      control(),
    ],
    'no missing event of a webhook of another type': [
      webhook,
      webhookOf({ type: 'transfer', url }),
      cancelled,
      deliver(),
      control(),
    ],
    'no missing event of a code whose transfer has not settled': [
      webhookOf({ type: 'qrcode' }),
      charge,
      payCode({}, { emv: codeOf(2) }),
      control(),
    ],
    'no missing event of a second cancellation': [
      webhook,
      cancelled,
      deliver(),
      cancel(),
      control(),
    ],
    'a delivery that comes twice': [failing(204), again],
    'an event from before a pause': [webhook, cancelled, pause, deliver()],
    'both secrets after a rotation': [
      webhook,
      rotate(9),
      cancelled,
      deliver({ signedWith: [9, 1] }),
    ],
    'the new secret after a day': [
      webhook,
      rotate(9),
      aDay,
      cancelled,
      deliver({ signedWith: [9] }),
    ],
    'a delivery that is retried': [failing(500), pass(5_000), again],
    'a retry that is not due, or whose endpoint is gone': [
      webhook,
      second,
      cancelled,
      deliver({ status: 410, message: 'm' }),
      deliver({ to: 1, message: 'm', status: 500 }),
      control(),
      deliver({ to: 1 }),
    ],
    'a retry after a pause': [failing(500), pause, pass(5_000), resume, pass(5_000), again],
    'no missing retry of a webhook that was deleted': [
      webhook,
      second,
      cancelled,
      deliver({ status: 500, message: 'm' }),
      deliver({ to: 1, message: 'm' }),
      removal,
      pass(30_000),
      cancelled,
      deliver({ to: 1 }),
    ],
  },
  'deliveries-sent@createWebhook': { 'a missing event': [webhook, cancelled, control()] },
  'deliveries-once@createWebhook': {
    'two events of a change': [webhook, cancelled, deliver(), deliver()],
  },
  'deliveries-once@createWebhook deliveries-retried@createWebhook deliveries-signed@createWebhook':
    {
      'one id of two events': [
        failing(204),
        cancelled,
        deliver({ headers: { 'webhook-id': 'm' } }),
      ],
    },
  'deliveries-subscribed@createWebhook': {
    'an event without a subscription': [webhookOf({ type: 'transfer' }), cancelled, deliver()],
    'an event of another partner': [webhookOf({}, { by: 'other' }), cancelled, deliver()],
  },
  'deliveries-subscribed@updateWebhook': {
    'an event of the type before': [webhook, update({ type: 'transfer' }), cancelled, deliver()],
    'an event for an inactive webhook': [
      webhook,
      update({ status: 'inactive' }),
      cancelled,
      deliver(),
    ],
    'an event at the URL before': [webhook, update({ url }), cancelled, deliver({ url: before })],
  },
  'deliveries-subscribed@deleteWebhook': {
    'an event after a deletion': [webhook, remove(), cancelled, deliver()],
  },
  'records-shown@getWebhook': {
    'nothing of a webhook that is shown in another way than it was set': [
      webhookOf({ type: 'transfer' }),
      read({ type: 'all' }),
      cancelled,
      deliver(),
    ],
  },
  'deliveries-shaped@createWebhook': {
    'an event without its record': [delivered({ edit: { data: {} } })],
    'an unknown event': [webhook, cancelled, deliver({ edit: { type: 'qrcode.done' } }), control()],
  },
  'deliveries-shown@createWebhook': {
    'another event than that of the change': [delivered({ name: 'qrCodePaidEvent' })],
    'an event that shows another state': [delivered({ data: { status: 'ATIVA' } })],
    'an event that shows the revision before the change': [delivered({ data: { revision: 0 } })],
    'an event that shows another value': [delivered({ data: { payer: null } })],
    'an event of another time': [delivered({ edit: { timestamp: '1970-01-01T00:00:00Z' } })],
  },
  'deliveries-signed@createWebhook': { 'another secret': [delivered({ signedWith: [9] })] },
  'deliveries-shown@createWebhook deliveries-signed@createWebhook': {
    'a time that receivers refuse': [delivered({ headers: { 'webhook-timestamp': '1' } })],
  },
  'deliveries-secrets@rotateWebhookSecret': {
    'only the old secret after a rotation': [webhook, rotate(9), cancelled, deliver()],
    'only the new secret after a rotation': [
      webhook,
      rotate(9),
      cancelled,
      deliver({ signedWith: [9] }),
    ],
    'the oldest of three secrets': [
      webhook,
      rotate(8),
      rotate(9),
      cancelled,
      deliver({ signedWith: [9, 8, 1] }),
    ],
    'the old secret after a day': [
      webhook,
      rotate(9),
      aDay,
      cancelled,
      deliver({ signedWith: [9, 1] }),
    ],
  },
  'deliveries-retried@createWebhook': {
    'a delivery that is not retried': [failing(500), control(30_000)],
    'a retry after a success': [failing(202), pass(5_000), again],
    'a retry after a deletion': [failing(500), removal, pass(5_000), again],
    'a retry while the webhook is inactive': [failing(500), pause, pass(5_000), again],
    'a retry too early': [
      failing(500),
      pass(5_000),
      deliver({ message: 'm', status: 500 }),
      pass(60_000),
      again,
    ],
    'a redirect that is followed': [failing(302), deliver({ message: 'm', url })],
  },
  'deliveries-retried@createWebhook deliveries-signed@createWebhook': {
    'a retry with the time of the first attempt': [
      failing(500),
      pass(5_000),
      deliver({ message: 'm', headers: { 'webhook-timestamp': '1793629801' } }),
    ],
    'a retry with another body': [
      failing(500),
      pass(5_000),
      deliver({ headers: { 'webhook-id': 'm' } }),
    ],
  },
})

test('it reports a rejected transfer with a time at which it settled', () => {
  expect(findings(rejected(''))).toEqual([])
  const { findings: found } = readStory(rejected('2026-11-02T14:30:04Z'))
  expect(found).toMatchObject([
    { rule: 'deliveries-shown', cites: { question: 'transfer-statuses' } },
  ])
})

test("it is critical that another partner's event arrives", () => {
  const steps = [webhookOf({}, { by: 'other' }), cancelled, deliver()]
  expect(readStory(steps).findings).toMatchObject([{ kind: 'deviation', severity: 'critical' }])
})
