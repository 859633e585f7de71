import { expect, test } from 'vitest'
import {
  balances,
  cancel,
  charge,
  chargeOf,
  check,
  codeOf,
  create,
  example,
  expectFindings,
  lookUp,
  type Manner,
  pass,
  payCode,
  payKey,
  type Refusal,
  readStory,
  type Step,
  signIn,
  webhookOf,
} from './story.ts'

const MINUTE = 60_000
const look = (dict_key = 'beltrana@example.com', manner: Manner = {}) =>
  lookUp({ dict_key }, { sent: { dict_key }, ...manner })
/** The customer has 30.00 and a look-up. */
const holding30 = [charge, payCode(), balances('30.00'), look(undefined, { by: 'customer' })]
/** A creation that was accepted, and an edit of it. */
const edited = (amount: object, manner: Manner = { variant: true }, due = '2026-12-15'): Step[] => [
  create('dueDateQrCode'),
  create('dueDateQrCode', { amount, calendar: { due_date: due, expiration_days: 30 } }, manner),
]
const refused = (code: Refusal): Manner => ({ variant: true, refused: code })
const original = '10.00'
/** The most characters of a message beside the key of the example. */
const LONGEST = 73 - String(example('createStatic').dict_key).length

expectFindings({
  nothing: {
    'a key without the form of one, which is refused': [
      look(),
      look('no key', refused('invalid_key')),
    ],
    'another code where no valid request was accepted': [look('no key', { refused: 'not_found' })],
    'a charge refused after its end': [
      charge,
      pass(61 * MINUTE),
      check({}, { refused: 'code_expired' }),
    ],
    'a charge near its end': [charge, pass(60 * MINUTE), check({}, { refused: 'code_expired' })],
    'the amount of a code': [charge, payCode()],
    'a payment today': [look(), payKey({ payment_date: '2026-11-02' })],
    'the beneficiary of a look-up': [
      look(),
      payKey({ beneficiary: { tax_id: '11144477735', branch: '1' } }),
    ],
    'a look-up that is refused after its lifetime': [
      look(),
      pass(31 * MINUTE),
      payKey({}, {}, { refused: 'initiation_invalid' }),
    ],
    'a charge that is refused for its cause': edited(
      { original: '0.00' },
      refused('invalid_charge'),
    ),
    'a due date of today': edited({ original }, {}, '2026-11-02'),
    'a deduction of 99.99 percent': edited({
      original,
      deduction: { amount: '99.99', modality: '2' },
    }),
    'a webhook on this machine': [webhookOf({ url: 'http://127.0.0.1:8080/' })],
  },
  'refusals-causes@checkKey': { 'a text that is looked up as a key': [look('no key')] },
  'money-keys@checkKey refusals-causes@checkKey': { 'wrong check digits': [look('11144477736')] },
  'refusals-coded@checkKey': {
    'another code than that of the cause': [look(), look('no key', refused('not_found'))],
  },
  'refusals-coded@checkKey refusals-declared@checkKey': {
    'another status than that of the code': [
      look(),
      look('no key', refused({ code: 'invalid_key', status: 400 })),
    ],
  },
  'refusals-true@checkKey': {
    'a key that is refused as none': [look('+5561912345678', { refused: 'invalid_key' })],
  },
  'refusals-causes@checkCode': {
    'a code with a wrong checksum': [charge, check({}, { emv: `${codeOf(1).slice(0, -4)}0000` })],
    'the check of a cancelled charge': [charge, cancel(), check()],
  },
  'refusals-true@checkCode': {
    'an open charge refused as expired': [charge, check({}, { refused: 'code_expired' })],
  },
  'refusals-causes@createTransfer': {
    'a charge that is paid three seconds after its end': [
      chargeOf({ calendar: { expiration: 600 } }),
      pass(603_000),
      payCode(),
    ],
    'an expired charge, paid': [
      chargeOf({ calendar: { expiration: 600 } }),
      pass(11 * MINUTE),
      payCode(),
    ],
    'another amount than a code fixes': [charge, payCode({}, { amount: '35.91' })],
    'a payment of another day': [look(), payKey({ payment_date: '2026-11-03' })],
    'an amount of zero': [look(), payKey({ amount: '0.00' })],
    'another beneficiary than of the look-up': [
      look(),
      payKey({ beneficiary: { tax_id: '52998224725' } }),
    ],
    'more than the account holds': [
      ...holding30,
      payKey({ amount: '30.01' }, {}, { by: 'customer' }),
    ],
  },
  'refusals-true@createTransfer': {
    'the amount of a code that is refused': [
      charge,
      payCode({}, { refused: 'amount_not_allowed' }),
    ],
    'a look-up that is refused after some minutes': [
      look(),
      pass(20 * MINUTE),
      payKey({}, {}, { refused: 'initiation_invalid' }),
    ],
    'all that the account holds, refused': [
      ...holding30,
      payKey({ amount: '30.00' }, {}, { by: 'customer', refused: 'insufficient_funds' }),
    ],
  },
  'refusals-causes@createDueDateQrCode responses-shape@createDueDateQrCode': {
    'a charge without an amount': edited({}),
  },
  'refusals-causes@createDueDateQrCode': {
    'a charge in the past whose tx_id is taken by the next one': [
      ...edited({ original }, { variant: true }, '2026-10-02'),
      create(
        'dueDateQrCode',
        { amount: { original: '0.00' }, tx_id: 'T00000000000000000000000000002' },
        refused('tx_id_taken'),
      ),
    ],
    'a charge of nothing': edited({ original: '0.00' }),
    'a due date in the past': edited({ original }, {}, '2026-11-01'),
    'a deduction of everything': edited({
      original,
      deduction: { amount: original, modality: '1' },
    }),
    'a discount without its dates': edited({
      original,
      discount: { amount: '1.00', modality: '1' },
    }),
    'a discount by day with dates': edited({
      original,
      discount: { modality: '3', amount: '1.00', fixedDateDiscount: [] },
    }),
    'a discount after the due date': edited({
      original,
      discount: { modality: '1', fixedDateDiscount: [{ amount: '1.00', date: '2026-12-16' }] },
    }),
  },
  'refusals-true@createDueDateQrCode': {
    'a valid charge that is refused': edited(
      { original, deduction: { amount: '99.99', modality: '2' } },
      refused('invalid_charge'),
    ),
  },
  'refusals-true@createStaticQrCode': {
    'the longest message beside the key': [
      create('staticQrCode'),
      create('staticQrCode', { message: 'a'.repeat(LONGEST) }, refused('invalid_charge')),
    ],
  },
  'refusals-causes@createImmediateQrCode': {
    'the key of another account': [
      charge,
      check(),
      look(),
      chargeOf({ dict_key: 'beltrana@example.com' }),
    ],
  },
  'refusals-causes@createWebhook': {
    'a webhook without https': [webhookOf({ url: 'http://loja.example/pix' })],
    'a webhook in a private network': [webhookOf({ url: 'https://0x0a000001/pix' })],
  },
})

test('it calls a check of an expired charge another status value, and no other end', () => {
  const calendar = { due_date: '2026-11-03', expiration_days: 0 }
  const emv = codeOf(1, 'dueDateQrCode')
  const { findings } = readStory([
    create('dueDateQrCode', { amount: { original }, calendar }),
    ...[pass(5 * 24 * 60 * MINUTE), signIn('partner')],
    check(example('dueDateCode'), { emv }),
  ])
  const cited = findings.filter(({ rule }) => rule === 'refusals-causes').map(({ cites }) => cites)
  expect(cited).toEqual([{ question: 'code-status-values' }])
})
