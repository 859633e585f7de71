import { expect, test } from 'vitest'
import { fieldsOf } from '../src/contract/json.ts'
import { FILLED_BY_STATUS } from '../src/model/records.ts'
import {
  call,
  cancel,
  charge,
  charges,
  create,
  createCharge,
  createWebhook,
  example,
  expectFindings,
  type Json,
  listUsers,
  lookUp,
  PAYMENT,
  pass,
  payCode,
  payKey,
  read,
  readStory,
  readUser,
  remove,
  type Step,
  update,
  webhook,
  webhooks,
} from './story.ts'

const byDate = { modality: '1', fixedDateDiscount: [{ amount: '1.00', date: '2026-12-10' }] }
const url = 'https://elsewhere.example/pix'

const LATE = { lagMs: 5_000 }
const BEFORE = { url: 'https://partner.example.com/pix/events' }

test('it calls a record that is read too early that, and nothing else', () => {
  const story = [webhook, read(), update({ url }), read(BEFORE), pass(6_000), read()]
  const { findings } = readStory(story, LATE)
  expect(findings).toMatchObject([{ kind: 'deviation', cites: { question: 'list-lag' } }])
})

test('it finds an update that no later read shows', () => {
  const story = [webhook, read(), update({ url }), read(BEFORE), pass(6_000), read(BEFORE)]
  const { findings } = readStory(story, LATE)
  expect(findings).toMatchObject([{ rule: 'records-kept', cites: { fact: 'webhooks-managed' } }])
})

test.each([
  {
    title: 'nothing in a field that a cancellation fills',
    story: [cancel({ url: 'a' })],
    finds: [],
  },
  {
    title: 'nothing in a field that a payment has filled',
    story: [
      payCode({ status: 'settled' }),
      charges('', {
        shown: ([one]) => [{ ...one, status: 'CONCLUIDA', payment: PAYMENT, url: 'a' }],
      }),
    ],
    finds: [],
  },
  {
    title: 'a field that is filled without any change',
    story: [charges('', { shown: ([one]) => [{ ...one, url: 'a' }] })],
    finds: ['listImmediateQrCodes'],
  },
  {
    title: 'a field that has another value after a change',
    story: [cancel({ url: 'a' }), charges('', { shown: ([one]) => [{ ...one, url: 'b' }] })],
    finds: ['listImmediateQrCodes'],
  },
])('it finds $title', ({ story, finds }) => {
  const { findings } = readStory([createCharge({}, { shows: { url: '' } }), ...story])
  const ofUrl = findings.filter(({ message }) => message.includes(' url of '))
  expect(ofUrl.map(({ operation }) => operation)).toEqual(finds)
})

test('it cites no fact for how a text is written', () => {
  const capitals = { data: { ...fieldsOf(example('keySettled').data), description: 'ALMOCO' } }
  const story = [lookUp(), payKey({ description: 'Almoço' }, {}, { shows: capitals })]
  const { findings } = readStory(story)
  expect(findings).toMatchObject([{ kind: 'deviation', cites: { question: 'values-shown' } }])
})

/** A payment, and the list after it has settled. */
function paid(fields: object): Step[] {
  const shown = (records: Json[]) =>
    records.map((record) => ({ ...record, status: 'CONCLUIDA', payment: PAYMENT, ...fields }))
  return [charges(), payCode(), pass(30_000), charges('', { shown })]
}

test('it lets a payment settle that was made before its charge was first shown', () => {
  const open = example('immediateQrCode')
  const ended = { ...open, status: 'CONCLUIDA', payment: PAYMENT, revision: 1 }
  const { findings } = readStory([
    payCode({}, { emv: String(open.emv) }),
    charges('', { shown: () => [open] }),
    pass(30_000),
    charges('', { shown: () => [ended] }),
  ])
  expect(findings.map(({ message }) => message)).toEqual([])
})

/** The times of a webhook by a service whose clock is five seconds behind that of this machine. */
const BEHIND = { created_at: '2026-11-02T14:29:55Z', updated_at: '2026-11-02T14:29:55Z' }

/** The webhook of the short path. */
const SHORT = '00000000-0000-4000-8000-000000000077'
const short = { ...example('webhook'), id: SHORT, url: 'https://short.example/pix' }
const atShortPath = call(
  'POST /partners/webhooks',
  { url: short.url },
  { id: SHORT, secret: example('credential').secret },
)
const readShort = (type: string) =>
  call(`GET /partner/webhook/${SHORT}`, undefined, { ...short, type })

expectFindings([
  {
    title: 'it finds nothing wrong with a paid code that changes',
    story: [charge, ...paid({ revision: 1, updated_at: '2026-11-02T14:30:20Z' })],
    finds: [],
  },
  {
    title: 'it finds nothing wrong with a webhook of the short path',
    story: [atShortPath, readShort('all')],
    finds: [],
  },
  {
    title: 'it finds nothing wrong with a webhook shown as it was sent',
    story: [createWebhook({ type: 'transfer' }), read(), webhooks(), remove()],
    finds: [],
  },
  {
    title: 'it finds nothing wrong with a URL in another notation',
    story: [createWebhook({ url: 'https://a.example' }), read({ url: 'https://a.example/' })],
    finds: [],
  },
  {
    title: 'it finds nothing wrong with a field of the request that no response declares',
    story: [
      createCharge(
        { payer: { name: 'Ana', tax_id: '12345678909', x: 1 } },
        { shows: { payer: { name: 'Ana', tax_id: '12345678909', can_change_document: false } } },
      ),
    ],
    finds: [],
  },
  {
    title: 'it finds nothing wrong with an update without effect',
    story: [webhook, read(), update({}), read()],
    finds: [],
  },
  {
    title:
      'it finds nothing wrong with an update with an unknown outcome, of a field that was not shown before',
    story: [webhook, update({ status: 'inactive' }, { lost: true }), read()],
    finds: [],
  },
  {
    title: 'it finds nothing wrong with either value after a lost update',
    story: [webhook, update({ url }, { lost: true }), read(), read({ url }), read({ url })],
    finds: [],
  },
  {
    title: 'it finds nothing wrong with a read beside an update',
    story: [webhook, read(), update({ url }, { ms: 3 }), read(), pass(5), read()],
    finds: [],
  },
  {
    title: 'it finds nothing wrong with a record that a lost deletion may have removed',
    story: [webhook, remove({ lost: true }), read({}, { refused: 'not_found' })],
    finds: [],
  },
  {
    title: 'it finds nothing wrong with either value after two updates at once',
    story: [
      webhook,
      update({ type: 'transfer' }, { ms: 3 }),
      update({ type: 'qrcode' }, { ms: 3 }),
      pass(5),
      read({ type: 'transfer' }),
      read({ type: 'transfer' }),
    ],
    finds: [],
  },
  {
    title: 'it finds nothing wrong with a cancellation after two at once',
    story: [charge, cancel({}, { ms: 9 }), cancel({}, { ms: 9 }), pass(20), charges(), cancel()],
    finds: [],
  },
  {
    title: 'it finds nothing wrong with a second cancellation without effect',
    story: [charge, cancel(), cancel()],
    finds: [],
  },
  {
    title: 'it finds another type than all after a creation at the short path',
    story: [atShortPath, readShort('transfer')],
    finds: ['records-shown@getWebhook'],
  },
  {
    title: 'it finds a read with another value than was sent',
    story: [createWebhook({ type: 'all' }), read({ type: 'qrcode' })],
    finds: ['records-shown@getWebhook'],
  },
  {
    title: 'it finds a creation without a nested value',
    story: [createCharge({}, { shows: { amount: { original: '1.00' } } })],
    finds: ['records-shown@createImmediateQrCode'],
  },
  {
    title: 'it finds another initial state',
    story: [createCharge({}, { shows: { status: 'CONCLUIDA', payment: PAYMENT } })],
    finds: ['records-shown@createImmediateQrCode'],
  },
  {
    title: 'it finds another default',
    story: [createCharge({ message: undefined }, { shows: { message: 'x' } })],
    finds: ['records-shown@createImmediateQrCode'],
  },
  {
    title: 'it finds an amount of a discount by date beside its dates, and not how it is shown',
    story: [
      create('dueDateQrCode', {
        amount: { original: '10.00', discount: { ...byDate, amount: '1.00' } },
      }),
    ],
    finds: ['refusals-causes@createDueDateQrCode'],
  },
  {
    title: 'it finds another status on a list',
    story: [
      webhook,
      read(),
      webhooks('', { shown: ([first]) => [{ ...first, status: 'inactive' }] }),
    ],
    finds: ['records-kept@listWebhooks'],
  },
  {
    title: 'it finds an update that ignores a field',
    story: [webhook, update({ url }, { shows: { url: 'https://partner.example.com/pix/events' } })],
    finds: ['records-shown@updateWebhook'],
  },
  {
    title: 'it finds an update that changes another record',
    story: [webhook, read(), webhook, update({ url }), read({ status: 'inactive' }, { of: 0 })],
    finds: ['records-kept@updateWebhook'],
  },
  {
    title: 'it finds a refused update, which acts',
    story: [webhook, read(), update({ url }, { refused: 'invalid_charge', acts: true }), read()],
    finds: ['records-kept@getWebhook'],
  },
  {
    title: "it finds another partner's refused update, which acts",
    story: [
      webhook,
      read(),
      update({ url }, { by: 'other', refused: 'not_found', acts: true }),
      read(),
    ],
    finds: ['records-kept@getWebhook'],
  },
  {
    title: 'it finds a value that goes back',
    story: [webhook, read(), update({ url }, { lost: true }), read({ url }), read()],
    finds: ['records-kept@getWebhook'],
  },
  {
    title: 'it finds a record that is not found',
    story: [webhook, read({}, { refused: 'not_found' })],
    finds: ['records-there@getWebhook'],
  },
  {
    title: 'it finds a deleted record that is read',
    story: [webhook, read(), remove({ acts: false }), read()],
    finds: ['records-gone@getWebhook'],
  },
  {
    title: 'it finds a deleted record that is listed',
    story: [webhook, read(), remove({ acts: false }), webhooks()],
    finds: ['records-gone@listWebhooks'],
  },
  {
    title: 'it finds two deletions at once that succeed',
    story: [webhook, remove({ ms: 3 }), remove({ ms: 3 })],
    finds: ['records-gone@deleteWebhook'],
  },
  {
    title: 'it finds a deletion that succeeds twice',
    story: [webhook, remove(), remove()],
    finds: ['records-gone@deleteWebhook'],
  },
  {
    title: 'it finds the deletion of a webhook of another path',
    story: [
      webhook,
      call('POST /partner/webhook/', {}, { ...example('credential'), id: 'strange' }),
      call('DELETE /partner/webhook/strange', undefined, undefined),
    ],
    finds: ['http-methods@listWebhooks', 'http-slashes@createWebhook'],
  },
  {
    title: 'it finds an unknown webhook, deleted',
    story: [webhook, call('DELETE /partner/webhook/strange', undefined, undefined)],
    finds: ['records-named@deleteWebhook'],
  },
  {
    title: 'it finds a read that shows another record',
    story: [
      webhook,
      webhook,
      call(`GET /partner/webhook/00000000-0000-4000-8000-000000000009`, undefined, { id: 'x' }),
    ],
    finds: ['records-named@getWebhook', 'responses-shape@getWebhook'],
  },
  {
    title: 'it finds a refused record that is listed',
    story: [webhook, createWebhook({}, { refused: 'invalid_charge', acts: true }), webhooks()],
    finds: ['records-refused@createWebhook'],
  },
  {
    title: 'it finds a cancellation that leaves the state',
    story: [charge, cancel({ status: 'ATIVA' })],
    finds: ['records-kept@cancelImmediateQrCode'],
  },
  {
    title: 'it does not know what a cancellation makes of a state of the service itself',
    story: [
      charge,
      charges('', { shown: (records) => records.map((each) => ({ ...each, status: 'EXPIRED' })) }),
      cancel(),
    ],
    finds: ['responses-shape@listImmediateQrCodes'],
  },
  {
    title: 'it takes the time of a first change for a later one than none',
    story: [webhook, read({ updated_at: null }), pass(10_000), update({ url }), read()],
    finds: [],
  },
  {
    title: 'it finds a second cancellation that counts',
    story: [charge, cancel(), cancel({ revision: 2 })],
    finds: ['records-kept@cancelImmediateQrCode'],
  },
  {
    title: 'it finds a cancellation that leaves the revision',
    story: [create('dueDateQrCode'), cancel({ revision: 0 })],
    finds: ['records-dated@cancelDueDateQrCode'],
  },
  {
    title: 'it finds a cancellation that is refused',
    story: [create('dueDateQrCode'), cancel({}, { refused: 'qrcode_paid' })],
    finds: ['records-states@cancelDueDateQrCode'],
  },
  {
    title: 'it finds a paid code whose revision stays',
    story: [charge, ...paid({ updated_at: '2026-11-02T14:30:20Z' })],
    finds: ['records-dated@listImmediateQrCodes'],
  },
  {
    title: 'it finds a paid code whose time of change stays',
    story: [charge, pass(5_000), ...paid({ revision: 1 })],
    finds: ['records-dated@listImmediateQrCodes'],
  },
  {
    title: 'it accepts a change within the second of the creation, by a clock that is behind',
    story: [webhook, read(BEHIND), update({ type: 'qrcode' }, { shows: BEHIND })],
    finds: [],
  },
  {
    title: 'it finds changes in quick succession whose time stays, by a clock that is behind',
    story: [
      webhook,
      read(BEHIND),
      pass(1_000),
      update({ type: 'qrcode' }, { shows: BEHIND }),
      pass(1_000),
      update({ type: 'all' }, { shows: BEHIND }),
    ],
    finds: ['records-dated@updateWebhook'],
  },
  {
    title:
      'it finds a change a minute after the creation whose time stays, by a clock that is behind',
    story: [webhook, read(BEHIND), pass(60_000), update({ type: 'qrcode' }, { shows: BEHIND })],
    finds: ['records-dated@updateWebhook'],
  },
  {
    title: 'it finds a creation three hours off',
    story: [createCharge({}, { shows: { created_at: '2026-11-02T11:30:00Z' } })],
    finds: ['records-dated@createImmediateQrCode'],
  },
])

test('it leaves unexplained changes of an incomplete history to somebody else', () => {
  const { findings, changedElsewhere } = readStory(
    [webhook, read(), read({ status: 'inactive' }), read({ status: 'inactive' })],
    { isComplete: false },
  )
  expect(findings).toEqual([])
  expect(changedElsewhere).toBe(1)
})

test('it makes no failure of a place that is an assumption', () => {
  const steps = [
    createCharge({}, { shows: { dict_key: 'x@example.com' } }),
    webhook,
    read({ type: 'qrcode' }),
  ]
  const { findings } = readStory(steps)
  expect(findings).toMatchObject([
    { kind: 'failure', cites: { fact: 'webhooks-managed' } },
    { kind: 'deviation', cites: { question: 'qr-record' } },
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
      createCharge({ calendar: { expiration: 600 } }),
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

test('it calls it a deviation that created_at differs between the list and the look-up of a user', () => {
  const { findings } = readStory([listUsers(), readUser({ created_at: '2026-09-30T12:00:00Z' })])
  expect(findings).toMatchObject([
    { rule: 'records-kept', kind: 'deviation', cites: { question: 'user-fields' } },
  ])
})

test('it calls it a deviation that a customer changes between two look-ups', () => {
  const [customer] = example('userWithCustomers').customers as object[]
  const customers = [{ ...customer, updated_at: '2026-11-02T14:30:00Z' }]
  const { findings } = readStory([readUser(), readUser({ customers })])
  expect(findings).toMatchObject([
    { rule: 'records-kept', kind: 'deviation', cites: { question: 'customer-fields' } },
  ])
})

test('it cites the service itself where the list and the look-up contradict each other about a user', () => {
  const [user] = example('partnerUsers').users as object[]
  const { findings } = readStory([
    listUsers(),
    listUsers({ users: [{ ...user, email: 'old@example.com' }] }),
  ])
  expect(findings).toMatchObject([
    {
      rule: 'records-kept',
      kind: 'deviation',
      severity: 'warning',
      cites: {
        own: { operation: 'listUsers', says: 'listUsers shows another email of the same user' },
      },
    },
  ])
})

test.each([
  { field: 'account_number', value: '7654321', severity: 'critical' },
  { field: 'name', value: 'Beltrana de Tal', severity: 'warning' },
])(
  'it calls it $severity that two look-ups show another $field of a customer',
  ({ field, value, severity }) => {
    const shown = example('userWithCustomers')
    const [customer] = shown.customers as object[]
    const lookUpOf = (customers: unknown) =>
      call('GET /partner/user/25fd6010-0b86-417f-96a3-7c5e37646c16', undefined, {
        ...shown,
        customers,
      })
    const { findings } = readStory([
      lookUpOf([customer]),
      lookUpOf([{ ...customer, [field]: value }]),
    ])
    expect(findings).toMatchObject([
      {
        rule: 'records-kept',
        kind: 'deviation',
        severity,
        cites: { own: { operation: 'getUser' } },
      },
    ])
  },
)

test('it takes a masked value of a user for hidden, and for no contradiction', () => {
  const [user] = example('partnerUsers').users as object[]
  const masked = { ...user, tax_id: '***.456.789-**' }
  const { findings } = readStory([listUsers(), listUsers({ users: [masked] })])
  expect(findings.filter(({ cites }) => 'own' in cites)).toEqual([])
})

test.each([
  { title: 'cut', email: 'fulano@' },
  { title: 'empty', email: '' },
])(
  'it takes a value of a user that was $title before for hidden, and for no contradiction',
  ({ email }) => {
    const [user] = example('partnerUsers').users as object[]
    const { findings } = readStory([listUsers({ users: [{ ...user, email }] }), listUsers()])
    expect(findings.filter(({ cites }) => 'own' in cites)).toEqual([])
  },
)

test('it takes a record of the time after a refused creation for one of an earlier history', () => {
  const refused = createWebhook({}, { refused: 'invalid_charge' })
  const later = { id: SHORT, created_at: '2026-11-02T14:30:40Z' }
  const listed = webhooks('', { shown: (records) => [...records, { ...records[0], ...later }] })
  const { findings } = readStory([webhook, refused, pass(60_000), listed])
  expect(findings.filter(({ rule }) => rule === 'records-refused')).toEqual([])
})

test('it takes a code with another tx_id than that of a refused creation for one of an earlier history', () => {
  const countListed = (tx_id: string) => {
    const refused = createCharge({}, { refused: 'invalid_charge' })
    const shown = (records: Json[]) => [...records, { ...records[0], id: SHORT, tx_id }]
    const { findings } = readStory([charge, refused, charges('', { shown })])
    return findings.filter(({ rule }) => rule === 'records-refused').length
  }
  expect(countListed('T00000000000000000000000000002')).toBe(1)
  expect(countListed('T00000000000000000000000000009')).toBe(0)
})

test('it knows the fields that change with the status from what spec/behaviour declares', () => {
  expect([...FILLED_BY_STATUS].sort()).toEqual(['payment', 'rejection_message', 'settled_at'])
})
