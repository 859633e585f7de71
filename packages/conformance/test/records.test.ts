import { expect, test } from 'vitest'
import {
  call,
  cancel,
  create,
  findings,
  list,
  pass,
  type Row,
  read,
  readStory,
  remove,
  update,
} from './story.ts'

const url = 'https://elsewhere.example/pix'
const rows: readonly Row[] = [
  [
    'nothing of a webhook that is shown as it was sent',
    [create('webhook', { type: 'transfer' }), read(), list('webhook'), remove()],
  ],
  [
    'a read with another value than was sent',
    [create('webhook', { type: 'all' }), read({ type: 'qrcode' })],
    ['records-shown@getWebhook'],
  ],
  [
    'nothing of a URL in another notation',
    [create('webhook', { url: 'https://a.example' }), read({ url: 'https://a.example/' })],
  ],
  [
    'a creation that loses a nested value',
    [create('immediateQrCode', {}, { shows: { amount: { original: '1.00' } } })],
    ['records-shown@createImmediateQrCode'],
  ],
  [
    'nothing of a field of the request that no response declares',
    [
      create(
        'immediateQrCode',
        { payer: { name: 'Ana', tax_id: '12345678909', x: 1 } },
        { shows: { payer: { name: 'Ana', tax_id: '12345678909', can_change_document: false } } },
      ),
    ],
  ],
  [
    'another initial state',
    [create('immediateQrCode', {}, { shows: { status: 'CONCLUIDA' } })],
    ['records-shown@createImmediateQrCode'],
  ],
  [
    'another default',
    [create('immediateQrCode', { message: undefined }, { shows: { message: 'x' } })],
    ['records-shown@createImmediateQrCode'],
  ],
  [
    'a list that differs from the read',
    [create('webhook'), read(), list('webhook', '', { shown: ([it]) => [{ ...it, status: 'inactive' }] })],
    ['records-kept@listWebhooks'],
  ],
  [
    'an update that ignores a field',
    [create('webhook'), update({ url }, { shows: { url: 'https://partner.example.com/pix/events' } })],
    ['records-shown@updateWebhook'],
  ],
  ['nothing of an update without effect', [create('webhook'), read(), update({}), read()]],
  [
    'an update that changes another record',
    [create('webhook'), read(), create('webhook'), update({ url }), read({ status: 'inactive' }, { of: 0 })],
    ['records-kept@updateWebhook'],
  ],
  [
    'a refused update that changes the record',
    [create('webhook'), read(), update({ url }, { refused: [422], acts: true }), read()],
    ['records-kept@getWebhook'],
  ],
  [
    "another partner's refused update that changes the record",
    [create('webhook'), read(), update({ url }, { by: 'other', refused: [404], acts: true }), read()],
    ['records-kept@getWebhook'],
  ],
  [
    'nothing of either value after an update without response',
    [create('webhook'), update({ url }, { lost: true }), read(), read({ url }), read({ url })],
  ],
  [
    'a value that goes back after it was seen',
    [create('webhook'), read(), update({ url }, { lost: true }), read({ url }), read()],
    ['records-kept@getWebhook'],
  ],
  [
    'nothing of a read beside an update',
    [create('webhook'), read(), update({ url }, { ms: 3 }), read(), pass(5), read()],
  ],
  [
    'a record that its owner does not find',
    [create('webhook'), read({}, { refused: [404, 'not_found'] })],
    ['records-there@getWebhook'],
  ],
  [
    'nothing of a record that a deletion without response may have removed',
    [create('webhook'), remove({ lost: true }), read({}, { refused: [404, 'not_found'] })],
  ],
  [
    'a deleted record that is read',
    [create('webhook'), read(), remove({ acts: false }), read()],
    ['records-gone@getWebhook'],
  ],
  [
    'a deleted record that is listed',
    [create('webhook'), read(), remove({ acts: false }), list('webhook')],
    ['records-gone@listWebhooks'],
  ],
  [
    'nothing of either value after two updates at once',
    [
      create('webhook'),
      update({ type: 'transfer' }, { ms: 3 }),
      update({ type: 'qrcode' }, { ms: 3 }),
      pass(5),
      read({ type: 'transfer' }),
      read({ type: 'transfer' }),
    ],
  ],
  [
    'two deletions at once that succeed',
    [create('webhook'), remove({ ms: 3 }), remove({ ms: 3 })],
    ['records-gone@deleteWebhook'],
  ],
  ['a deletion that succeeds twice', [create('webhook'), remove(), remove()], ['records-gone@deleteWebhook']],
  [
    'a read that shows another record',
    [
      create('webhook'),
      create('webhook'),
      call(`GET /partner/webhook/00000000-0000-4000-8000-000000000009`, undefined, { id: 'x' }),
    ],
    ['records-named@getWebhook', 'responses-shape@getWebhook'],
  ],
  [
    'a refused creation that is listed',
    [create('webhook'), create('webhook', {}, { refused: [422], acts: true }), list('webhook')],
    ['records-refused@createWebhook'],
  ],
  [
    'a cancellation that leaves the state',
    [create('immediateQrCode'), cancel({ status: 'ATIVA' })],
    ['records-kept@cancelImmediateQrCode'],
  ],
  [
    'nothing of a cancellation after two at once',
    [
      create('immediateQrCode'),
      cancel({}, { ms: 9 }),
      cancel({}, { ms: 9 }),
      pass(20),
      list('immediateQrCode'),
      cancel(),
    ],
  ],
  ['nothing of a second cancellation without effect', [create('immediateQrCode'), cancel(), cancel()]],
  [
    'a second cancellation that counts',
    [create('immediateQrCode'), cancel(), cancel({ revision: 2 })],
    ['records-kept@cancelImmediateQrCode'],
  ],
  [
    'a cancellation that leaves the revision',
    [create('dueDateQrCode'), cancel({ revision: 0 })],
    ['records-dated@cancelDueDateQrCode'],
  ],
  [
    'a cancellation that is refused',
    [create('dueDateQrCode'), cancel({}, { refused: [409] })],
    ['records-states@cancelDueDateQrCode'],
  ],
  [
    'a creation three hours off',
    [create('immediateQrCode', {}, { shows: { created_at: '2026-11-02T11:30:00Z' } })],
    ['records-dated@createImmediateQrCode'],
  ],
]

for (const [title, steps, expected = []] of rows)
  test(`it finds ${title}`, () => {
    expect(findings(...steps)).toEqual(expected)
  })

test('it leaves unexplained changes of an incomplete history to somebody else', () => {
  const { findings, changedElsewhere } = readStory(
    [create('webhook'), read(), read({ status: 'inactive' }), read({ status: 'inactive' })],
    { isComplete: false },
  )
  expect([findings.length, changedElsewhere]).toEqual([0, 1])
})

test('it makes no failure of a place that is an assumption', () => {
  const steps = [
    create('immediateQrCode', {}, { shows: { dict_key: 'x@example.com' } }),
    create('webhook'),
    read({ type: 'qrcode' }),
  ]
  const { findings } = readStory(steps)
  expect(findings.map(({ kind, cites }) => [kind, cites])).toEqual([
    ['failure', { fact: 'webhooks-managed' }],
    ['deviation', { question: 'qr-record' }],
  ])
})

test('it makes no failure of a cancelled record that is not found', () => {
  const { findings } = readStory([create('immediateQrCode'), cancel(), cancel({}, { refused: [404] })])
  expect(findings).toMatchObject([{ rule: 'records-there', cites: { question: 'qr-statuses' } }])
})
