import type { DueDateAmountInput, DueDateQrCodeRequest } from '@partner-payments/spec'
import { expect, test } from 'vitest'
import { chargeFaults } from '../../src/money/rules.ts'

const today = '2026-11-02'
const base = { dict_key: 'loja@example.com', tx_id: 'PEDIDO1002PEDIDO1002PEDIDO1002' }
const calendar = { due_date: '2026-12-15' }

function faultsOf(request: Partial<DueDateQrCodeRequest>): string[] {
  const faults = chargeFaults({ ...base, ...request }, today)
  return faults.map(({ code, pointer }) => `${code} ${pointer}`)
}

const fixed = (amount: string, date = '2026-12-15') => ({ fixedDateDiscount: [{ amount, date }] })
const LIST = 'discount/fixedDateDiscount'

/** Reductions stay below the original amount, and below 100 percent. */
const CENTAVOS = { over: '50.00', under: '49.99' }
const PERCENT = { over: '100.00', under: '99.99' }

/** An amount, and its faults: each with a pointer below /amount. */
interface Case {
  readonly amount: DueDateAmountInput
  readonly faults: readonly string[]
}

const AMOUNTS: readonly Case[] = [
  { amount: { original: '0.00' }, faults: ['invalid_charge original'] },
  { amount: { original: '0.01' }, faults: [] },
  ...incomplete('deduction'),
  ...incomplete('fine'),
  ...incomplete('interest'),
  // Any amount of fine and interest is allowed.
  {
    amount: {
      fine: { modality: '1', amount: '100.00' },
      interest: { modality: '2', amount: '100.00' },
    },
    faults: [],
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
    amount: { discount: { modality: '1', ...fixed('1.00', '2026-12-16') } },
    faults: [`invalid_charge ${LIST}/0/date`],
  },
  {
    amount: { discount: { amount: '999.00' } },
    faults: ['field_missing discount/modality'],
  },
]

function incomplete(name: 'deduction' | 'fine' | 'interest'): Case[] {
  return [
    { amount: { [name]: { amount: '1.00' } }, faults: [`field_missing ${name}/modality`] },
    { amount: { [name]: { modality: '1' } }, faults: [`field_missing ${name}/amount`] },
  ]
}

function deductions(modality: '1' | '2', { over, under }: typeof CENTAVOS): Case[] {
  return [
    {
      amount: { deduction: { modality, amount: over } },
      faults: ['invalid_charge deduction/amount'],
    },
    {
      amount: { deduction: { modality, amount: under } },
      faults: [],
    },
  ]
}

function discountsByDate(modality: '1' | '2', { over, under }: typeof CENTAVOS): Case[] {
  const withEmptyItem = [...fixed('1.00').fixedDateDiscount, {}]
  return [
    {
      amount: { discount: { modality, ...fixed(over) } },
      faults: [`invalid_charge ${LIST}/0/amount`],
    },
    {
      amount: { discount: { modality, ...fixed(under) } },
      faults: [],
    },
    {
      amount: { discount: { modality, amount: '1.00' } },
      faults: [`field_missing ${LIST}`],
    },
    {
      amount: { discount: { modality, fixedDateDiscount: [] } },
      faults: [`field_missing ${LIST}`],
    },
    {
      amount: { discount: { modality, fixedDateDiscount: withEmptyItem } },
      faults: [`field_missing ${LIST}/1/amount`, `field_missing ${LIST}/1/date`],
    },
  ]
}

function discountsByDay(modality: '3' | '4' | '5' | '6', { over, under }: typeof CENTAVOS): Case[] {
  return [
    {
      amount: { discount: { modality, amount: over } },
      faults: ['invalid_charge discount/amount'],
    },
    {
      amount: { discount: { modality, amount: under } },
      faults: [],
    },
    {
      amount: { discount: { modality } },
      faults: ['field_missing discount/amount'],
    },
    {
      amount: { discount: { modality, amount: under, ...fixed('1.00') } },
      faults: [`invalid_charge ${LIST}`],
    },
  ]
}

for (const { amount, faults } of AMOUNTS) {
  const sent = JSON.stringify(amount)
  test(`of a due-date request, the amount ${sent} has the faults ${JSON.stringify(faults)}`, () => {
    const expected = faults.map((fault) => fault.replace(' ', ' /amount/'))
    expect(faultsOf({ calendar, amount: { original: '50.00', ...amount } })).toEqual(expected)
  })
}

const MISSING = ['field_missing /amount/original', 'field_missing /calendar/due_date']

const REQUESTS: readonly { request: Partial<DueDateQrCodeRequest>; faults: readonly string[] }[] = [
  { request: {}, faults: MISSING },
  { request: { amount: {}, calendar: {} }, faults: MISSING },
  // It is not compared with absent fields.
  {
    request: { amount: { discount: { modality: '1', ...fixed('999.00', '2027-12-15') } } },
    faults: MISSING,
  },
  {
    request: { amount: { original: '1.00' }, calendar: { due_date: '2026-11-01' } },
    faults: ['invalid_charge /calendar/due_date'],
  },
  { request: { amount: { original: '1.00' }, calendar: { due_date: today } }, faults: [] },
]

for (const { request, faults } of REQUESTS) {
  const sent = JSON.stringify(request)
  test(`the due-date request ${sent} has the faults ${JSON.stringify(faults)}`, () => {
    expect(faultsOf(request)).toEqual(faults)
  })
}

test('a fault of a due-date request says what was expected', () => {
  const amount: DueDateAmountInput = {
    original: '0.00',
    fine: { modality: '1' },
    deduction: { modality: '2', amount: '100.00' },
  }
  const faults = chargeFaults({ ...base, amount, calendar: { due_date: '2026-11-01' } }, today)
  expect(faults.map(({ detail }) => detail)).toEqual([
    '"original" must be above zero.',
    '"due_date" must be 2026-11-02 or later.',
    '"amount" must be below 100 percent.',
    '"amount" is required.',
  ])
})
