import { expect, test } from 'vitest'
import { fieldsOf } from '../src/contract/json.ts'
import {
  balances,
  charge,
  charges,
  check,
  codeOf,
  create,
  createCharge,
  example,
  expectFindings,
  inOrder,
  type Json,
  lookUp,
  type Manner,
  pass,
  payCode,
  payKey,
  readStory,
  readUser,
  type Step,
  signIn,
} from './story.ts'

const DAY_MS = 86_400_000

/** The transfer of an example. */
const data = (name: 'immediatePending' | 'keySettled') => fieldsOf(example(name).data)

/** A look-up, and a transfer by it. */
function payByKey(edit: Json, manner: Manner = {}): Step {
  return inOrder(lookUp({}, manner), payKey({}, edit, manner))
}

/** The customer pays to a key, and the transfer shows this tax ID of its payer. */
function payAs(tax_id: string): Step {
  const payer = { ...fieldsOf(data('keySettled').payer), tax_id }
  return payByKey({ payer }, { by: 'customer' })
}

/** The customer pays 25.00 to a key, by a look-up of its own. */
function payOnce(count: number): Step {
  const initiation_id = `ini_${count}`
  const id = `10c8831e-5542-4eec-9938-78a167deb0b${count}`
  const end_to_end_id = String(data('keySettled').end_to_end_id).replace(/.$/, String(count))
  return inOrder(
    lookUp({ initiation_id }, { by: 'customer' }),
    payKey({ initiation_id }, { id, end_to_end_id }, { by: 'customer', shows: { id } }),
  )
}

/** A charge, what is paid, and the balances after it. Before, each account holds 100.00. */
const moved = (after: Step, ...others: Step[]) => [charge, balances('100.00'), ...others, after]
/** The balances after the charge of 35.90 was paid. */
const TAKEN = balances('64.10', '135.90')
const REJECTED = balances('100.00', '100.00', {
  rejected: [String(example('immediatePending').id)],
})

const FRIDAY = '2026-11-06'
const SATURDAY = '2026-11-07'

/** A due-date charge of 1000.99, and the check of its code some days after Monday 2026-11-02. */
function due(amount: object, days: number, shown: object, due_date = FRIDAY): Step[] {
  const charge = {
    amount: { original: '1000.99', ...amount },
    calendar: { due_date, expiration_days: 30 },
  }
  const shows = { ...example('dueDateCode'), ...WITHOUT, ...OF_RECORD, due_date, ...shown }
  return [
    create('dueDateQrCode', charge),
    pass(days * DAY_MS),
    signIn('partner'),
    check(shows, { emv: codeOf(1, 'dueDateQrCode') }),
  ]
}

const OF_RECORD = {
  tx_id: `T${'1'.padStart(29, '0')}`,
  url: 'pix.example.com/qr/v2/1',
}
/** Without anything that is added or taken off. */
const WITHOUT = {
  original_amount: '1000.99',
  deduction: '0',
  discount: '0',
  fine: '0',
  interest: '0',
}
const discount = { modality: '1', fixedDateDiscount: [{ amount: '5.00', date: '2026-11-04' }] }
const DISCOUNTED = { discount: '5.00', final_amount: '995.99' }
/** A fine of 2.00, and interest of 1.00 by the day. */
const LATE = {
  fine: { amount: '2.00', modality: '1' },
  interest: { amount: '1.00', modality: '1' },
}
const rate = (amount: string, modality: string) => ({ amount, modality })

test.each(['9999-12-31', '9999-12-26', '0000-01-02', '2026-13-01'])(
  'it calculates nothing for a due date of %s, which a service may accept',
  (due_date) => {
    const shows = { ...example('dueDateCode'), ...OF_RECORD, due_date }
    const steps = [
      create('dueDateQrCode', {
        amount: {
          original: '10.00',
          discount: { modality: '1', fixedDateDiscount: [{ date: due_date, amount: '1.00' }] },
        },
        calendar: { due_date, expiration_days: 30 },
      }),
      check(shows, { emv: codeOf(1, 'dueDateQrCode') }),
    ]
    const { findings } = readStory(steps)
    const rules = findings.map(({ rule }) => rule)
    expect(rules.filter((rule) => rule.startsWith('money'))).toEqual([])
  },
)

test('it calculates nothing on a day of a year for which Easter is not known', () => {
  const until2101 = 75 * 366
  const steps = due(LATE, until2101, { final_amount: '1000.99' })
  const { findings } = readStory(steps)
  expect(findings.map(({ rule }) => rule)).not.toContain('money-due')
})

expectFindings([
  {
    title: 'it finds nothing wrong with a transfer that moves its amount once',
    story: moved(TAKEN, payCode()),
    finds: [],
  },
  {
    title: 'it finds nothing wrong while an amount is set aside',
    story: moved(balances('64.10', '100.00', { isPending: true }), payCode()),
    finds: [],
  },
  {
    title: 'it finds nothing wrong with two transfers of all money',
    story: [balances('50.00'), payOnce(1), payOnce(2), balances('0.00')],
    finds: [],
  },
  {
    title:
      'it finds nothing wrong with two transfers of more than the account holds, of which one is rejected',
    story: [
      balances('40.00'),
      payOnce(1),
      payOnce(2),
      balances('15.00', '100.00', { rejected: ['10c8831e-5542-4eec-9938-78a167deb0b1'] }),
    ],
    finds: [],
  },
  {
    title: 'it finds nothing wrong with a transfer whose outcome is unknown',
    story: moved(balances('100.00'), payCode({}, { lost: true })),
    finds: [],
  },
  {
    title: 'it finds nothing wrong with a code before its transfer has settled',
    story: [charge, payCode(), charges()],
    finds: [],
  },
  {
    title: 'it finds nothing wrong with the account of a customer',
    story: [readUser(), payByKey({}, { by: 'customer' })],
    finds: [],
  },
  {
    title: 'it finds nothing wrong with a code refused before its transfer settles',
    story: [charge, payCode(), payCode({}, { refused: 'code_paid' })],
    finds: [],
  },
  {
    title: 'it finds nothing wrong with a code whose transfer was rejected',
    story: [...moved(REJECTED, payCode()), charges()],
    finds: [],
  },
  {
    title: 'it finds no move missing of a rejected transfer whose response has an id of its own',
    story: moved(REJECTED, payCode({}, { shows: { id: 'res_1' } })),
    finds: ['responses-shape@createTransfer'],
  },
  {
    title: 'it finds nothing wrong with a transfer to an own key that moves nothing',
    story: [
      createCharge({ dict_key: example('payKey').dict_key }),
      balances('100.00'),
      payByKey({}),
      balances('100.00'),
    ],
    finds: [],
  },
  {
    title: 'it finds nothing wrong with a charge on its due date',
    story: due({ fine: rate('2.00', '1') }, 4, { final_amount: '1000.99' }),
    finds: [],
  },
  {
    title: 'it finds nothing wrong with interest by the day',
    story: due({ interest: rate('3.00', '3') }, 7, {
      interest: '3.00',
      final_amount: '1003.99',
    }),
    finds: [],
  },
  {
    title: 'it finds nothing wrong with interest on business days',
    story: due({ interest: rate('1.00', '5') }, 7, {
      interest: '1.00',
      final_amount: '1001.99',
    }),
    finds: [],
  },
  {
    title: 'it finds nothing wrong with a discount on its date',
    story: due({ discount }, 2, DISCOUNTED),
    finds: [],
  },
  {
    title: 'it finds nothing wrong with a discount by day to the Monday after a due date',
    story: due(
      { discount: rate('10.00', '3') },
      0,
      { discount: '70.00', final_amount: '930.99' },
      SATURDAY,
    ),
    finds: [],
  },
  {
    title:
      'it finds nothing wrong with interest from a Saturday on, nor with that from the Monday on',
    story: [
      ...due(LATE, 8, { interest: '3.00', fine: '2.00', final_amount: '1005.99' }, SATURDAY),
      check(
        {
          ...example('dueDateCode'),
          ...WITHOUT,
          ...OF_RECORD,
          due_date: SATURDAY,
          interest: '1.00',
          fine: '2.00',
          final_amount: '1003.99',
        },
        { emv: codeOf(1, 'dueDateQrCode') },
      ),
    ],
    finds: [],
  },
  {
    title: 'it finds nothing wrong with a fine on the Saturday after a due date, nor without one',
    story: [
      ...due(LATE, 5, { interest: '1.00', fine: '2.00', final_amount: '1003.99' }),
      check(
        {
          ...example('dueDateCode'),
          ...WITHOUT,
          ...OF_RECORD,
          due_date: FRIDAY,
          interest: '1.00',
          final_amount: '1001.99',
        },
        { emv: codeOf(1, 'dueDateQrCode') },
      ),
    ],
    finds: [],
  },
  {
    title: 'it finds two pending transfers of more than the account holds',
    story: [balances('40.00'), payOnce(1), payOnce(2), balances('-10.00')],
    finds: ['money-covered@createTransfer'],
  },
  {
    title: 'it finds a transfer that is shown again and takes its amount again',
    story: [charge, payCode(), TAKEN, payCode(), balances('28.20', '135.90')],
    finds: ['money-moved@createTransfer', 'once-used@createTransfer'],
  },
  {
    title: 'it finds a settled transfer of more than any account holds',
    story: [lookUp(), payKey({ amount: '999999999.99' }, { amount: '999999999.99' })],
    finds: ['money-covered@createTransfer', 'refusals-causes@createTransfer'],
  },
  {
    title: 'it finds nothing settled in such a transfer that is rejected',
    story: [
      lookUp(),
      payKey(
        { amount: '999999999.99' },
        { amount: '999999999.99' },
        {
          shows: { status: 'rejected' },
        },
      ),
    ],
    finds: ['refusals-causes@createTransfer', 'responses-agree@createTransfer'],
  },
  {
    title: 'it finds an amount that is taken twice',
    story: moved(balances('28.20', '135.90'), payCode()),
    finds: ['money-moved@createTransfer'],
  },
  {
    title: 'it finds a rejected transfer whose amount stays set aside',
    story: moved(
      balances('64.10', '100.00', { rejected: [String(example('immediatePending').id)] }),
      payCode(),
    ),
    finds: ['money-moved@createTransfer'],
  },
  {
    title: 'it finds an amount that the receiver does not get',
    story: moved(balances('64.10'), payCode()),
    finds: ['money-moved@createTransfer'],
  },
  {
    title: 'it finds a transfer of an account to itself that moves its amount',
    story: moved(TAKEN, payCode({}, { by: 'partner' })),
    finds: ['money-moved@createTransfer'],
  },
  {
    title: 'it finds a refused transfer that takes money',
    story: moved(TAKEN, payCode({}, { refused: 'invalid_code', variant: true })),
    finds: ['money-moved@createTransfer', 'refusals-true@createTransfer'],
  },
  {
    title: 'it takes no transfer for settled where the balances do not name its account',
    story: [
      charge,
      balances('100.00'),
      payCode({
        data: { ...data('immediatePending'), account_id: '00000000-0000-4000-8000-0000000000cc' },
      }),
      balances('100.00'),
      charges(),
    ],
    finds: [],
  },
  {
    title: 'it finds a paid code that stays open',
    story: [...moved(TAKEN, payCode()), charges()],
    finds: ['money-settled@listImmediateQrCodes'],
  },
  {
    title: 'it finds a code paid after a rejection',
    story: [...moved(REJECTED, payCode()), payCode({}, { refused: 'code_paid' })],
    finds: ['refusals-true@createTransfer'],
  },
  {
    title: 'it finds another account than that of the customer',
    story: [
      readUser(),
      payByKey({ account_id: '7c1b4a0e-6c0d-4b0e-9d3e-2f1a5b6c7d8e' }, { by: 'customer' }),
    ],
    finds: ['money-accounts@createTransfer'],
  },
  {
    title: 'it finds nothing in a payer that is the customer with a masked tax ID',
    story: [readUser(), payAs('***.456.789-**')],
    finds: ['responses-shape@createTransfer'],
  },
  {
    title: 'it finds a payer whose masked tax ID is that of somebody else',
    story: [readUser(), payAs('***.444.777-**')],
    finds: ['money-accounts@createTransfer', 'responses-shape@createTransfer'],
  },
  {
    title: 'it finds an account that pays for another identity',
    story: [charge, payCode(), payByKey({})],
    finds: ['money-accounts@createTransfer'],
  },
  {
    title: 'it finds another payer for one account',
    story: [
      charge,
      payCode(),
      payByKey({ payer: data('immediatePending').beneficiary }, { by: 'customer' }),
    ],
    finds: ['responses-agree@createTransfer'],
  },
  {
    title: 'it finds an end_to_end_id that is used again',
    story: [
      charge,
      payCode(),
      payByKey({ end_to_end_id: data('immediatePending').end_to_end_id }, { by: 'customer' }),
    ],
    finds: ['money-consistent@createTransfer', 'responses-agree@createTransfer'],
  },
  {
    title: 'it finds a fine on the due date',
    story: due({ fine: rate('2.00', '1') }, 4, {
      fine: '2.00',
      final_amount: '1002.99',
    }),
    finds: ['money-due@checkCode'],
  },
  {
    title: 'it finds interest that is rounded up',
    story: due({ interest: rate('3.00', '3') }, 8, {
      interest: '4.01',
      final_amount: '1005.00',
    }),
    finds: ['money-due@checkCode'],
  },
  {
    title: 'it finds a discount after its date',
    story: due({ discount }, 3, DISCOUNTED),
    finds: ['money-due@checkCode'],
  },
  {
    title: 'it finds a discount by day to a due date that is a Saturday',
    story: due(
      { discount: rate('10.00', '3') },
      0,
      { discount: '50.00', final_amount: '950.99' },
      SATURDAY,
    ),
    finds: ['money-due@checkCode'],
  },
  {
    title: 'it finds a fine on a due date that is a Saturday',
    story: due(LATE, 5, { fine: '2.00', final_amount: '1002.99' }, SATURDAY),
    finds: ['money-due@checkCode'],
  },
  {
    title: 'it finds a charge of nothing, and not what is due of it',
    story: due({ discount: rate('300.99', '3') }, 0, { discount: '1000.99', final_amount: '0.00' }),
    finds: ['refusals-causes@createDueDateQrCode'],
  },
  {
    title: 'it finds an amount in fractions of a centavo',
    story: due({}, 0, { final_amount: '1000.990000000001' }),
    finds: ['money-consistent@checkCode', 'money-due@checkCode'],
  },
])

test('it says of a transfer to an own key what it is, and not that it was rejected', () => {
  const { findings } = readStory([
    createCharge({ dict_key: example('payKey').dict_key }),
    balances('100.00'),
    payByKey({}),
    balances('54.10'),
  ])
  const [finding] = findings.filter(({ rule }) => rule === 'money-moved')
  expect(finding?.message).toBe('A transfer that was paid to oneself moved a balance.')
})

test('it distinguishes an amount that is taken twice from one with a fee, for baselines', () => {
  const idsAfter = (payer: string) =>
    readStory(moved(balances(payer, '135.90'), payCode())).findings.map(({ id }) => id)
  const withFee = idsAfter('63.10')
  const twice = idsAfter('28.20')
  expect(withFee).toHaveLength(1)
  expect(twice).toHaveLength(1)
  expect(twice).not.toEqual(withFee)
})
