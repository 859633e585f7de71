import { expect, test } from 'vitest'
import {
  call,
  cancel,
  charge,
  chargeOf,
  charges,
  create,
  example,
  expectFindings,
  type Json,
  listUsers,
  pass,
  payCode,
  read,
  readStory,
  remove,
  update,
  webhook,
  webhookOf,
  webhooks,
} from './story.ts'

const byDate = { modality: '1', fixedDateDiscount: [{ amount: '1.00', date: '2026-12-10' }] }
const url = 'https://elsewhere.example/pix'
/** A payment, and the list after it has settled. */
const paid = (fields: object) => [
  charges(),
  payCode(),
  pass(30_000),
  charges('', {
    shown: (all) => all.map((it) => ({ ...it, status: 'CONCLUIDA', ...fields })),
  }),
]
const SHORT = '00000000-0000-4000-8000-000000000077'
const short = { ...example('webhook'), id: SHORT, url: 'https://short.example/pix' }
const atShortPath = call(
  'POST /partners/webhooks',
  { url: short.url },
  { id: SHORT, secret: example('credential').secret },
)
const readShort = (type: string) =>
  call(`GET /partner/webhook/${SHORT}`, undefined, { ...short, type })

expectFindings({
  nothing: {
    'a paid code that changes': [
      charge,
      ...paid({ revision: 1, updated_at: '2026-11-02T14:30:20Z' }),
    ],
    'a webhook of the short path': [atShortPath, readShort('all')],
    'a webhook shown as it was sent': [
      webhookOf({ type: 'transfer' }),
      read(),
      webhooks(),
      remove(),
    ],
    'a URL in another notation': [
      webhookOf({ url: 'https://a.example' }),
      read({ url: 'https://a.example/' }),
    ],
    'a field of the request that no response declares': [
      chargeOf(
        { payer: { name: 'Ana', tax_id: '12345678909', x: 1 } },
        { shows: { payer: { name: 'Ana', tax_id: '12345678909', can_change_document: false } } },
      ),
    ],
    'an update without effect': [webhook, read(), update({}), read()],
    'an update with an unknown outcome, of a field that was not shown before': [
      webhook,
      update({ status: 'inactive' }, { lost: true }),
      read(),
    ],
    'either value after a lost update': [
      webhook,
      update({ url }, { lost: true }),
      read(),
      read({ url }),
      read({ url }),
    ],
    'a read beside an update': [
      webhook,
      read(),
      update({ url }, { ms: 3 }),
      read(),
      pass(5),
      read(),
    ],
    'a record that a lost deletion may have removed': [
      webhook,
      remove({ lost: true }),
      read({}, { refused: 'not_found' }),
    ],
    'either value after two updates at once': [
      webhook,
      update({ type: 'transfer' }, { ms: 3 }),
      update({ type: 'qrcode' }, { ms: 3 }),
      pass(5),
      read({ type: 'transfer' }),
      read({ type: 'transfer' }),
    ],
    'a cancellation after two at once': [
      charge,
      cancel({}, { ms: 9 }),
      cancel({}, { ms: 9 }),
      pass(20),
      charges(),
      cancel(),
    ],
    'a second cancellation without effect': [charge, cancel(), cancel()],
  },
  'records-shown@getWebhook': {
    'another type than all after a creation at the short path': [
      atShortPath,
      readShort('transfer'),
    ],
    'a read with another value than was sent': [
      webhookOf({ type: 'all' }),
      read({ type: 'qrcode' }),
    ],
  },
  'records-shown@createImmediateQrCode': {
    'a creation without a nested value': [
      chargeOf({}, { shows: { amount: { original: '1.00' } } }),
    ],
    'another initial state': [chargeOf({}, { shows: { status: 'CONCLUIDA' } })],
    'another default': [chargeOf({ message: undefined }, { shows: { message: 'x' } })],
  },
  'records-shown@createDueDateQrCode': {
    'an amount of a discount by date beside its dates': [
      create('dueDateQrCode', {
        amount: { original: '10.00', discount: { ...byDate, amount: '1.00' } },
      }),
    ],
  },
  'records-kept@listWebhooks': {
    'another status on a list': [
      webhook,
      read(),
      webhooks('', { shown: ([it]) => [{ ...it, status: 'inactive' }] }),
    ],
  },
  'records-shown@updateWebhook': {
    'an update that ignores a field': [
      webhook,
      update({ url }, { shows: { url: 'https://partner.example.com/pix/events' } }),
    ],
  },
  'records-kept@updateWebhook': {
    'an update that changes another record': [
      webhook,
      read(),
      webhook,
      update({ url }),
      read({ status: 'inactive' }, { of: 0 }),
    ],
  },
  'records-kept@getWebhook': {
    'a refused update, which acts': [
      webhook,
      read(),
      update({ url }, { refused: 'invalid_charge', acts: true }),
      read(),
    ],
    "another partner's refused update, which acts": [
      webhook,
      read(),
      update({ url }, { by: 'other', refused: 'not_found', acts: true }),
      read(),
    ],
    'a value that goes back': [
      webhook,
      read(),
      update({ url }, { lost: true }),
      read({ url }),
      read(),
    ],
  },
  'records-there@getWebhook': {
    'a record that is not found': [webhook, read({}, { refused: 'not_found' })],
  },
  'records-gone@getWebhook': {
    'a deleted record that is read': [webhook, read(), remove({ acts: false }), read()],
  },
  'records-gone@listWebhooks': {
    'a deleted record that is listed': [webhook, read(), remove({ acts: false }), webhooks()],
  },
  'records-gone@deleteWebhook': {
    'two deletions at once that succeed': [webhook, remove({ ms: 3 }), remove({ ms: 3 })],
    'a deletion that succeeds twice': [webhook, remove(), remove()],
  },
  'http-methods@listWebhooks http-slashes@createWebhook': {
    'the deletion of a webhook of another path': [
      webhook,
      call('POST /partner/webhook/', {}, { ...example('credential'), id: 'strange' }),
      call('DELETE /partner/webhook/strange', undefined, undefined),
    ],
  },
  'records-named@deleteWebhook': {
    'an unknown webhook, deleted': [
      webhook,
      call('DELETE /partner/webhook/strange', undefined, undefined),
    ],
  },
  'records-named@getWebhook responses-shape@getWebhook': {
    'a read that shows another record': [
      webhook,
      webhook,
      call(`GET /partner/webhook/00000000-0000-4000-8000-000000000009`, undefined, { id: 'x' }),
    ],
  },
  'records-refused@createWebhook': {
    'a refused record that is listed': [
      webhook,
      webhookOf({}, { refused: 'invalid_charge', acts: true }),
      webhooks(),
    ],
  },
  'records-kept@cancelImmediateQrCode': {
    'a cancellation that leaves the state': [charge, cancel({ status: 'ATIVA' })],
    'a second cancellation that counts': [charge, cancel(), cancel({ revision: 2 })],
  },
  'records-dated@cancelDueDateQrCode': {
    'a cancellation that leaves the revision': [create('dueDateQrCode'), cancel({ revision: 0 })],
  },
  'records-states@cancelDueDateQrCode': {
    'a cancellation that is refused': [
      create('dueDateQrCode'),
      cancel({}, { refused: 'qrcode_paid' }),
    ],
  },
  'records-dated@listImmediateQrCodes': {
    'a paid code whose revision stays': [charge, ...paid({ updated_at: '2026-11-02T14:30:20Z' })],
    'a paid code whose time of change stays': [charge, pass(5_000), ...paid({ revision: 1 })],
  },
  'records-dated@createImmediateQrCode': {
    'a creation three hours off': [chargeOf({}, { shows: { created_at: '2026-11-02T11:30:00Z' } })],
  },
})

test('it leaves unexplained changes of an incomplete history to somebody else', () => {
  const { findings, changedElsewhere } = readStory(
    [webhook, read(), read({ status: 'inactive' }), read({ status: 'inactive' })],
    { isComplete: false },
  )
  expect([findings.length, changedElsewhere]).toEqual([0, 1])
})

test('it makes no failure of a place that is an assumption', () => {
  const steps = [
    chargeOf({}, { shows: { dict_key: 'x@example.com' } }),
    webhook,
    read({ type: 'qrcode' }),
  ]
  const { findings } = readStory(steps)
  expect(findings.map(({ kind, cites }) => [kind, cites])).toEqual([
    ['failure', { fact: 'webhooks-managed' }],
    ['deviation', { question: 'qr-record' }],
  ])
})

test('it makes no failure of a cancelled record that is not found', () => {
  const { findings } = readStory([charge, cancel(), cancel({}, { refused: 'not_found' })])
  expect(findings).toMatchObject([{ rule: 'records-there', cites: { question: 'qr-statuses' } }])
})

test.each(['not_found', 'qrcode_paid'])(
  'it calls it a deviation that an expired charge is refused as %s',
  (refused) => {
    const { findings } = readStory([
      chargeOf({ calendar: { expiration: 600 } }),
      pass(700_000),
      cancel({}, { refused }),
    ])
    expect(findings.find(({ operation }) => operation === 'cancelImmediateQrCode')).toMatchObject({
      kind: 'deviation',
      cites: { question: 'qr-statuses' },
    })
  },
)

test('it calls it a failure that a read shows another record than the one that it names', () => {
  const { findings } = readStory([webhook, webhook, read({ id: SHORT })])
  expect(findings.filter(({ rule }) => rule === 'records-named')).toMatchObject([
    { kind: 'failure' },
  ])
})

test('it calls it a deviation that the list and the look-up show a user in two ways', () => {
  const [user] = example('partnerUsers').users as object[]
  const { findings } = readStory([listUsers(), listUsers({ users: [{ ...user, tax_id: '' }] })])
  expect(findings).toMatchObject([{ kind: 'deviation', cites: { question: 'user-fields' } }])
})

test('it takes a record of the time after a refused creation for one of an earlier history', () => {
  const refused = webhookOf({}, { refused: 'invalid_charge' })
  const { findings } = readStory([
    webhook,
    refused,
    pass(60_000),
    webhooks('', {
      shown: (all) => [...all, { ...all[0], id: SHORT, created_at: '2026-11-02T14:30:40Z' }],
    }),
  ])
  expect(findings.filter(({ rule }) => rule === 'records-refused')).toEqual([])
})

test('it takes a code with another tx_id than that of a refused creation for one of an earlier history', () => {
  const listed = (tx_id: string) => {
    const refused = chargeOf({}, { refused: 'invalid_charge' })
    const shown = (all: Json[]) => [...all, { ...all[0], id: SHORT, tx_id }]
    const { findings } = readStory([charge, refused, charges('', { shown })])
    return findings.filter(({ rule }) => rule === 'records-refused').length
  }
  expect(['T00000000000000000000000000002', 'T00000000000000000000000000009'].map(listed)).toEqual([
    1, 0,
  ])
})
