import type { DueDateAmountInput, DueDateQrCodeRequest } from '@partner-payments/spec'
import { describe, expect, test } from 'vitest'
import { chargeFaults, immediateFaults } from '../../src/money/rules.ts'

const today = '2026-11-02'
const base = { dict_key: 'loja@example.com', tx_id: 'PEDIDO1002PEDIDO1002PEDIDO1002' }
const calendar = { due_date: '2026-12-15' }

function faultsOf(request: Partial<DueDateQrCodeRequest>): string[] {
  return chargeFaults({ ...base, ...request }, today).map(({ code, pointer }) => `${code} ${pointer}`)
}

function faultsWith(amount: DueDateAmountInput): string[] {
  return faultsOf({ calendar, amount: { original: '100.00', ...amount } })
}

const fixed = (amount: string, date = '2026-12-15') => [{ amount, date }]

describe('a due-date request', () => {
  test('needs an amount and a due date', () => {
    const expected = ['field_missing /amount/original', 'field_missing /calendar/due_date']
    expect(faultsOf({})).toEqual(expected)
    expect(faultsOf({ amount: {}, calendar: {} })).toEqual(expected)
  })

  test('needs an amount above zero', () => {
    expect(faultsOf({ calendar, amount: { original: '0.00' } })).toEqual(['invalid_charge /amount/original'])
    expect(faultsOf({ calendar, amount: { original: '0.01' } })).toEqual([])
  })

  test('is due today or later', () => {
    const amount = { original: '100.00' }
    expect(faultsOf({ amount, calendar: { due_date: '2026-11-01' } })).toEqual([
      'invalid_charge /calendar/due_date',
    ])
    expect(faultsOf({ amount, calendar: { due_date: today } })).toEqual([])
  })

  test('explains what was expected', () => {
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

  test.each(['deduction', 'discount', 'fine', 'interest'] as const)('needs a modality for its %s', (name) => {
    expect(faultsWith({ [name]: { amount: '1.00' } })).toEqual([`field_missing /amount/${name}/modality`])
  })

  test.each(['deduction', 'fine', 'interest'] as const)('needs an amount for its %s', (name) => {
    expect(faultsWith({ [name]: { modality: '1' } })).toEqual([`field_missing /amount/${name}/amount`])
    expect(faultsWith({ [name]: { modality: '1', amount: '1.00' } })).toEqual([])
  })

  test.each(['fine', 'interest'] as const)('may have any amount of %s', (name) => {
    expect(faultsWith({ [name]: { modality: '1', amount: '100.00' } })).toEqual([])
    expect(faultsWith({ [name]: { modality: '2', amount: '100.00' } })).toEqual([])
  })

  test.each([
    ['1', '50.00', '49.99'],
    ['2', '100.00', '99.99'],
  ] as const)('keeps a deduction of modality %s below %s', (modality, over, under) => {
    const faults = (amount: string) => faultsWith({ original: '50.00', deduction: { modality, amount } })
    expect(faults(over)).toEqual(['invalid_charge /amount/deduction/amount'])
    expect(faults(under)).toEqual([])
  })
})

describe('a discount', () => {
  test('without a modality is not checked further', () => {
    expect(faultsWith({ discount: {} })).toEqual(['field_missing /amount/discount/modality'])
    expect(faultsWith({ discount: { amount: '999.00' } })).toEqual([
      'field_missing /amount/discount/modality',
    ])
  })

  test.each([
    ['3', '50.00', '49.99'],
    ['4', '50.00', '49.99'],
    ['5', '100.00', '99.99'],
    ['6', '100.00', '99.99'],
  ] as const)('of modality %s has an amount below %s', (modality, over, under) => {
    const faults = (amount: string) => faultsWith({ original: '50.00', discount: { modality, amount } })
    expect(faults(over)).toEqual(['invalid_charge /amount/discount/amount'])
    expect(faults(under)).toEqual([])
    expect(faultsWith({ discount: { modality, fixedDateDiscount: fixed('1.00') } })).toEqual([
      'field_missing /amount/discount/amount',
    ])
  })

  test.each([
    ['1', '50.00', '49.99'],
    ['2', '100.00', '99.99'],
  ] as const)('of modality %s has dates with amounts below %s', (modality, over, under) => {
    const faults = (amount: string) =>
      faultsWith({ original: '50.00', discount: { modality, fixedDateDiscount: fixed(amount) } })
    expect(faults(over)).toEqual(['invalid_charge /amount/discount/fixedDateDiscount/0/amount'])
    expect(faults(under)).toEqual([])
  })

  test.each(['1', '2'] as const)('of modality %s needs dates, and their fields', (modality) => {
    const list = '/amount/discount/fixedDateDiscount'
    expect(faultsWith({ discount: { modality, amount: '1.00' } })).toEqual([`field_missing ${list}`])
    expect(faultsWith({ discount: { modality, fixedDateDiscount: [] } })).toEqual([`field_missing ${list}`])
    expect(faultsWith({ discount: { modality, fixedDateDiscount: [...fixed('1.00'), {}] } })).toEqual([
      `field_missing ${list}/1/amount`,
      `field_missing ${list}/1/date`,
    ])
  })

  test('ends no later than the due date', () => {
    const faults = (date: string) =>
      faultsWith({ discount: { modality: '1', fixedDateDiscount: fixed('1.00', date) } })
    expect(faults('2026-12-16')).toEqual(['invalid_charge /amount/discount/fixedDateDiscount/0/date'])
    expect(faults('2026-12-15')).toEqual([])
  })

  test('is not compared with absent fields', () => {
    const discount = { modality: '1' as const, fixedDateDiscount: fixed('999.00', '2027-12-15') }
    expect(faultsOf({ amount: { discount } })).toEqual([
      'field_missing /amount/original',
      'field_missing /calendar/due_date',
    ])
  })
})

describe('an immediate request', () => {
  test('needs an amount above zero', () => {
    expect(immediateFaults(base)).toMatchObject([{ pointer: '/amount/original', code: 'field_missing' }])
    expect(immediateFaults({ ...base, amount: {} })).toMatchObject([{ code: 'field_missing' }])
    expect(immediateFaults({ ...base, amount: { original: '0.00' } })).toMatchObject([
      { pointer: '/amount/original', code: 'invalid_charge' },
    ])
    expect(immediateFaults({ ...base, amount: { original: '0.01' } })).toEqual([])
  })
})
