import { expect, test } from 'vitest'
import {
  charge,
  charges,
  check,
  codeOf,
  expectFindingsWith,
  lookUp,
  type Manner,
  pass,
  payCode,
  payKey,
  readStory,
  type Step,
  setAhead,
  signIn,
  txId,
  withoutDate,
  withoutTime,
} from '../story.ts'
import {
  asPaid,
  BY_CUSTOMER,
  CONSISTENT,
  customers,
  OTHER_ACCOUNT,
  paidFrom,
  paidTo,
  payAfterLookUp,
  pooled,
  SETTLED,
} from './steps.ts'

/** A check that leaves the payer no choice. */
const fixed = check({ final_amount: '35.90', allow_value_change: false })

/** A code is paid, and then another one with another amount, whose check gives the payer a choice. */
function payOther(amount: string, allow_value_change: boolean, manner: Manner = {}): Step[] {
  const emv = codeOf(2)
  return [
    charge,
    check(),
    payCode(),
    charge,
    check({ allow_value_change, tx_id: txId('immediateQrCode', 2) }, { emv }),
    payCode({}, { emv, amount, variant: '/amount', ...manner }),
  ]
}

const AMOUNT_REFUSED: Manner = { refused: 'amount_not_allowed' }

/** A payment of 1.00, and one of more than any account holds, which is refused. */
const paidAndRefused = [
  payAfterLookUp('ini_a', '1.00'),
  payAfterLookUp('ini_b', '999999999.99', { refused: 'insufficient_funds' }),
]

const payAgain = (manner: Manner = {}) => [payAfterLookUp('ini_c', '1.00', manner)]

test('it accuses no service of a refusal that takes money, since the account may be empty', () => {
  const { findings } = readStory([
    ...paidAndRefused,
    ...payAgain({ refused: 'insufficient_funds' }),
  ])
  expect(findings.find(({ rule }) => rule === 'money-consistent')).toMatchObject({
    severity: 'warning',
    cites: { question: 'effects' },
  })
})

expectFindingsWith(CONSISTENT, [
  {
    title: 'it finds another amount that is refused, although the check lets the payer change it',
    story: payOther('0.01', true, AMOUNT_REFUSED),
    finds: ['money-consistent@createTransfer'],
  },
  {
    title: 'it finds nothing in another amount that is accepted where the payer can change it',
    story: payOther('0.01', true),
    finds: [],
  },
  {
    title: 'it finds nothing in another amount that is refused where the payer cannot change it',
    story: payOther('0.01', false, AMOUNT_REFUSED),
    finds: [],
  },
  {
    title: 'it finds nothing in another amount that is refused for the way in which it is written',
    story: payOther('00.01', true, { refused: 'invalid_request' }),
    finds: [],
  },
  {
    title: 'it finds nothing in a negative amount that is refused',
    story: payOther('-35.90', true, { refused: 'invalid_request' }),
    finds: [],
  },
  {
    title: 'it finds nothing in a larger amount that is refused, which the account may not hold',
    story: payOther('99.99', true, AMOUNT_REFUSED),
    finds: [],
  },
  {
    title: 'it finds a code that is paid with another amount than its check shows',
    story: [charge, fixed, payCode(SETTLED, { amount: '0.01' })],
    finds: ['money-consistent@createTransfer'],
  },
  {
    title: 'it finds nothing in another amount, where the check lets the payer choose it',
    story: [
      charge,
      check({ final_amount: '35.90', allow_value_change: true }),
      payCode(SETTLED, { amount: '0.01' }),
    ],
    finds: [],
  },
  {
    title: 'it finds nothing in another amount on another day',
    story: [
      charge,
      check({ final_amount: '35.90', allow_value_change: false, expiration: null }),
      pass(86_400_000),
      signIn('customer'),
      payCode(SETTLED, { amount: '36.00' }),
    ],
    finds: [],
  },
  {
    title: 'it finds nothing in another amount, if nothing says on which day it was checked',
    story: [charge, withoutTime(fixed), payCode(SETTLED, { amount: '36.00' })],
    finds: [],
  },
  {
    title: 'it finds a negative amount that is paid, which takes money from its receiver',
    story: [lookUp(), payKey({ amount: '-1.00' }, { amount: '-1.00' })],
    finds: ['money-consistent@createTransfer'],
  },
  {
    title: 'it finds nothing in a negative amount that is paid without its sign',
    story: [lookUp(), payKey({ amount: '-1.00' }, { amount: '1.00' })],
    finds: [],
  },
  {
    title: 'it finds nothing in a transfer that shows what it takes from its payer as negative',
    story: [lookUp(), payKey({ amount: '1.00' }, { amount: '-1.00' })],
    finds: [],
  },
  {
    title: 'it finds nothing in a negative amount of a service that shows all payments as negative',
    story: [
      lookUp({ initiation_id: 'ini_1' }),
      payKey({ initiation_id: 'ini_1', amount: '1.00' }, { amount: '-1.00' }),
      lookUp({ initiation_id: 'ini_2' }),
      payKey({ initiation_id: 'ini_2', amount: '-1.00' }, { amount: '-1.00' }),
    ],
    finds: [],
  },
  {
    title: 'it finds a customer who pays from the account of another one',
    story: [customers(OTHER_ACCOUNT), charge, paidFrom(OTHER_ACCOUNT)],
    finds: ['money-consistent@createTransfer'],
  },
  {
    title: 'it finds nothing in an account that no customer has',
    story: [customers(OTHER_ACCOUNT), charge, paidFrom('00000000-0000-4000-8000-0000000000cc')],
    finds: [],
  },
  {
    title: 'it finds a key that pays another receiver than its look-up shows',
    story: [lookUp(), payKey({}, { beneficiary: paidTo('52998224725').data.beneficiary })],
    finds: ['money-consistent@createTransfer'],
  },
  {
    title: 'it finds nothing in a service that pools the money of a partner in one account',
    story: pooled,
    finds: [],
  },
  {
    title: 'it finds a refusal after which the account holds nothing',
    story: [...paidAndRefused, ...payAgain({ refused: 'insufficient_funds' })],
    finds: ['money-consistent@createTransfer'],
  },
  {
    title: 'it finds such a refusal where a larger one was refused for the form of its amount',
    story: [
      payAfterLookUp('ini_a', '1.00'),
      payAfterLookUp('ini_b', '9999999999.99', { refused: 'amount_not_allowed' }),
      payAfterLookUp('ini_d', '999999999.99', { refused: 'insufficient_funds' }),
      ...payAgain({ refused: 'insufficient_funds' }),
    ],
    finds: ['money-consistent@createTransfer'],
  },
  {
    title:
      'it finds nothing wrong with two refusals of amounts for the way in which they are written',
    story: [
      payAfterLookUp('ini_a', '1.00'),
      payAfterLookUp('ini_b', '8640231823.91', { refused: 'invalid_request' }),
      payAfterLookUp('ini_c', '00.01', { refused: 'invalid_request' }),
    ],
    finds: [],
  },
  {
    title: 'it finds nothing wrong with a payment that is refused in another way than before',
    story: [...paidAndRefused, ...payAgain({ refused: 'payment_date_not_allowed' })],
    finds: [],
  },
  {
    title: 'it finds nothing wrong with a service that refuses what names no beneficiary',
    story: [
      payAfterLookUp('ini_a', '1.00', {}, { sent: { beneficiary: '***.444.777-**' } }),
      payAfterLookUp('ini_b', '999999999.99', { refused: 'insufficient_funds' }),
      payAfterLookUp('ini_c', '1.00', { refused: 'insufficient_funds' }),
    ],
    finds: [],
  },
  {
    title: 'it finds nothing wrong with a refusal after which the account can pay as before',
    story: [...paidAndRefused, ...payAgain()],
    finds: [],
  },
  {
    title: 'it finds nothing in a code that was paid before its end, by the date of the service',
    story: [
      charge,
      check({ expiration: '2026-11-02T14:40:00Z' }),
      setAhead(900_000),
      payCode(SETTLED, { responds: { date: 'Mon, 02 Nov 2026 14:39:00 GMT' } }),
    ],
    finds: [],
  },
  {
    title:
      'it finds nothing in a code that was paid after its end by the clock of a recorder alone',
    story: [
      charge,
      check({ expiration: '2026-11-02T14:40:00Z' }),
      setAhead(900_000),
      withoutDate(payCode(SETTLED)),
    ],
    finds: [],
  },
  {
    title: 'it finds nothing in a code that was paid before its end, by a slow request',
    story: [
      charge,
      check({ expiration: '2026-11-02T14:40:00Z' }),
      pass(400_000),
      payCode(SETTLED, { ms: 900_000 }),
    ],
    finds: [],
  },
  {
    title: 'it finds nothing in an expiration that was over, or is written in local time',
    story: [charge, check({ expiration: '2026-11-02T11:40:00' }), pass(900_000), payCode(SETTLED)],
    finds: [],
  },
  {
    title: 'it finds an initiation_id that is issued again after its use, and refused',
    story: [lookUp(), payKey(), lookUp(), payKey({}, {}, { refused: 'initiation_used' })],
    finds: ['money-consistent@createTransfer'],
  },
  {
    title: 'it finds nothing in the refusal of an initiation_id that was used',
    story: [lookUp(), payKey(), payKey({}, {}, { refused: 'initiation_used' })],
    finds: [],
  },
  {
    title: 'it finds a code that is paid although its check is refused',
    story: [charge, check({}, { ...BY_CUSTOMER, refused: 'code_expired' }), payCode(SETTLED)],
    finds: ['money-consistent@createTransfer'],
  },
  {
    title: 'it ignores the refusal of a check to somebody without a right to it',
    story: [
      charge,
      check({}, { ...BY_CUSTOMER, refused: 'forbidden', status: 403 }),
      payCode(SETTLED),
    ],
    finds: [],
  },
  {
    title: 'it finds nothing in a code whose check is refused to another identity',
    story: [charge, check({}, { refused: 'code_expired' }), payCode(SETTLED)],
    finds: [],
  },
  {
    title: 'it finds nothing in a code whose last check was accepted',
    story: [
      charge,
      check({}, { ...BY_CUSTOMER, refused: 'code_expired' }),
      check({}, BY_CUSTOMER),
      payCode(SETTLED),
    ],
    finds: [],
  },
  {
    title: 'it finds nothing in a transfer that the service only shows again',
    story: [
      charge,
      payCode(SETTLED),
      check({}, { ...BY_CUSTOMER, refused: 'code_paid' }),
      payCode(SETTLED),
    ],
    finds: [],
  },
  {
    title: 'it finds nothing in an amount that the code leaves to the payer, shown as zero',
    story: [
      charge,
      check({ final_amount: '0.00', allow_value_change: false }),
      payCode(SETTLED, { amount: '0.01' }),
    ],
    finds: [],
  },
  {
    title: 'it finds a payment that was refused',
    story: [charge, payCode({}, { refused: 'insufficient_funds' }), charges('', { shown: asPaid })],
    finds: ['money-consistent@createTransfer'],
  },
  {
    title: 'it finds a code that pays another receiver than its check shows',
    story: [charge, check({}, BY_CUSTOMER), payCode(paidTo('11144477735'))],
    finds: ['money-consistent@createTransfer'],
  },
  {
    title: 'it finds a code that is paid after the end that its check had shown',
    story: [charge, check({ expiration: '2026-11-02T14:40:00Z' }), pass(900_000), payCode(SETTLED)],
    finds: ['money-consistent@createTransfer'],
  },
])
