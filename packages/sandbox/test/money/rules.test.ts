import type {
  DueDateAmountInput,
  DueDateQrCodeRequest,
  ImmediateQrCodeRequest,
} from '@partner-payments/spec'
import { expect, test } from 'vitest'
import { findChargeErrors, findImmediateErrors } from '../../src/money/rules.ts'

const today = '2026-11-02'
const payer = { name: 'Fulano de Tal', tax_id: '12345678909' }
const base = { dict_key: 'loja@example.com', tx_id: 'PEDIDO1002PEDIDO1002PEDIDO1002', payer }
/** A day early, also in business days, since today is a holiday. */
const calendar = { due_date: '2026-11-03' }

function listErrors(request: Judged['request']): string[] {
  const errors = findChargeErrors({ ...base, ...request } as DueDateQrCodeRequest, today)
  return errors.map(({ code, pointer }) => `${code} ${pointer}`)
}

const fixed = (amount: string, date = '2026-11-03') => ({ fixedDateDiscount: [{ amount, date }] })
const LIST = 'discount/fixedDateDiscount'

/** Reductions stay below the original amount, and below 100 percent. */
const CENTAVOS = { over: '50.00', under: '49.99' }
const PERCENT = { over: '100.00', under: '99.99' }

/** An amount, and its errors: each with a pointer below /amount. */
interface Case {
  readonly amount: DueDateAmountInput
  readonly errors: readonly string[]
}

const AMOUNTS: readonly Case[] = [
  { amount: { original: '0.00' }, errors: ['invalid_charge original'] },
  { amount: { original: '0.01' }, errors: [] },
  ...incomplete('deduction'),
  ...incomplete('fine'),
  ...incomplete('interest'),
  // Any amount of fine and interest is allowed.
  {
    amount: {
      fine: { modality: '1', amount: '100.00' },
      interest: { modality: '2', amount: '100.00' },
    },
    errors: [],
  },
  ...deductions('1', CENTAVOS),
  ...discountsByDate('1', CENTAVOS),
  ...deductions('2', PERCENT),
  ...discountsByDate('2', PERCENT),
  ...discountsByDay('3', CENTAVOS),
  ...discountsByDay('4', CENTAVOS),
  ...discountsByDay('5', PERCENT),
  ...discountsByDay('6', PERCENT),
  {
    amount: { discount: { modality: '1', ...fixed('1.00', '2026-11-04') } },
    errors: [`invalid_charge ${LIST}/0/date`],
  },
  {
    amount: { discount: { amount: '999.00' } },
    errors: ['field_missing discount/modality'],
  },
]

function incomplete(name: 'deduction' | 'fine' | 'interest'): Case[] {
  return [
    { amount: { [name]: { amount: '1.00' } }, errors: [`field_missing ${name}/modality`] },
    { amount: { [name]: { modality: '1' } }, errors: [`field_missing ${name}/amount`] },
  ]
}

function deductions(modality: '1' | '2', { over, under }: typeof CENTAVOS): Case[] {
  return [
    {
      amount: { deduction: { modality, amount: over } },
      errors: ['invalid_charge deduction/amount'],
    },
    {
      amount: { deduction: { modality, amount: under } },
      errors: [],
    },
  ]
}

function discountsByDate(modality: '1' | '2', { over, under }: typeof CENTAVOS): Case[] {
  const withEmptyItem = [...fixed('1.00').fixedDateDiscount, {}]
  return [
    {
      amount: { discount: { modality, ...fixed(over) } },
      errors: [`invalid_charge ${LIST}/0/amount`],
    },
    {
      amount: { discount: { modality, ...fixed(under) } },
      errors: [],
    },
    {
      amount: { discount: { modality } },
      errors: [`field_missing ${LIST}`],
    },
    {
      amount: { discount: { modality, amount: '1.00', ...fixed('1.00') } },
      errors: ['invalid_charge discount/amount'],
    },
    {
      amount: { discount: { modality, fixedDateDiscount: [] } },
      errors: [`field_missing ${LIST}`],
    },
    {
      amount: { discount: { modality, fixedDateDiscount: withEmptyItem } },
      errors: [`field_missing ${LIST}/1/amount`, `field_missing ${LIST}/1/date`],
    },
  ]
}

function discountsByDay(modality: '3' | '4' | '5' | '6', { over, under }: typeof CENTAVOS): Case[] {
  return [
    {
      amount: { discount: { modality, amount: over } },
      errors: ['invalid_charge discount/amount'],
    },
    {
      amount: { discount: { modality, amount: under } },
      errors: [],
    },
    {
      amount: { discount: { modality } },
      errors: ['field_missing discount/amount'],
    },
    {
      amount: { discount: { modality, amount: under, ...fixed('1.00') } },
      errors: [`invalid_charge ${LIST}`],
    },
  ]
}

for (const { amount, errors } of AMOUNTS) {
  const sent = JSON.stringify(amount)
  test(`of a due-date request, the amount ${sent} has the errors ${JSON.stringify(errors)}`, () => {
    const expected = errors.map((error) => error.replace(' ', ' /amount/'))
    expect(listErrors({ calendar, amount: { original: '50.00', ...amount } })).toEqual(expected)
  })
}

/** A charge of 50.00 that leaves nothing to pay on some day, and the errors of its amount. */
interface NothingDue {
  readonly reason: string
  readonly due_date: string
  readonly amount: DueDateAmountInput
  readonly errors: readonly string[]
}

const DEDUCTION = { modality: '1', amount: '20.00' } as const
const NOTHING_DUE: readonly NothingDue[] = [
  {
    reason: 'a discount by date, with the deduction',
    due_date: '2026-11-10',
    amount: { deduction: DEDUCTION, discount: { modality: '1', ...fixed('30.00') } },
    errors: [`invalid_charge ${LIST}/0/amount`],
  },
  {
    reason: 'the second date of a discount, with the deduction',
    due_date: '2026-11-10',
    amount: {
      deduction: DEDUCTION,
      discount: {
        modality: '1',
        fixedDateDiscount: [
          { date: '2026-11-04', amount: '10.00' },
          { date: '2026-11-10', amount: '30.00' },
        ],
      },
    },
    errors: [`invalid_charge ${LIST}/1/amount`],
  },
  {
    reason: 'a discount by date below a centavo of what the deduction leaves',
    due_date: '2026-11-10',
    amount: { deduction: DEDUCTION, discount: { modality: '1', ...fixed('29.99') } },
    errors: [],
  },
  {
    reason: 'a discount by date that is past, with the deduction',
    due_date: '2026-11-10',
    amount: { deduction: DEDUCTION, discount: { modality: '1', ...fixed('30.00', '2026-10-30') } },
    errors: [],
  },
  {
    reason: 'a share of what the deduction leaves',
    due_date: '2026-11-10',
    amount: { deduction: DEDUCTION, discount: { modality: '2', ...fixed('99.99') } },
    errors: [],
  },
  // Until Saturday 14 November, which moves to Monday 16 November, there are fourteen days and ten
  // business days.
  {
    reason: 'a discount by day',
    due_date: '2026-11-14',
    amount: { discount: { modality: '3', amount: '3.58' } },
    errors: ['invalid_charge discount/amount'],
  },
  {
    reason: 'a discount by day, a centavo less',
    due_date: '2026-11-14',
    amount: { discount: { modality: '3', amount: '3.57' } },
    errors: [],
  },
  {
    reason: 'a discount by business day',
    due_date: '2026-11-14',
    amount: { discount: { modality: '4', amount: '5.00' } },
    errors: ['invalid_charge discount/amount'],
  },
  {
    reason: 'a discount by business day, a centavo less',
    due_date: '2026-11-14',
    amount: { discount: { modality: '4', amount: '4.99' } },
    errors: [],
  },
  {
    reason: 'a percentage by day',
    due_date: '2026-11-14',
    amount: { discount: { modality: '5', amount: '7.15' } },
    errors: ['invalid_charge discount/amount'],
  },
  {
    reason: 'a percentage by day, a hundredth less',
    due_date: '2026-11-14',
    amount: { discount: { modality: '5', amount: '7.14' } },
    errors: [],
  },
  {
    reason: 'a percentage by business day',
    due_date: '2026-11-14',
    amount: { discount: { modality: '6', amount: '10.00' } },
    errors: ['invalid_charge discount/amount'],
  },
  {
    reason: 'a discount by day, with the deduction',
    due_date: '2026-11-14',
    amount: { deduction: DEDUCTION, discount: { modality: '3', amount: '2.15' } },
    errors: ['invalid_charge discount/amount'],
  },
]

for (const { reason, due_date, amount, errors } of NOTHING_DUE) {
  test(`${reason}, leaves nothing to pay: ${errors.join() || 'no error'}`, () => {
    const expected = errors.map((error) => error.replace(' ', ' /amount/'))
    const request = { calendar: { due_date }, amount: { original: '50.00', ...amount } }
    expect(listErrors(request)).toEqual(expected)
  })
}

const MISSING = ['field_missing /amount/original', 'field_missing /calendar/due_date']

const COMPLETE = { amount: { original: '1.00' }, calendar }

/** A request, and its errors. */
interface Judged {
  readonly request: Omit<Partial<DueDateQrCodeRequest>, 'payer'> & {
    readonly payer?: DueDateQrCodeRequest['payer'] | undefined
  }
  readonly errors: readonly string[]
}

const REQUESTS: readonly Judged[] = [
  { request: {}, errors: MISSING },
  { request: { amount: {}, calendar: {} }, errors: MISSING },
  // It is not compared with absent fields.
  {
    request: { amount: { discount: { modality: '1', ...fixed('999.00', '2027-12-15') } } },
    errors: MISSING,
  },
  {
    request: { amount: { original: '1.00' }, calendar: { due_date: '2026-11-01' } },
    errors: ['invalid_charge /calendar/due_date'],
  },
  { request: { amount: { original: '1.00' }, calendar: { due_date: today } }, errors: [] },
  { request: { ...COMPLETE, payer: undefined }, errors: ['field_missing /payer'] },
  {
    request: { ...COMPLETE, payer: {} },
    errors: ['field_missing /payer/name', 'field_missing /payer/tax_id'],
  },
  { request: { ...COMPLETE, payer: { name: 'Fulano' } }, errors: ['field_missing /payer/tax_id'] },
  {
    request: { ...COMPLETE, payer: { name: '', tax_id: payer.tax_id } },
    errors: ['field_missing /payer/name'],
  },
]

for (const { request, errors } of REQUESTS) {
  const sent = JSON.stringify(request)
  test(`the due-date request ${sent} has the errors ${JSON.stringify(errors)}`, () => {
    expect(listErrors(request)).toEqual(errors)
  })
}

test('an error of a due-date request says what was expected', () => {
  const amount: DueDateAmountInput = {
    original: '0.00',
    fine: { modality: '1' },
    deduction: { modality: '2', amount: '100.00' },
  }
  const errors = findChargeErrors({ ...base, amount, calendar: { due_date: '2026-11-01' } }, today)
  expect(errors.map(({ detail }) => detail)).toEqual([
    '"original" must be above zero.',
    '"due_date" must be 2026-11-02 or later.',
    '"amount" must be below 100 percent.',
    '"amount" is required.',
  ])
})

test('a charge that leaves nothing to pay names the day and the amounts', () => {
  const amount: DueDateAmountInput = {
    original: '50.00',
    deduction: DEDUCTION,
    discount: { modality: '3', amount: '30.00' },
  }
  const [error] = findChargeErrors({ ...base, amount, calendar }, today)
  expect(error?.detail).toBe(
    '"amount" must leave something to pay on 2026-11-02, when deduction and discount are 50.00 of 50.00.',
  )
})

test.each([
  { payer: undefined, errors: [] },
  { payer, errors: [] },
  { payer: { name: 'Fulano' }, errors: ['field_missing /payer/tax_id'] },
  { payer: { tax_id: '12345678909' }, errors: ['field_missing /payer/name'] },
])('the payer $payer of an immediate request has the errors $errors', ({ payer, errors }) => {
  const request = { ...base, amount: { original: '1.00' }, payer } as ImmediateQrCodeRequest
  const codes = findImmediateErrors(request).map(({ code, pointer }) => `${code} ${pointer}`)
  expect(codes).toEqual(errors)
})
