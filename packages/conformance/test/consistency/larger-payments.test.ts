import { expect, test } from 'vitest'
import { fieldsOf } from '../../src/contract/json.ts'
import {
  deliver,
  example,
  expectFindingsWith,
  type Json,
  type Manner,
  pass,
  payCode,
  payKey,
  readStory,
  type Step,
  webhook,
} from '../story.ts'
import { CONSISTENT, OTHER_ACCOUNT, payAfterLookUp, SETTLED } from './steps.ts'

const NO_FUNDS: Manner = { refused: 'insufficient_funds' }

/** A payment by a look-up of its own, which settles. Of the number 1, its `initiation_id` is `ini_1`. */
function pay(number: number, amount: string, manner: Manner = {}, data: Json = {}): Step {
  return payAfterLookUp(`ini_${number}`, amount, manner, { data })
}

/** 0.01 is paid, and 999999.00 is refused twice. */
const REFUSED_TWICE = [pay(1, '0.01'), pay(2, '999999.00', NO_FUNDS), pay(3, '999999.00', NO_FUNDS)]

const TO_ONESELF = {
  payer: { tax_id: '12345678909' },
  beneficiary: { tax_id: '12345678909' },
}

/** Paid by the owner of the key that the other payments pay. */
const BY_OWNER_OF_KEY = {
  account_id: OTHER_ACCOUNT,
  payer: fieldsOf(example('keySettled').data).beneficiary,
}

const FOUND = ['money-consistent@createTransfer']

expectFindingsWith(CONSISTENT, [
  {
    title: 'it finds a payment that settles after smaller ones were refused',
    story: [...REFUSED_TWICE, pay(4, '999999.01')],
    finds: FOUND,
  },
  {
    title: 'it finds the payment of a code after smaller ones of a key were refused',
    story: [
      pay(1, '0.01', { by: 'customer' }),
      pay(2, '999999.00', { by: 'customer', ...NO_FUNDS }),
      pay(3, '999999.00', { by: 'customer', ...NO_FUNDS }),
      payCode(SETTLED, { amount: '999999.01' }),
    ],
    finds: FOUND,
  },
  {
    title: 'it finds it after smaller ones of another token with the same account were refused',
    story: [
      pay(8, '0.01', { by: 'customer' }),
      ...REFUSED_TWICE,
      pay(4, '999999.01', { by: 'customer' }),
    ],
    finds: FOUND,
  },
  {
    title: "it finds a payment of one's own key after smaller ones of this key were refused",
    story: [...REFUSED_TWICE, pay(4, '999999.01', {}, TO_ONESELF)],
    finds: FOUND,
  },
  {
    title: "it finds nothing in a payment of one's own code, which takes nothing from the account",
    story: [
      pay(1, '0.01', { by: 'customer' }),
      pay(2, '999999.00', { by: 'customer', ...NO_FUNDS }),
      pay(3, '999999.00', { by: 'customer', ...NO_FUNDS }),
      payCode(
        { ...SETTLED, data: { ...fieldsOf(example('immediatePending').data), ...TO_ONESELF } },
        { amount: '999999.01' },
      ),
    ],
    finds: [],
  },
  {
    title: 'it finds nothing if they were of another account',
    story: [
      ...REFUSED_TWICE,
      pay(4, '999999.01', { by: 'customer' }, { account_id: OTHER_ACCOUNT }),
    ],
    finds: [],
  },
  {
    title: 'it finds nothing after a single refusal, or two for different reasons',
    story: [
      pay(1, '0.01'),
      pay(2, '9999999.00', { refused: 'amount_not_allowed' }),
      pay(3, '999999.00', NO_FUNDS),
      pay(4, '99999999.01'),
    ],
    finds: [],
  },
  {
    title: 'it finds nothing in a payment that is not larger',
    story: [...REFUSED_TWICE, pay(4, '999999.00')],
    finds: [],
  },
  {
    title: 'it finds nothing if another payment was accepted in between',
    story: [...REFUSED_TWICE, pay(4, '1.00'), pay(5, '999999.01')],
    finds: [],
  },
  {
    title: 'it finds nothing if another payment may have been made in between',
    story: [...REFUSED_TWICE, pay(4, '1.00', { lost: true }), pay(5, '999999.01')],
    finds: [],
  },
  {
    title: 'it finds nothing if the money of a rejected payment may have come back in between',
    story: [
      webhook,
      pay(1, '8000.00', { shows: { status: 'pending' } }),
      pay(2, '5000.00', NO_FUNDS),
      pay(3, '5000.00', NO_FUNDS),
      deliver({ name: 'transferRejectedEvent', data: { id: 'transfer-ini_1', amount: '8000.00' } }),
      pay(4, '6000.00'),
    ],
    finds: [],
  },
  {
    title: 'it finds nothing if a pending payment may have credited the account in between',
    story: [
      pay(1, '0.01', { by: 'customer' }, BY_OWNER_OF_KEY),
      pay(5, '8000.00', { shows: { status: 'pending' } }),
      pay(2, '5000.00', { by: 'customer', ...NO_FUNDS }),
      pay(3, '5000.00', { by: 'customer', ...NO_FUNDS }),
      pay(4, '6000.00', { by: 'customer' }, BY_OWNER_OF_KEY),
    ],
    finds: [],
  },
  {
    title: 'it finds a larger payment if only a little more may have come in between',
    story: [
      pay(1, '0.01', { shows: { status: 'pending' } }),
      pay(2, '999999.00', NO_FUNDS),
      pay(3, '999999.00', NO_FUNDS),
      pay(4, '999999.01'),
    ],
    finds: FOUND,
  },
  {
    title: 'it finds a larger payment if a large one to somebody else has settled at once',
    story: [
      pay(1, '8000.00'),
      pay(2, '5000.00', NO_FUNDS),
      pay(3, '5000.00', NO_FUNDS),
      pay(4, '6000.00'),
    ],
    finds: FOUND,
  },
  {
    title: 'it finds nothing long after the refusals',
    story: [...REFUSED_TWICE, pass(61_000), pay(4, '999999.01')],
    finds: [],
  },
  {
    title: 'it finds nothing after refusals of less than a service may pay at least',
    story: [
      pay(1, '5.00'),
      pay(2, '0.02', { refused: 'amount_not_allowed' }),
      pay(3, '0.02', { refused: 'amount_not_allowed' }),
      pay(4, '5.00'),
    ],
    finds: [],
  },
  {
    title:
      'it finds nothing after refusals of payments with one initiation_id, or with none of their own',
    story: [
      pay(1, '5000.00'),
      pay(2, '5000.00', { refused: 'initiation_invalid' }),
      payKey({ initiation_id: 'ini_2', amount: '5000.00' }, {}, { refused: 'initiation_invalid' }),
      payKey({ initiation_id: 'ini_8', amount: '5000.00' }, {}, { refused: 'initiation_invalid' }),
      payKey({ initiation_id: 'ini_9', amount: '5000.00' }, {}, { refused: 'initiation_invalid' }),
      pay(4, '5000.01'),
    ],
    finds: [],
  },
  {
    title: 'it finds nothing in a payment that is rejected',
    story: [...REFUSED_TWICE, pay(4, '999999.01', { shows: { status: 'rejected' } })],
    finds: [],
  },
])

/** The findings of a larger payment with this status. */
function findLargerPayment(status: string) {
  const larger = pay(4, '999999.01', { shows: { status } })
  return readStory([...REFUSED_TWICE, larger], CONSISTENT).findings
}

test('it calls a larger payment critical once it has settled, since it may be rejected before', () => {
  const severityOf = (status: string) => findLargerPayment(status).map(({ severity }) => severity)
  expect(severityOf('settled')).toEqual(['critical'])
  expect(severityOf('pending')).toEqual(['warning'])
})

test('it distinguishes a larger payment that settles from a pending one, for baselines', () => {
  const [settled] = findLargerPayment('settled')
  const [pending] = findLargerPayment('pending')
  expect(settled?.id).toBeDefined()
  expect(settled?.id).not.toBe(pending?.id)
})

test('it finds nothing if the history does not show all payments', () => {
  const story = [...REFUSED_TWICE, pay(4, '999999.01')]
  expect(readStory(story, { ...CONSISTENT, isComplete: false }).findings).toEqual([])
})
