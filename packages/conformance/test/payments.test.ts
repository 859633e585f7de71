import { expect, test } from 'vitest'
import { fieldsOf } from '../src/contract/json.ts'
import { rules } from '../src/rules/index.ts'
import {
  balances,
  cancel,
  charge,
  charges,
  codeOf,
  createWebhook,
  type Delivered,
  deliver,
  example,
  expectFindings,
  expectFindingsWith,
  inOrder,
  type Json,
  lookUp,
  PAYMENT,
  pass,
  payCode,
  payKey,
  readStory,
  readUser,
  type Step,
  webhook,
} from './story.ts'

const PAYER = fieldsOf(PAYMENT.payer)
const PAYER_TAX_ID = String(PAYER.tax_id)

/** A charge that a customer pays, and the list after the payment has settled. */
function paid(payment: unknown, status = 'CONCLUIDA'): Step[] {
  const fields = { status, payment, revision: 1, updated_at: '2026-11-02T14:35:00Z' }
  const shown = (records: Json[]) => records.map((record) => ({ ...record, ...fields }))
  const settled = balances('64.10', '135.90')
  return [charge, payCode(), pass(30_000), settled, charges('', { shown })]
}

expectFindings([
  {
    title: 'it finds nothing wrong with the payment of a paid code',
    story: paid(PAYMENT),
    finds: [],
  },
  {
    title: 'it finds a paid code that leaves its payment out',
    story: paid(undefined),
    finds: ['responses-agree@listImmediateQrCodes'],
  },
  {
    title: 'it finds a paid code without its payment',
    story: paid(null),
    finds: ['responses-agree@listImmediateQrCodes'],
  },
  {
    title: 'it finds nothing wrong with an open code that leaves its payment out',
    story: [charge, charges('', { shown: ([first = {}]) => [{ ...first, payment: undefined }] })],
    finds: [],
  },
  {
    title: 'it finds the payment of an open code',
    story: [charge, charges('', { shown: ([first = {}]) => [{ ...first, payment: PAYMENT }] })],
    finds: ['records-kept@listImmediateQrCodes', 'responses-agree@listImmediateQrCodes'],
  },
  {
    title: 'it finds another amount than was paid',
    story: paid({ ...PAYMENT, amount: '35.91' }),
    finds: ['money-paid@listImmediateQrCodes'],
  },
  {
    title: 'it finds another end_to_end_id than that of the transfer',
    story: paid({ ...PAYMENT, end_to_end_id: 'E9999901020261102143200000000000' }),
    finds: ['money-paid@listImmediateQrCodes'],
  },
  {
    title: 'it finds the beneficiary in place of the payer',
    story: paid({ ...PAYMENT, payer: { name: 'Loja Exemplo Ltda', tax_id: '12ABC34501DE35' } }),
    finds: ['money-paid@listImmediateQrCodes'],
  },
  {
    title: 'it finds a payment from before the creation of the code',
    story: paid({ ...PAYMENT, paid_at: '2026-11-02T11:35:00Z' }),
    finds: ['money-paid@listImmediateQrCodes'],
  },
])

const CODE = codeOf(2)
const TRANSFER = fieldsOf(example('immediatePending').data)
/** The event about the payment of a code of the partner, the second record of a story. */
const CREDIT: Json = {
  account_id: 'c3a4b5d6-1d5c-4e0b-9d57-0d6c3f1a7001',
  payment: PAYMENT,
  tx_id: 'T00000000000000000000000000002',
  dict_key: example('immediateQrCode').dict_key,
  description: '',
  qrcode: { id: '00000000-0000-4000-8000-000000000002', kind: 'Immediate' },
}
const received = (data: Json = {}, delivered: Delivered = {}) =>
  deliver({ name: 'transferReceivedEvent', data: { ...CREDIT, ...data }, ...delivered })

const SETTLED = { ...TRANSFER, status: 'settled', settled_at: '2026-11-02T14:30:04Z' }
const settled = deliver({ name: 'transferSettledEvent', data: SETTLED })
/** The event of the code, the last record of the story. */
const codePaid = (payment: unknown = PAYMENT) =>
  deliver({ name: 'qrCodePaidEvent', data: { status: 'CONCLUIDA', payment } })
const payment = inOrder(charge, payCode({}, { emv: CODE }), settled)
/** Time passes, then an event shows that the service still delivers. */
const control = inOrder(pass(10_000), charge, cancel(), deliver())
const other = createWebhook({ url: 'https://other.example/pix' }, { by: 'other' })

/** The customer pays the key with which the partner has created a code. */
const DICT_KEY = String(example('immediateQrCode').dict_key)
const keyPayment = inOrder(
  webhook,
  charge,
  lookUp({ dict_key: DICT_KEY }, { sent: { dict_key: DICT_KEY }, by: 'customer' }),
  payKey({ dict_key: DICT_KEY }, {}, { by: 'customer' }),
  deliver({ name: 'transferSettledEvent', data: fieldsOf(example('keySettled').data) }),
)
const OF_KEY = {
  payment: {
    ...PAYMENT,
    amount: '25.00',
    end_to_end_id: fieldsOf(example('keySettled').data).end_to_end_id,
  },
  tx_id: '',
  description: 'Almoço',
  qrcode: null,
}

/** The payment of a code that a transfer named, in the only look at the list. */
function shownOnce(payment: Json): Step[] {
  const { end_to_end_id } = fieldsOf(example('immediatePending').data)
  const fields = { status: 'CONCLUIDA', revision: 1, updated_at: '2026-11-02T14:35:00Z' }
  const shown = (records: Json[]) =>
    records.map((record) => ({
      ...record,
      ...fields,
      payment: { ...PAYMENT, end_to_end_id, ...payment },
    }))
  return [charge, payCode(), pass(30_000), charges('', { shown })]
}

expectFindingsWith({ isComplete: false }, [
  {
    title: 'it finds nothing wrong with a payment that names a pending transfer',
    story: shownOnce({}),
    finds: [],
  },
  {
    title: 'it accepts the name of a payer in capital letters',
    story: shownOnce({ payer: { ...PAYER, name: 'FULANO DE TAL' } }),
    finds: [],
  },
  {
    title: 'it accepts a masked name of a payer',
    story: shownOnce({ payer: { ...PAYER, name: 'Fulano ** ***' } }),
    finds: [],
  },
  {
    title: 'it finds another name of a payer',
    story: shownOnce({ payer: { ...PAYER, name: 'Beltrana de Tal' } }),
    finds: ['money-paid@listImmediateQrCodes'],
  },
  {
    title: 'it finds another amount of a payment that names a pending transfer',
    story: shownOnce({ amount: '3.59' }),
    finds: ['money-paid@listImmediateQrCodes'],
  },
])

const DELIVERIES = { rules: rules.filter(({ id }) => id.startsWith('deliveries')) }

expectFindingsWith(DELIVERIES, [
  {
    title: 'it finds nothing wrong with both events of a payment',
    story: [webhook, payment, codePaid(), received(), control],
    finds: [],
  },
  {
    title: 'it finds nothing wrong with the credit of a key',
    story: [keyPayment, received(OF_KEY), control],
    finds: [],
  },
  {
    title: 'it finds nothing wrong with a credit from another institution',
    story: [
      webhook,
      payment,
      received(),
      received({
        payment: { ...PAYMENT, end_to_end_id: 'E9999902920261102143200000000000' },
        qrcode: null,
      }),
    ],
    finds: [],
  },
  {
    title: 'it finds no missing credit of a transfer that has not settled',
    story: [
      createWebhook({ type: 'transfer' }),
      charge,
      payCode({}, { emv: CODE }),
      pass(10_000),
      payCode({ id: TRANSFER.id }, { emv: CODE, refused: 'code_paid' }),
      pass(10_000),
    ],
    finds: [],
  },
  {
    title: 'it finds a credit that is not reported',
    story: [webhook, payment, codePaid(), control],
    finds: ['deliveries-sent@createWebhook'],
  },
  {
    title: 'it finds the credit of a key that is not reported',
    story: [keyPayment, control],
    finds: ['deliveries-sent@createWebhook'],
  },
  {
    title: 'it finds a credit that is reported twice',
    story: [webhook, payment, codePaid(), received(), received()],
    finds: ['deliveries-once@createWebhook'],
  },
  {
    title: 'it finds a credit that is delivered to another partner',
    story: [other, payment, received({}, { url: 'https://other.example/pix' })],
    finds: ['deliveries-subscribed@createWebhook'],
  },
  {
    title: 'it finds a credit that is delivered to a webhook of codes',
    story: [createWebhook({ type: 'qrcode' }), payment, received()],
    finds: ['deliveries-subscribed@createWebhook'],
  },
  {
    title: 'it finds a credit of another amount',
    story: [webhook, payment, codePaid(), received({ payment: { ...PAYMENT, amount: '35.00' } })],
    finds: ['deliveries-received@createWebhook'],
  },
  {
    title: 'it finds a credit from another payer',
    story: [
      webhook,
      payment,
      received({ payment: { ...PAYMENT, payer: { name: 'Ana', tax_id: '52998224725' } } }),
    ],
    finds: ['deliveries-received@createWebhook'],
  },
  {
    title: 'it finds a credit in the time of Brasília',
    story: [
      webhook,
      payment,
      received({ payment: { ...PAYMENT, paid_at: '2026-11-02T11:30:04Z' } }),
    ],
    finds: ['deliveries-received@createWebhook'],
  },
  {
    title: 'it finds a credit of another code',
    story: [
      webhook,
      payment,
      received({ qrcode: { id: '00000000-0000-4000-8000-000000000009', kind: 'Immediate' } }),
    ],
    finds: ['deliveries-received@createWebhook'],
  },
  {
    title: 'it finds a credit of a code that shows none',
    story: [webhook, payment, received({ qrcode: null })],
    finds: ['deliveries-received@createWebhook'],
  },
  {
    title: 'it finds a credit with another tx_id',
    story: [webhook, payment, received({ tx_id: '' })],
    finds: ['deliveries-received@createWebhook'],
  },
  {
    title: 'it finds a credit with another key',
    story: [webhook, payment, received({ dict_key: 'beltrana@example.com' })],
    finds: ['deliveries-received@createWebhook'],
  },
  {
    title: 'it finds a credit without the text of the payer',
    story: [keyPayment, received({ ...OF_KEY, description: '' })],
    finds: ['deliveries-received@createWebhook'],
  },
  {
    title: 'it finds only the form of a credit that shows an empty tx_id as null',
    story: [keyPayment, received({ ...OF_KEY, tx_id: null }), control],
    finds: ['deliveries-shaped@createWebhook'],
  },
  {
    title: 'it finds two end_to_end_ids of one payment',
    story: [
      webhook,
      payment,
      codePaid(),
      received({ payment: { ...PAYMENT, end_to_end_id: 'E9999901020261102143200000000000' } }),
    ],
    finds: ['deliveries-received@createWebhook'],
  },
  {
    title: 'it finds the event of a code with another amount than was paid',
    story: [webhook, payment, codePaid({ ...PAYMENT, amount: '35.00' })],
    finds: ['deliveries-received@createWebhook'],
  },
])

test('it reports once that a service does not tell of credits, as a deviation', () => {
  const twice = [keyPayment, payCode({}, { emv: CODE }), settled, codePaid(), control]
  const { findings } = readStory(twice, DELIVERIES)
  expect(findings).toMatchObject([
    { rule: 'deliveries-sent', kind: 'deviation', cites: { question: 'event-kinds' } },
  ])
})

/** A partner that pays for its customers, as the transfer and its payment show. */
const PARTNER = { name: 'Loja Exemplo Ltda', tax_id: '12ABC34501DE35' }
const paidByPartner = payCode({
  data: { ...fieldsOf(example('immediatePending').data), payer: PARTNER },
})
const ofPayments = { rules: rules.filter(({ id }) => id === 'money-paid') }

expectFindingsWith(ofPayments, [
  {
    title:
      'it finds nothing in a payment that names the payer of its transfer, another than the sender',
    story: [readUser(), ...paid({ ...PAYMENT, payer: PARTNER }).with(1, paidByPartner)],
    finds: [],
  },
  {
    title:
      'it finds nothing in a payment that names the sender, where the transfer names another payer',
    story: [readUser(), ...paid(PAYMENT).with(1, paidByPartner)],
    finds: [],
  },
  {
    title: 'it finds nothing in a payment whose payer has a tax ID that is masked',
    story: paid({ ...PAYMENT, payer: { ...PAYER, tax_id: `***${PAYER_TAX_ID.slice(3, 9)}**` } }),
    finds: [],
  },
  {
    title: 'it finds nothing in a payment whose payer has a tax ID that is masked as a whole',
    story: paid({ ...PAYMENT, payer: { ...PAYER, tax_id: '*'.repeat(PAYER_TAX_ID.length) } }),
    finds: [],
  },
  {
    title: 'it finds a masked tax ID that shows another digit than that of the payer',
    story: paid({ ...PAYMENT, payer: { ...PAYER, tax_id: '***000000**' } }),
    finds: ['money-paid@listImmediateQrCodes'],
  },
  {
    title: 'it finds a payment that names neither the sender nor the payer of the transfer',
    story: [
      readUser(),
      ...paid({ ...PAYMENT, payer: { name: 'Beltrana Souza', tax_id: '98765432100' } }).with(
        1,
        paidByPartner,
      ),
    ],
    finds: ['money-paid@listImmediateQrCodes'],
  },
])

test('it compares the account that was credited with that of the receiver, and not of the payer', () => {
  const { account_id } = TRANSFER
  const story = [readUser(), webhook, payment, received({ account_id })]
  const { findings } = readStory(story, DELIVERIES)
  expect(findings.map(({ rule }) => rule)).toEqual(['deliveries-received'])
})

test('it takes the owner of its key for the receiver of a code, and not the partner that created it', () => {
  const accountOfPartner = 'c3a4b5d6-1d5c-4e0b-9d57-0d6c3f1a7001'
  const accountOfCustomer = 'a4c26fae-7b74-4a7e-a5e0-8f2917a1a87e'
  const paid = { ...SETTLED, account_id: 'd4b5c6e7-1d5c-4e0b-9d57-0d6c3f1a7002' }
  const { findings } = readStory(
    [
      readUser(),
      webhook,
      inOrder(lookUp(), payKey({}, { account_id: accountOfPartner })),
      lookUp(
        { dict_key: DICT_KEY, ispb: '99999010', account_number: '1234567' },
        { sent: { dict_key: DICT_KEY } },
      ),
      charge,
      payCode({ status: 'settled', data: paid }, { emv: CODE, by: 'other' }),
      received({ account_id: accountOfCustomer }),
    ],
    DELIVERIES,
  )
  expect(findings).toEqual([])
})

test('it knows no receiver of a key whose account nobody has shown', () => {
  const { findings } = readStory(
    [readUser(), webhook, lookUp(), payKey(), deliver({ name: 'transferSettledEvent' }), control],
    DELIVERIES,
  )
  expect(findings).toEqual([])
})

test('it knows by its account that a key is that of a customer', () => {
  const account = { ispb: '99999010', account_number: '1234567' }
  const { findings } = readStory(
    [
      readUser(),
      webhook,
      lookUp(account),
      payKey(),
      deliver({ name: 'transferSettledEvent', data: fieldsOf(example('keySettled').data) }),
      control,
    ],
    DELIVERIES,
  )
  expect(findings.map(({ rule }) => rule)).toEqual(['deliveries-sent'])
})
