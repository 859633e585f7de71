import { expect, test } from 'vitest'
import { fieldsOf } from '../src/contract/json.ts'
import { rules } from '../src/rules/index.ts'
import {
  cancel,
  charge,
  codeOf,
  createCharge,
  createWebhook,
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
  type Step,
  update,
  webhook,
} from './story.ts'

const url = 'https://elsewhere.example/pix'
const second = createWebhook({ url: 'https://second.example/pix' })
const before = String(example('createAll').url)
const HOUR_MS = 3_600_000

/** A QR code that was cancelled. */
const cancelled = inOrder(charge, cancel())
/** A charge with a time in a field that stands for one that the service adds. */
const chargeOfTime = createCharge({ message: '2026-11-02T14:29:00Z' })
/** Time passes, then an event shows that the service still delivers. */
const control = (ms = 10_000) => inOrder(pass(ms), cancelled, deliver())
/** The event of a webhook's first code. */
const delivered = (delivery: Delivered = {}) => inOrder(webhook, cancelled, deliver(delivery))
/** An event whose delivery gets a status other than success, and the next attempt of it. */
const failing = (status: number) => delivered({ status, message: 'm' })
const again = deliver({ message: 'm' })

/** The id of the code, the second record. */
const CODE_ID = '00000000-0000-4000-8000-000000000002'
/** An event that shows it in a field of its own. */
const OWN_ID = { data: { id: undefined, code_id: CODE_ID } }

/** An event that the contract does not have, of the creation of a code. */
const OWN_NAME: Delivered = { edit: { type: 'qrcode.opened' } }

/** What happens to the first webhook. */
const pause = update({ status: 'inactive' }, { of: 0 })
const resume = update({ status: 'active' }, { of: 0 })
const removal = remove({ of: 0 })
/** More than the day for which an old secret signs. */
const aDay = pass(25 * HOUR_MS)

/** A transfer, and the event that it was rejected. */
function rejected(settled_at: string): Step[] {
  const data = {
    ...fieldsOf(example('immediatePending').data),
    status: 'rejected',
    rejection_message: 'AC03',
    settled_at,
  }
  return [webhook, payCode(), deliver({ name: 'transferRejectedEvent', data })]
}

/** Tokens end while a story waits for a day, and the image of an example is of no other code. */
const WITHOUT_ACCESS = {
  rules: rules.filter(({ id }) => !id.startsWith('access') && !id.startsWith('codes-images')),
}

test.each([
  { title: 'only the old secret signs', story: [rotate(9), cancelled, deliver()] },
  { title: 'a rotation returns the secret that the webhook has', story: [rotate(1)] },
])('it fails where $title', ({ story }) => {
  const { findings } = readStory([webhook, ...story])
  const ofRotation = findings.filter(({ operation }) => operation === 'rotateWebhookSecret')
  expect(ofRotation.map(({ kind }) => kind)).toContain('failure')
})

expectFindingsWith(WITHOUT_ACCESS, [
  {
    title: 'it finds nothing wrong with an event to each webhook',
    story: [webhook, second, cancelled, again, deliver({ to: 1, message: 'm' })],
    finds: [],
  },
  {
    title: 'it finds nothing wrong with a webhook that has changed more often than is remembered',
    story: [
      webhook,
      ...Array.from({ length: 101 }, (_, index) => rotate(10 + index)),
      cancelled,
      deliver({ signedWith: [8] }),
    ],
    finds: [],
  },
  {
    title: 'it finds no missing event if nothing arrives later',
    story: [webhook, cancelled, deliver(), cancelled, pass(60_000)],
    finds: [],
  },
  {
    title: 'it finds no missing event while deliveries take long',
    story: [webhook, cancelled, pass(5_000), deliver(), cancelled, control()],
    finds: [],
  },
  {
    title: 'it finds no missing event of a webhook that changes meanwhile',
    story: [webhook, cancelled, pause, resume, control()],
    finds: [],
  },
  {
    title: 'it finds no late retry of a service that delivers nothing meanwhile',
    story: [failing(500), pass(30_000), again],
    finds: [],
  },
  {
    title: 'it finds no missing event of a webhook of another type',
    story: [webhook, createWebhook({ type: 'transfer', url }), cancelled, deliver(), control()],
    finds: [],
  },
  {
    title: 'it finds no missing event of a code whose transfer has not settled',
    story: [createWebhook({ type: 'qrcode' }), charge, payCode({}, { emv: codeOf(2) }), control()],
    finds: [],
  },
  {
    title: 'it finds no missing event of a second cancellation',
    story: [webhook, cancelled, deliver(), cancel(), control()],
    finds: [],
  },
  {
    title: 'it finds nothing wrong with a delivery that comes twice',
    story: [failing(204), again],
    finds: [],
  },
  {
    title: 'it finds nothing wrong with an event from before a pause',
    story: [webhook, cancelled, pause, deliver()],
    finds: [],
  },
  {
    title: 'it finds nothing wrong with both secrets after a rotation',
    story: [webhook, rotate(9), cancelled, deliver({ signedWith: [9, 1] })],
    finds: [],
  },
  {
    title: 'it finds nothing wrong with the new secret after a day',
    story: [webhook, rotate(9), aDay, cancelled, deliver({ signedWith: [9] })],
    finds: [],
  },
  {
    title: 'it finds nothing wrong with a delivery that is retried',
    story: [failing(500), pass(5_000), again],
    finds: [],
  },
  {
    title: 'it finds nothing wrong with a retry that is not due, or whose endpoint is gone',
    story: [
      webhook,
      second,
      cancelled,
      deliver({ status: 410, message: 'm' }),
      deliver({ to: 1, message: 'm', status: 500 }),
      control(),
      deliver({ to: 1 }),
    ],
    finds: [],
  },
  {
    title: 'it finds nothing wrong with a retry after a pause',
    story: [failing(500), pause, pass(5_000), resume, pass(5_000), again],
    finds: [],
  },
  {
    title: 'it finds no missing retry of a webhook that was deleted',
    story: [
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
    finds: [],
  },
  {
    title: 'it finds a missing event',
    story: [webhook, cancelled, control()],
    finds: ['deliveries-sent@createWebhook'],
  },
  {
    title: 'it finds two events of a change',
    story: [webhook, cancelled, deliver(), deliver()],
    finds: ['deliveries-once@createWebhook'],
  },
  {
    title: 'it finds one id of two events',
    story: [failing(204), cancelled, deliver({ headers: { 'webhook-id': 'm' } })],
    finds: [
      'deliveries-once@createWebhook',
      'deliveries-retried@createWebhook',
      'deliveries-signed@createWebhook',
    ],
  },
  {
    title: 'it finds an event without a subscription',
    story: [createWebhook({ type: 'transfer' }), cancelled, deliver()],
    finds: ['deliveries-subscribed@createWebhook'],
  },
  {
    title: 'it finds an event of another partner',
    story: [createWebhook({}, { by: 'other' }), cancelled, deliver()],
    finds: ['deliveries-subscribed@createWebhook'],
  },
  {
    title: 'it finds an event of the type before',
    story: [webhook, update({ type: 'transfer' }), cancelled, deliver()],
    finds: ['deliveries-subscribed@updateWebhook'],
  },
  {
    title: 'it finds an event for an inactive webhook',
    story: [webhook, update({ status: 'inactive' }), cancelled, deliver()],
    finds: ['deliveries-subscribed@updateWebhook'],
  },
  {
    title: 'it finds an event with a name of the service for an inactive webhook',
    story: [webhook, pause, charge, deliver(OWN_NAME)],
    finds: ['deliveries-shaped@createWebhook', 'deliveries-subscribed@updateWebhook'],
  },
  {
    title:
      'it finds nothing in a name of the service for a record that was created while its webhook was active',
    story: [webhook, charge, pause, deliver(OWN_NAME)],
    finds: ['deliveries-shaped@createWebhook'],
  },
  {
    title: 'it finds nothing in a name of the service for a webhook that is active again',
    story: [webhook, pause, resume, charge, deliver(OWN_NAME)],
    finds: ['deliveries-shaped@createWebhook'],
  },
  {
    title:
      'it finds an event for an inactive webhook where events show their record by another name',
    story: [webhook, pause, cancelled, deliver(OWN_ID)],
    finds: ['deliveries-shaped@createWebhook', 'deliveries-subscribed@updateWebhook'],
  },
  {
    title: 'it finds nothing in one that happened before the webhook was inactive',
    story: [webhook, cancelled, pause, deliver(OWN_ID)],
    finds: ['deliveries-shaped@createWebhook'],
  },
  {
    title: 'it finds nothing in one for a webhook that is active again',
    story: [webhook, pause, resume, cancelled, deliver(OWN_ID)],
    finds: ['deliveries-shaped@createWebhook'],
  },
  {
    title: 'it finds nothing in one that only names the record of another partner',
    story: [createWebhook({}, { by: 'other' }), cancelled, deliver(OWN_ID)],
    finds: ['deliveries-shaped@createWebhook'],
  },
  {
    title: 'it finds nothing in an event of another record that names a cancelled one',
    story: [webhook, pause, cancelled, deliver({ name: 'transferSettledEvent', ...OWN_ID })],
    finds: ['deliveries-shaped@createWebhook'],
  },
  {
    title: 'it finds nothing in one with a longer text that ends like the id',
    story: [
      webhook,
      pause,
      cancelled,
      deliver({ data: { id: undefined, code_id: `x-${CODE_ID}` } }),
    ],
    finds: ['deliveries-shaped@createWebhook'],
  },
  {
    title: 'it finds nothing in one before the change, on its way while its webhook was deleted',
    story: [
      webhook,
      charge,
      remove({ of: 0, ms: 3_000 }),
      deliver(OWN_ID),
      pass(5_000),
      cancel({ updated_at: '2026-11-02T14:30:06Z' }, { of: 1 }),
    ],
    finds: ['deliveries-shaped@createWebhook'],
  },
  {
    title: 'it finds an event at the URL before',
    story: [webhook, update({ url }), cancelled, deliver({ url: before })],
    finds: ['deliveries-subscribed@updateWebhook'],
  },
  {
    title: 'it finds an event after a deletion',
    story: [webhook, remove(), cancelled, deliver()],
    finds: ['deliveries-subscribed@deleteWebhook'],
  },
  {
    title: 'it finds only the read of a webhook that is shown in another way than it was set',
    story: [createWebhook({ type: 'transfer' }), read({ type: 'all' }), cancelled, deliver()],
    finds: ['records-shown@getWebhook'],
  },
  {
    title: 'it finds an event without its record',
    story: [delivered({ edit: { data: {} } })],
    finds: ['deliveries-shaped@createWebhook'],
  },
  {
    title: 'it finds an unknown event',
    story: [webhook, cancelled, deliver({ edit: { type: 'qrcode.done' } }), control()],
    finds: ['deliveries-shaped@createWebhook'],
  },
  {
    title: 'it finds another event than that of the change',
    story: [delivered({ name: 'qrCodePaidEvent' })],
    finds: ['deliveries-shown@createWebhook'],
  },
  {
    title: 'it finds an event that shows another state',
    story: [delivered({ data: { status: 'ATIVA' } })],
    finds: ['deliveries-shown@createWebhook'],
  },
  {
    title: 'it finds an event that shows the revision before the change',
    story: [delivered({ data: { revision: 0 } })],
    finds: ['deliveries-shown@createWebhook'],
  },
  {
    title: 'it finds only the form of an event that shows an empty list as null',
    story: [delivered({ data: { additional_infos: null } })],
    finds: ['deliveries-shaped@createWebhook'],
  },
  {
    title: 'it finds a list that an event leaves out with null',
    story: [
      webhook,
      createCharge({ additional_infos: [{ name: 'Pedido', value: '1004' }] }),
      cancel(),
      deliver({ data: { additional_infos: null } }),
    ],
    finds: ['deliveries-shaped@createWebhook', 'deliveries-shown@createWebhook'],
  },
  {
    title: 'it finds an event that shows another value',
    story: [delivered({ data: { payer: null } })],
    finds: ['deliveries-shown@createWebhook'],
  },
  {
    title:
      'it finds nothing in a field that shows when the record was changed, whatever its name is',
    story: [
      webhook,
      chargeOfTime,
      cancel(),
      deliver({ data: { message: '2026-11-02T14:30:00Z' } }),
    ],
    finds: [],
  },
  {
    title: 'it finds an event that shows a time of another day',
    story: [
      webhook,
      chargeOfTime,
      cancel(),
      deliver({ data: { message: '2026-11-01T14:30:00Z' } }),
    ],
    finds: ['deliveries-shown@createWebhook'],
  },
  {
    title: 'it finds an event of another time',
    story: [delivered({ edit: { timestamp: '1970-01-01T00:00:00Z' } })],
    finds: ['deliveries-shown@createWebhook'],
  },
  {
    title: 'it finds another secret',
    story: [delivered({ signedWith: [9] })],
    finds: ['deliveries-signed@createWebhook'],
  },
  {
    title: 'it finds a time that receivers refuse',
    story: [delivered({ headers: { 'webhook-timestamp': '1' } })],
    finds: ['deliveries-shown@createWebhook', 'deliveries-signed@createWebhook'],
  },
  {
    title: 'it finds only the old secret after a rotation',
    story: [webhook, rotate(9), cancelled, deliver()],
    finds: ['deliveries-secrets@rotateWebhookSecret'],
  },
  {
    title: 'it finds only the new secret after a rotation',
    story: [webhook, rotate(9), cancelled, deliver({ signedWith: [9] })],
    finds: ['deliveries-secrets@rotateWebhookSecret'],
  },
  {
    title: 'it finds only the new secret where events show their record by another name',
    story: [webhook, rotate(9), cancelled, deliver({ ...OWN_ID, signedWith: [9] })],
    finds: ['deliveries-secrets@rotateWebhookSecret', 'deliveries-shaped@createWebhook'],
  },
  {
    title: 'it finds nothing in an event of a creation that came before the rotation',
    story: [webhook, charge, deliver({ edit: { type: 'qrcode.created' } }), rotate(9), cancel()],
    finds: ['deliveries-shaped@createWebhook'],
  },
  {
    title: 'it finds the oldest of three secrets',
    story: [webhook, rotate(8), rotate(9), cancelled, deliver({ signedWith: [9, 8, 1] })],
    finds: ['deliveries-secrets@rotateWebhookSecret'],
  },
  {
    title: 'it finds the old secret after a day',
    story: [webhook, rotate(9), aDay, cancelled, deliver({ signedWith: [9, 1] })],
    finds: ['deliveries-secrets@rotateWebhookSecret'],
  },
  {
    title: 'it finds a delivery that is not retried',
    story: [failing(500), control(30_000)],
    finds: ['deliveries-retried@createWebhook'],
  },
  {
    title: 'it finds a retry long after it was due',
    story: [failing(500), control(30_000), again],
    finds: ['deliveries-retried@createWebhook'],
  },
  {
    title: 'it finds a retry after a success',
    story: [failing(202), pass(5_000), again],
    finds: ['deliveries-retried@createWebhook'],
  },
  {
    title: 'it finds a retry after a deletion',
    story: [failing(500), removal, pass(5_000), again],
    finds: ['deliveries-retried@createWebhook'],
  },
  {
    title: 'it finds a retry while the webhook is inactive',
    story: [failing(500), pause, pass(5_000), again],
    finds: ['deliveries-retried@createWebhook'],
  },
  {
    title: 'it finds a retry too early',
    story: [failing(500), pass(5_000), deliver({ message: 'm', status: 500 }), pass(60_000), again],
    finds: ['deliveries-retried@createWebhook'],
  },
  {
    title: 'it finds no retry in what arrives two seconds later, and shows a time of three',
    story: [
      webhook,
      pass(940),
      cancelled,
      deliver({ message: 'm', status: 500 }),
      pass(1_050),
      deliver({ message: 'm', status: 500 }),
      pass(10_000),
      again,
    ],
    finds: [],
  },
  {
    title: 'it finds a redirect that is followed',
    story: [failing(302), deliver({ message: 'm', url })],
    finds: ['deliveries-retried@createWebhook'],
  },
  {
    title: 'it finds a retry with the time of the first attempt',
    story: [
      failing(500),
      pass(5_000),
      deliver({ message: 'm', headers: { 'webhook-timestamp': '1793629801' } }),
    ],
    finds: ['deliveries-retried@createWebhook', 'deliveries-signed@createWebhook'],
  },
  {
    title: 'it finds a retry with another body',
    story: [failing(500), pass(5_000), deliver({ headers: { 'webhook-id': 'm' } })],
    finds: ['deliveries-retried@createWebhook', 'deliveries-signed@createWebhook'],
  },
])

test('it reports a rejected transfer with a time at which it settled', () => {
  expect(findings(rejected(''))).toEqual([])
  const { findings: found } = readStory(rejected('2026-11-02T14:30:04Z'))
  expect(found).toMatchObject([
    { rule: 'responses-agree', cites: { question: 'transfer-statuses' } },
  ])
})

test('it warns of one id of two events, of which a program books the first alone', () => {
  const steps = [failing(204), cancelled, deliver({ headers: { 'webhook-id': 'm' } })]
  const { findings: found } = readStory(steps)
  const shared = found.find(({ rule }) => rule === 'deliveries-once')
  expect(shared).toMatchObject({ kind: 'deviation', severity: 'warning' })
})

test("it is critical that another partner's event arrives", () => {
  const steps = [createWebhook({}, { by: 'other' }), cancelled, deliver()]
  expect(readStory(steps).findings).toMatchObject([{ kind: 'deviation', severity: 'critical' }])
})

/** A code is cancelled, and a service shows its id in a field of its own in each of its events. */
function cancelledWithOwnId(...deliveries: readonly Delivered[]): Step {
  const deliverWithOwnId = (delivery: Delivered): Step => {
    return (story) => {
      const id = story.records.findLast(({ kind }) => kind !== 'webhook')?.fields.id
      deliver({ ...delivery, data: { id: undefined, code_id: id } })(story)
    }
  }
  return inOrder(cancelled, ...deliveries.map(deliverWithOwnId))
}

const ofOther = createWebhook({ url: 'https://other.example/pix' }, { by: 'other' })

test.each([
  {
    title: 'it is critical that an event with such an id comes to another partner',
    story: [webhook, ofOther, cancelledWithOwnId({}), cancelledWithOwnId({}, { to: 1 })],
    finds: ['critical deliveries-subscribed'],
  },
  {
    title: 'it finds two events with such an id of a change',
    story: [webhook, cancelledWithOwnId({}), cancelledWithOwnId({}, {})],
    finds: ['warning deliveries-once'],
  },
  {
    title: 'it takes no field for that of the id which shows only one record to its partner',
    story: [webhook, ofOther, cancelledWithOwnId({}, { to: 1 }), cancelledWithOwnId({ to: 1 })],
    finds: [],
  },
])('$title', ({ story, finds }) => {
  const { findings: found } = readStory(story)
  const others = found.filter(({ rule }) => rule !== 'deliveries-shaped')
  expect(others.map(({ severity, rule }) => `${severity} ${rule}`)).toEqual(finds)
})

/** A delivery of a service that shows the id of a message in the body, and in no header. */
function withOwnId(event_id: string, delivery: Delivered = {}): Step {
  const headers = { 'webhook-id': undefined }
  return deliver({ ...delivery, headers, edit: { event_id } })
}

test.each([
  {
    title: 'it finds a second message about one event by the id in the body',
    story: [withOwnId('e1', { status: 500 }), withOwnId('e1'), withOwnId('e2')],
    finds: ['A webhook received two events qrcode.cancelled with different ids about one record.'],
  },
  {
    title: 'it finds nothing in ids that each attempt has for itself',
    story: [withOwnId('e1', { status: 500 }), withOwnId('e2'), withOwnId('e3')],
    finds: [],
  },
  {
    title: 'it finds nothing in two events of one name that show something else',
    story: [
      withOwnId('e1', { status: 500 }),
      withOwnId('e1'),
      withOwnId('e2', { data: { message: 'paid to you' } }),
    ],
    finds: [],
  },
])('$title', ({ story, finds }) => {
  const { findings } = readStory([webhook, cancelled, ...story])
  const once = findings.filter(({ rule }) => rule === 'deliveries-once')
  expect(once.map(({ message }) => message)).toEqual(finds)
})

/** The headers of a delivery without a signature. */
const UNSIGNED = { host: 'partner.example.com', 'webhook-signature': undefined }

/** Lists the failures of a story: what contradicts the document. */
function listFailures(...story: readonly Step[]) {
  const { findings } = readStory(story)
  return findings.filter(({ kind }) => kind === 'failure').map(({ message }) => message)
}

test('it finds a delivery that has nothing that could be a signature', () => {
  const message = 'A delivery has no signature: no header and no field could be one.'
  expect(listFailures(delivered({ headers: UNSIGNED }))).toEqual([message])
})

test.each([
  { title: 'that names no record', data: {} },
  { title: 'with a longer text that ends like the id', data: { note: `x-${CODE_ID}` } },
])('it finds no failure in an unsigned test of the URL $title', ({ data }) => {
  const ping = delivered({ headers: UNSIGNED, edit: { type: 'ping', data } })
  expect(listFailures(ping)).toEqual([])
})

test('it finds no failure in an unsigned test of the URL of a webhook that has the id of a code', () => {
  const ping = deliver({ headers: UNSIGNED, edit: { type: 'ping', data: { id: CODE_ID } } })
  expect(listFailures(delivered(), ping)).toEqual([])
})

test.each<[string, Delivered]>([
  ['in another header', { headers: { ...UNSIGNED, 'x-proof': 'a1b2' } }],
  ['in a field of the body', { headers: UNSIGNED, edit: { meta: { hmac: 'a1b2' } } }],
  ['in a list of the body', { headers: UNSIGNED, edit: { meta: [{ sha256: 'a1b2' }] } }],
  ['as a whole, in any field', { headers: UNSIGNED, edit: { envelope: 'eyJhIjoxfQ.e30.a1-b2' } }],
  ['in a header that a recorder left out', { headers: { 'webhook-signature': undefined } }],
  ['as the contract assumes', {}],
])('it finds no failure in a delivery that may be signed %s', (_, delivery) => {
  expect(listFailures(delivered(delivery))).toEqual([])
})
