import { expect, test } from 'vitest'
import {
  cancel,
  create,
  deliver,
  example,
  findings,
  pass,
  type Row,
  read,
  readStory,
  remove,
  rotate,
  update,
} from './story.ts'

const CANCELLED = 'qrCodeCancelledEvent'
const url = 'https://elsewhere.example/pix'
const second = create('webhook', { url: 'https://second.example/pix' })
const before = String(example('createAll').url)
const HOUR = 3_600_000
/** The webhooks, and a QR code that was cancelled. */
const cancelled = [create('immediateQrCode'), cancel()]
const webhook = create('webhook')
/** Time passes, then an event shows that the service still delivers. */
const control = (ms = 10_000) => [pass(ms), ...cancelled, deliver(CANCELLED)]
const failing = (status: number) => [webhook, ...cancelled, deliver(CANCELLED, { status, message: 'm' })]
const again = deliver(CANCELLED, { message: 'm' })

const change = (sent: Record<string, unknown>) => update(sent, { of: 0 })
const removal = remove({ of: 0 })

const rows: readonly Row[] = [
  [
    'nothing of an event to each webhook',
    [webhook, second, ...cancelled, again, deliver(CANCELLED, { to: 1, message: 'm' })],
  ],
  ['a missing event', [webhook, ...cancelled, ...control()], ['deliveries-sent@createWebhook']],
  [
    'no missing event if nothing arrives later either',
    [webhook, ...cancelled, deliver(CANCELLED), ...cancelled, pass(60_000)],
  ],
  [
    'no missing event while deliveries take long',
    [webhook, ...cancelled, pass(5_000), deliver(CANCELLED), ...cancelled, ...control()],
  ],
  [
    'no missing event of a webhook that changes meanwhile',
    [webhook, ...cancelled, change({ status: 'inactive' }), change({ status: 'active' }), ...control()],
  ],
  [
    'no missing event of a webhook of another type',
    [webhook, create('webhook', { type: 'transfer', url }), ...cancelled, deliver(CANCELLED), ...control()],
  ],
  [
    'no missing event of a second cancellation',
    [webhook, ...cancelled, deliver(CANCELLED), cancel(), ...control()],
  ],
  ['nothing of a delivery that comes twice', [...failing(204), again]],
  [
    'two events of one change',
    [webhook, ...cancelled, deliver(CANCELLED), deliver(CANCELLED)],
    ['deliveries-once@createWebhook'],
  ],
  [
    'one id of two events',
    [...failing(204), ...cancelled, deliver(CANCELLED, { headers: { 'webhook-id': 'm' } })],
    ['deliveries-once@createWebhook', 'deliveries-retried@createWebhook', 'deliveries-signed@createWebhook'],
  ],
  [
    'an event that the webhook does not subscribe to',
    [create('webhook', { type: 'transfer' }), ...cancelled, deliver(CANCELLED)],
    ['deliveries-subscribed@createWebhook'],
  ],
  [
    'an event of a type that the webhook had',
    [webhook, update({ type: 'transfer' }), ...cancelled, deliver(CANCELLED)],
    ['deliveries-subscribed@updateWebhook'],
  ],
  [
    'an event for an inactive webhook',
    [webhook, update({ status: 'inactive' }), ...cancelled, deliver(CANCELLED)],
    ['deliveries-subscribed@updateWebhook'],
  ],
  [
    'nothing of an event from before the webhook became inactive',
    [webhook, ...cancelled, change({ status: 'inactive' }), deliver(CANCELLED)],
  ],
  [
    'an event at the URL before',
    [webhook, update({ url }), ...cancelled, deliver(CANCELLED, { url: before })],
    ['deliveries-subscribed@updateWebhook'],
  ],
  [
    'an event for a deleted webhook',
    [webhook, remove(), ...cancelled, deliver(CANCELLED)],
    ['deliveries-subscribed@deleteWebhook'],
  ],
  [
    'an event of another partner',
    [create('webhook', {}, { by: 'other' }), ...cancelled, deliver(CANCELLED)],
    ['deliveries-subscribed@createWebhook'],
  ],
  [
    'nothing of a webhook that is shown in another way than it was set',
    [create('webhook', { type: 'transfer' }), read({ type: 'all' }), ...cancelled, deliver(CANCELLED)],
    ['records-shown@getWebhook'],
  ],
  [
    'an event without its record',
    [webhook, ...cancelled, deliver(CANCELLED, { edit: { data: {} } })],
    ['deliveries-shaped@createWebhook'],
  ],
  [
    'an event of an unknown name',
    [webhook, ...cancelled, deliver(CANCELLED, { edit: { type: 'qrcode.done' } }), ...control()],
    ['deliveries-shaped@createWebhook'],
  ],
  [
    'another event than that of the change',
    [webhook, ...cancelled, deliver('qrCodePaidEvent')],
    ['deliveries-shown@createWebhook'],
  ],
  [
    'an event that shows another state',
    [webhook, ...cancelled, deliver(CANCELLED, { data: { status: 'ATIVA' } })],
    ['deliveries-shown@createWebhook'],
  ],
  [
    'an event that shows another value',
    [webhook, ...cancelled, deliver(CANCELLED, { data: { payer: null } })],
    ['deliveries-shown@createWebhook'],
  ],
  [
    'an event of another time',
    [webhook, ...cancelled, deliver(CANCELLED, { edit: { timestamp: '1970-01-01T00:00:00Z' } })],
    ['deliveries-shown@createWebhook'],
  ],
  [
    'another secret',
    [webhook, ...cancelled, deliver(CANCELLED, { signedWith: [9] })],
    ['deliveries-signed@createWebhook'],
  ],
  [
    'a time that receivers refuse',
    [webhook, ...cancelled, deliver(CANCELLED, { headers: { 'webhook-timestamp': '1' } })],
    ['deliveries-shown@createWebhook', 'deliveries-signed@createWebhook'],
  ],
  [
    'nothing of both secrets after a rotation',
    [webhook, rotate(9), ...cancelled, deliver(CANCELLED, { signedWith: [9, 1] })],
  ],
  [
    'only the old secret after a rotation',
    [webhook, rotate(9), ...cancelled, deliver(CANCELLED)],
    ['deliveries-secrets@rotateWebhookSecret'],
  ],
  [
    'only the new secret after a rotation',
    [webhook, rotate(9), ...cancelled, deliver(CANCELLED, { signedWith: [9] })],
    ['deliveries-secrets@rotateWebhookSecret'],
  ],
  [
    'nothing of the new secret after a day',
    [webhook, rotate(9), pass(25 * HOUR), ...cancelled, deliver(CANCELLED, { signedWith: [9] })],
  ],
  [
    'the old secret after a day',
    [webhook, rotate(9), pass(25 * HOUR), ...cancelled, deliver(CANCELLED, { signedWith: [9, 1] })],
    ['deliveries-secrets@rotateWebhookSecret'],
  ],
  ['nothing of a delivery that is retried', [...failing(500), pass(5_000), again]],
  [
    'nothing of a retry that is not due, or whose endpoint is gone',
    [
      webhook,
      second,
      ...cancelled,
      deliver(CANCELLED, { status: 410, message: 'm' }),
      deliver(CANCELLED, { to: 1, message: 'm', status: 500 }),
      ...control(),
      deliver(CANCELLED, { to: 1 }),
    ],
  ],
  [
    'a delivery that is not retried',
    [...failing(500), ...control(30_000)],
    ['deliveries-retried@createWebhook'],
  ],
  [
    'no missing retry of a webhook that was deleted',
    [
      webhook,
      second,
      ...cancelled,
      deliver(CANCELLED, { status: 500, message: 'm' }),
      deliver(CANCELLED, { to: 1, message: 'm' }),
      removal,
      ...control(30_000).slice(0, -1),
      deliver(CANCELLED, { to: 1 }),
    ],
  ],
  ['a retry after a success', [...failing(202), pass(5_000), again], ['deliveries-retried@createWebhook']],
  [
    'a retry after a deletion',
    [...failing(500), removal, pass(5_000), again],
    ['deliveries-retried@createWebhook'],
  ],
  [
    'a retry too early',
    [...failing(500), pass(5_000), deliver(CANCELLED, { message: 'm', status: 500 }), pass(60_000), again],
    ['deliveries-retried@createWebhook'],
  ],
  [
    'a retry with the time of the first attempt',
    [
      ...failing(500),
      pass(5_000),
      deliver(CANCELLED, { message: 'm', headers: { 'webhook-timestamp': '1793629801' } }),
    ],
    ['deliveries-retried@createWebhook', 'deliveries-signed@createWebhook'],
  ],
  [
    'a retry with another body',
    [...failing(500), pass(5_000), deliver(CANCELLED, { headers: { 'webhook-id': 'm' } })],
    ['deliveries-retried@createWebhook', 'deliveries-signed@createWebhook'],
  ],
  [
    'a redirect that is followed',
    [...failing(302), deliver(CANCELLED, { message: 'm', url })],
    ['deliveries-retried@createWebhook'],
  ],
]

for (const [title, steps, expected = []] of rows)
  test(`it finds ${title}`, () => {
    expect(findings(...steps).filter((it) => !it.startsWith('access-'))).toEqual(expected)
  })

test("it is critical that another partner's event arrives", () => {
  const steps = [create('webhook', {}, { by: 'other' }), ...cancelled, deliver(CANCELLED)]
  expect(readStory(steps).findings).toMatchObject([{ kind: 'deviation', severity: 'critical' }])
})
