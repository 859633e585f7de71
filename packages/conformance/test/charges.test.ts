import { expect, test } from 'vitest'
import {
  addDays,
  amountDue,
  type ChargeAmount,
  findOpenParts,
  leavesNothing,
} from '../src/model/amounts.ts'
import { compareTaxIds } from '../src/model/tax-ids.ts'
import { chargeRows } from '../src/plans/charges.ts'

/** A charge whose discount, deduction or lateness counts from a date that moves. */
interface Moved {
  readonly title: string
  readonly charge: ChargeAmount
  readonly due: string
  readonly day: string
  readonly discount: bigint
  readonly final: bigint
}

// Manual de Padrões 2.10.0, annex III, section 3; Pix API 2.9.0, CobDataDeVencimento.
const MOVED: readonly Moved[] = [
  {
    title: 'a value for each day to the Monday after a Sunday',
    charge: { original: '1000.00', discount: { amount: '10.00', modality: '3' } },
    due: '2026-12-13',
    day: '2026-11-28',
    discount: 16_000n,
    final: 84_000n,
  },
  {
    title: 'a value for each business day, on a due date that is a Saturday',
    charge: {
      original: '737079.36',
      deduction: { amount: '15.70', modality: '2' },
      discount: { amount: '7965.68', modality: '4' },
    },
    due: '2029-03-03',
    day: '2029-03-03',
    discount: 796_568n,
    final: 61_339_223n,
  },
  {
    title: 'a percentage for each business day, on a due date that is a Sunday',
    charge: {
      original: '7.26',
      deduction: { amount: '16.93', modality: '2' },
      discount: { amount: '0.63', modality: '6' },
    },
    due: '2029-11-25',
    day: '2029-11-25',
    discount: 3n,
    final: 601n,
  },
]

for (const { title, charge, due, day, discount, final } of MOVED) {
  test(`it counts ${title}`, () => {
    expect(amountDue(charge, due, day)).toMatchObject({ discount, final_amount: final })
  })
}

const LATE: ChargeAmount = {
  original: '100.00',
  fine: { amount: '2.00', modality: '1' },
  interest: { amount: '1.00', modality: '1' },
}
const EVERYTHING = ['fine', 'interest', 'final_amount']

test.each([
  { due: '2026-12-11', day: '2026-12-11', unknown: [] },
  { due: '2026-12-11', day: '2026-12-13', unknown: ['fine', 'final_amount'] },
  { due: '2026-12-11', day: '2026-12-14', unknown: [] },
  { due: '2026-12-12', day: '2026-12-12', unknown: [] },
  { due: '2026-12-12', day: '2026-12-14', unknown: EVERYTHING },
  { due: '2026-12-12', day: '2026-12-15', unknown: EVERYTHING },
  // Christmas, on a Friday.
  { due: '2026-12-24', day: '2026-12-25', unknown: ['fine', 'final_amount'] },
  { due: '2026-12-25', day: '2026-12-29', unknown: EVERYTHING },
])('it knows all of a charge due on $due, on $day, but for $unknown', ({ due, day, unknown }) => {
  expect([...findOpenParts(LATE, due, day)]).toEqual(unknown)
})

test('it knows the amount of a charge without fine and interest on each day', () => {
  expect(findOpenParts({ original: '100.00' }, '2026-12-12', '2026-12-15').size).toBe(0)
})

test.each([
  { discount: { amount: '1.00', modality: '3' }, isNothing: true },
  { discount: { amount: '0.99', modality: '3' }, isNothing: false },
  { discount: { amount: '10.00', modality: '5' }, isNothing: true },
  { discount: { amount: '9.99', modality: '5' }, isNothing: false },
])('it says $isNothing of $discount for ten days of 10.00', ({ discount, isNothing }) => {
  const charge = { original: '10.00', discount }
  expect(leavesNothing(charge, '2026-12-18', '2026-12-08')).toBe(isNothing)
})

test('it tries the last day of each date of a discount with the deduction', () => {
  const deduction = { amount: '6.00', modality: '1' }
  const until = (amount: string, date: string) => {
    const fixedDateDiscount = [
      { amount: '1.00', date: '2026-12-10' },
      { amount, date },
    ]
    return { original: '10.00', deduction, discount: { modality: '1', fixedDateDiscount } }
  }
  expect(leavesNothing(until('4.00', '2026-12-15'), '2026-12-18', '2026-12-08')).toBe(true)
  expect(leavesNothing(until('3.99', '2026-12-15'), '2026-12-18', '2026-12-08')).toBe(false)
  // Over when the charge is created.
  expect(leavesNothing(until('4.00', '2026-12-03'), '2026-12-18', '2026-12-08')).toBe(false)
})

test('it creates no charge that leaves nothing, on any day of the week', () => {
  for (let days = 0; days < 7; days++) {
    const today = addDays('2026-11-29', days)
    const rows = chargeRows(today, '2026-12-07')
    const empty = rows.filter(({ amount, due }) => leavesNothing(amount, due, today))
    expect(empty).toEqual([])
  }
})

test.each([
  ['***.444.777-**', '11144477735', 'same'],
  ['***.444.777-**', '***.444.777-**', 'same'],
  ['***.982.247-**', '11144477735', 'different'],
  ['***.444.777-**', '12ABC34501DE35', 'different'],
  ['111.444.777-35', '11144477735', 'same'],
  ['', '11144477735', 'unknown'],
  ['***********', '11144477735', 'unknown'],
])('it compares %s with %s: %s', (one, other, comparison) => {
  expect(compareTaxIds(one, other)).toBe(comparison)
})
