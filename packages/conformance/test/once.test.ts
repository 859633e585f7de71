import { expect, test } from 'vitest'
import { fieldsOf } from '../src/contract/json.ts'
import {
  cancel,
  charge,
  charges,
  codeOf,
  create,
  createCharge,
  createWebhook,
  endFields,
  example,
  expectFindings,
  expectFindingsWith,
  type Json,
  lookUp,
  type Manner,
  PAYMENT,
  pass,
  payCode,
  payCodeAs,
  payCodePending,
  payKey,
  readStory,
  type Who,
  webhook,
} from './story.ts'

const emv = codeOf(1, 'staticQrCode')
const dynamic = codeOf(1, 'immediateQrCode')
const tx_id = 'A'.repeat(30)
/** Looks up the key of the examples, with this initiation. */
const look = (initiation_id: string, by: Who = 'partner') => lookUp({ initiation_id }, { by })

/** Pays a key, as a transfer with an id of its own. */
function pay(initiation_id: string, manner: Manner = {}, sent: Json = {}, status = 'settled') {
  const id = crypto.randomUUID()
  const data = { id, status, ...endFields(status) }
  return payKey({ initiation_id, ...sent }, data, { ...manner, shows: { id, status } })
}

/** With a token that no response has shown. */
const UNSEEN = { authorization: 'Bearer unseen' }

expectFindings([
  {
    title: 'it finds an initiation_id that is empty',
    story: [lookUp({ initiation_id: '' })],
    finds: ['once-issued@checkKey'],
  },
  {
    title: 'it finds an id issued twice',
    story: [webhook, createWebhook({}, { shows: { id: '00000000-0000-4000-8000-000000000001' } })],
    finds: ['once-issued@createWebhook'],
  },
  {
    title: 'it finds a unique value accepted twice',
    story: [createCharge({ tx_id }), create('dueDateQrCode', { tx_id })],
    finds: ['once-unique@createDueDateQrCode'],
  },
  {
    title: 'it finds a unique value accepted again after its end',
    story: [createCharge({ tx_id }), cancel(), createCharge({ tx_id })],
    finds: ['once-unique@createImmediateQrCode'],
  },
  {
    title: 'it finds a unique value that is refused to another partner',
    story: [
      createCharge({ tx_id }),
      createCharge({ tx_id }, { by: 'other', refused: 'tx_id_taken' }),
    ],
    finds: ['once-unique@createImmediateQrCode'],
  },
  {
    title: 'it finds a unique value that is refused though nobody has used it',
    story: [
      createCharge({ tx_id }),
      createCharge({ tx_id: tx_id.toLowerCase() }, { refused: 'tx_id_taken' }),
    ],
    finds: ['once-unique@createImmediateQrCode'],
  },
  {
    title: 'it finds nothing wrong with a unique value that two partners use',
    story: [createCharge({ tx_id }), createCharge({ tx_id }, { by: 'other' })],
    finds: [],
  },
  {
    title: 'it finds nothing wrong with one use of an initiation',
    story: [look('ini_1'), pay('ini_1'), pay('ini_1', { refused: 'initiation_used' })],
    finds: [],
  },
  {
    title: 'it finds nothing wrong with a transfer after one without response',
    story: [look('ini_1'), pay('ini_1', { lost: true }), pay('ini_1')],
    finds: [],
  },
  {
    title: 'it takes a key in the spelling that its look-up shows for the same key',
    story: [
      lookUp({ initiation_id: 'ini_1' }, { sent: { dict_key: ' beltrana@example.com' } }),
      pay('ini_1'),
    ],
    finds: ['refusals-causes@checkKey'],
  },
  {
    title: 'it finds the address of another person, which differs in punctuation alone',
    story: [
      lookUp({ initiation_id: 'ini_1' }, { sent: { dict_key: 'bel.trana@example.com' } }),
      pay('ini_1'),
    ],
    finds: ['keys-repeated@checkKey', 'once-used@createTransfer'],
  },
  {
    title: 'it finds another key than the look-up was asked for, although it shows that one',
    story: [
      lookUp({ initiation_id: 'ini_1' }, { sent: { dict_key: 'fulano@example.com' } }),
      pay('ini_1'),
    ],
    finds: ['keys-repeated@checkKey', 'once-used@createTransfer'],
  },
  {
    title: 'it finds nothing wrong with a code whose first payment was rejected',
    story: [charge, payCodeAs('rejected'), payCodeAs('pending')],
    finds: [],
  },
  {
    title: 'it finds a unique value that a refused request used up',
    story: [
      createCharge({ tx_id }, { refused: 'invalid_charge' }),
      createCharge({ tx_id }, { refused: 'tx_id_taken' }),
    ],
    finds: ['once-refused@createImmediateQrCode'],
  },
  {
    title: 'it finds two transfers with one initiation',
    story: [look('ini_1'), pay('ini_1'), pay('ini_1')],
    finds: ['once-used@createTransfer'],
  },
  {
    title: 'it finds two transfers with one initiation, whose token has an unseen sign-in',
    story: [look('ini_1'), pay('ini_1', UNSEEN), pay('ini_1', UNSEEN)],
    finds: ['access-credentials@createTransfer', 'once-used@createTransfer'],
  },
  {
    title: 'it finds the initiation of a rejected transfer',
    story: [look('ini_1'), pay('ini_1', {}, {}, 'rejected'), pay('ini_1')],
    finds: ['once-used@createTransfer'],
  },
  {
    title: 'it finds two transfers at once',
    story: [look('ini_1'), pay('ini_1', { ms: 5 }), pay('ini_1', { ms: 5 })],
    finds: ['once-used@createTransfer'],
  },
  {
    title: 'it finds an invented initiation',
    story: [pay('ini_2')],
    finds: ['once-used@createTransfer'],
  },
  {
    title: 'it finds the initiation of another caller',
    story: [look('ini_1', 'other'), pay('ini_1')],
    finds: ['once-used@createTransfer'],
  },
  {
    title: 'it finds the initiation of another key',
    story: [look('ini_1'), pay('ini_1', {}, { dict_key: 'x@example.com' })],
    finds: ['once-used@createTransfer'],
  },
  {
    title: 'it finds an initiation after half an hour',
    story: [look('ini_1'), pass(1_801_000), pay('ini_1')],
    finds: ['once-used@createTransfer'],
  },
  {
    title: 'it finds a code that is paid twice',
    story: [charge, payCodeAs('pending'), payCodeAs('pending')],
    finds: ['once-used@createTransfer'],
  },
  {
    title: 'it finds a static code that is paid once only',
    story: [
      create('staticQrCode'),
      payCodeAs('pending', { emv }),
      payCodeAs('pending', { emv, refused: 'code_paid' }),
    ],
    finds: ['once-used@createTransfer'],
  },
  {
    title: 'it finds an initiation that a refused transfer used up',
    story: [
      look('ini_1'),
      pay('ini_1', { refused: 'invalid_charge' }),
      pay('ini_1', { refused: 'initiation_used' }),
    ],
    finds: ['once-refused@createTransfer'],
  },
])

const REPEATED = [
  {
    title: 'it reports money that may move twice as critical',
    severity: 'critical',
    again: pay('ini_1'),
  },
  {
    title: 'it reports the first transfer, shown again, as a warning',
    severity: 'warning',
    again: payKey({ initiation_id: 'ini_1' }),
  },
  {
    title: 'it reports a second transfer that is rejected, which moves no money, as a warning',
    severity: 'warning',
    again: pay('ini_1', {}, {}, 'rejected'),
  },
]

for (const { title, severity, again } of REPEATED) {
  test(title, () => {
    const first = payKey({ initiation_id: 'ini_1' })
    const { findings } = readStory([look('ini_1'), first, again])
    expect(findings.find(({ rule }) => rule === 'once-used')).toMatchObject({
      severity,
      kind: 'deviation',
      cites: { question: 'transfer-repeat' },
    })
  })
}

const PARTIAL = { isComplete: false }

/** The list after the payment of the first code, which shows whose payment it was. */
function listOfPaid(endToEndId: string) {
  const payment = { ...PAYMENT, end_to_end_id: endToEndId }
  const fields = { status: 'CONCLUIDA', payment, revision: 1, updated_at: '2026-11-02T14:35:00Z' }
  return charges('', { shown: (records) => records.map((record) => ({ ...record, ...fields })) })
}

const FIRST = 'E99999010202611021430first000001'
const SECOND = 'E99999010202611021430second00001'

expectFindingsWith(PARTIAL, [
  {
    title: 'it finds two transfers with one initiation, whose look-up is unseen',
    story: [pay('ini_1'), pay('ini_1')],
    finds: ['once-used@createTransfer'],
  },
  {
    title: 'it finds two transfers with one initiation, whose sign-in and look-up are unseen',
    story: [pay('ini_1', UNSEEN), pay('ini_1', UNSEEN)],
    finds: ['once-used@createTransfer'],
  },
  {
    title: 'it finds a charge of an unseen record that is paid twice',
    story: [payCodeAs('settled', { emv: dynamic }), payCodeAs('settled', { emv: dynamic })],
    finds: ['once-used@createTransfer'],
  },
  {
    // Its responses are those of a charge.
    title: 'it finds a charge that is paid twice, once a list shows that its first payment settled',
    story: [charge, payCodePending(FIRST), payCodePending(SECOND), pass(30_000), listOfPaid(FIRST)],
    finds: ['once-used@createTransfer'],
  },
  {
    title: 'it finds nothing wrong with a second payment where the first may have been rejected',
    story: [
      charge,
      payCodePending(FIRST),
      payCodePending(SECOND),
      pass(30_000),
      listOfPaid(SECOND),
    ],
    finds: [],
  },
  {
    title: 'it finds no second payment of a static code of an unseen record',
    story: [payCodeAs('settled', { emv }), payCodeAs('settled', { emv })],
    finds: ['money-consistent@createTransfer', 'responses-agree@createTransfer'],
  },
  {
    title: 'it finds nothing wrong with a second transfer that is refused to an unseen token',
    story: [pay('ini_1', UNSEEN), pay('ini_1', { ...UNSEEN, refused: 'initiation_used' })],
    finds: [],
  },
])

/** The ids of the findings of a rule. */
function idsOf(rule: string, story: Parameters<typeof readStory>[0]): readonly string[] {
  const { findings } = readStory(story)
  return findings.filter((finding) => finding.rule === rule).map(({ id }) => id)
}

test('it distinguishes a transfer that is shown again from a second one', () => {
  const first = payKey({ initiation_id: 'ini_1' })
  const again = idsOf('once-used', [look('ini_1'), first, first])
  const second = idsOf('once-used', [look('ini_1'), pay('ini_1'), pay('ini_1')])
  expect(again).toHaveLength(1)
  expect(second).toHaveLength(1)
  expect(again).not.toEqual(second)
})

test('it distinguishes a payment of a paid code that shows the first transfer from a second payment', () => {
  const { end_to_end_id } = fieldsOf(example('immediatePending').data)
  const paid = [charge, payCode(), pass(30_000), listOfPaid(String(end_to_end_id))]
  const again = idsOf('records-states', [...paid, payCode()])
  const second = idsOf('records-states', [...paid, payCodePending(SECOND)])
  expect(again).toHaveLength(1)
  expect(second).toHaveLength(1)
  expect(again).not.toEqual(second)
})

test('it distinguishes a record that is shown again from a second one with its unique value', () => {
  const shows = { id: '00000000-0000-4000-8000-000000000009' }
  const first = createCharge({ tx_id }, { shows })
  const again = idsOf('once-unique', [first, first])
  const second = idsOf('once-unique', [first, createCharge({ tx_id })])
  expect(again).toHaveLength(1)
  expect(second).toHaveLength(1)
  expect(again).not.toEqual(second)
})

test('it distinguishes the initiation of another partner from that of a customer', () => {
  const ofPartner = idsOf('once-used', [look('ini_1', 'other'), pay('ini_1')])
  const ofCustomer = idsOf('once-used', [look('ini_1', 'customer'), pay('ini_1')])
  expect(ofPartner).toHaveLength(1)
  expect(ofCustomer).toHaveLength(1)
  expect(ofPartner).not.toEqual(ofCustomer)
})

/** How many cases pass if a key is paid with the initiation of another one, and that is refused. */
function countPassed(dict_key: unknown): number {
  const refused = { refused: 'initiation_invalid', variant: '/dict_key' }
  const { cases } = readStory([
    lookUp({ initiation_id: 'ini_9', dict_key: KNOWN }, { sent: { dict_key: KNOWN } }),
    look('ini_0'),
    pay('ini_0'),
    look('ini_1'),
    pay('ini_1', refused, { dict_key }),
  ])
  return cases.get('once-used')?.passed ?? 0
}

const KNOWN = '11222333000181'

test('it counts a refusal of another key only if the service knows the key', () => {
  expect(countPassed(KNOWN)).toBeGreaterThan(0)
  for (const key of ['nobody@example.com', '', undefined, 5]) expect(countPassed(key)).toBe(0)
})
