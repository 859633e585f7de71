import { expect, test } from 'vitest'
import { type AmountsDue, type Charge, computeAmounts } from '../../src/money/charge.ts'
import { PUBLIC_CHARGES } from './public-charges.ts'

const by = <Modality extends string>(modality: Modality, amount: string) => ({ modality, amount })

// Tuesday. After it, a holiday and weekends until Monday 11 January; before it, Christmas and
// weekends from Friday 18 December.
const DUE = { original: '123.45', due_date: '2020-12-29' }
const LATE = '2021-01-11'
const EARLY = '2020-12-18'

// Early: by 11 calendar days, 6 of them business days. Late: by 13 calendar days, 8 of them
// business days.
const CHANGES: readonly Change[] = [
  { name: 'fine', change: by('1', '15.00'), amounts: { early: 0n, due: 0n, late: 1500n } },
  { name: 'fine', change: by('2', '15.00'), amounts: { early: 0n, due: 0n, late: 1851n } },
  {
    name: 'deduction',
    change: by('1', '10.00'),
    amounts: { early: 1000n, due: 1000n, late: 1000n },
  },
  {
    name: 'deduction',
    change: by('2', '10.00'),
    amounts: { early: 1234n, due: 1234n, late: 1234n },
  },
  { name: 'interest', change: by('1', '2.50'), amounts: { early: 0n, due: 0n, late: 3250n } },
  { name: 'interest', change: by('2', '2.50'), amounts: { early: 0n, due: 0n, late: 4012n } },
  { name: 'interest', change: by('3', '2.50'), amounts: { early: 0n, due: 0n, late: 133n } },
  { name: 'interest', change: by('4', '2.50'), amounts: { early: 0n, due: 0n, late: 11n } },
  { name: 'interest', change: by('5', '2.50'), amounts: { early: 0n, due: 0n, late: 2000n } },
  { name: 'interest', change: by('6', '2.50'), amounts: { early: 0n, due: 0n, late: 2469n } },
  { name: 'interest', change: by('7', '2.50'), amounts: { early: 0n, due: 0n, late: 117n } },
  { name: 'interest', change: by('8', '2.50'), amounts: { early: 0n, due: 0n, late: 9n } },
  { name: 'discount', change: by('3', '1.75'), amounts: { early: 1925n, due: 0n, late: 0n } },
  { name: 'discount', change: by('4', '1.75'), amounts: { early: 1050n, due: 0n, late: 0n } },
  { name: 'discount', change: by('5', '1.75'), amounts: { early: 2376n, due: 0n, late: 0n } },
  { name: 'discount', change: by('6', '1.75'), amounts: { early: 1296n, due: 0n, late: 0n } },
]

/** A field of a charge, and its part of the amount on the three days. */
interface Change {
  readonly name: 'fine' | 'deduction' | 'interest' | 'discount'
  readonly change: { readonly modality: string; readonly amount: string }
  readonly amounts: { readonly early: bigint; readonly due: bigint; readonly late: bigint }
}

for (const { name, change, amounts } of CHANGES) {
  // TypeScript takes a computed key for any string.
  const charge = { ...DUE, [name]: change } as Charge
  const given = JSON.stringify({ [name]: change })
  const { early, due, late } = amounts
  test(`${given} is ${early}n early, ${due}n on the due date and ${late}n late`, () => {
    expect(computeAmounts(charge, EARLY)[name]).toBe(early)
    expect(computeAmounts(charge, DUE.due_date)[name]).toBe(due)
    expect(computeAmounts(charge, LATE)[name]).toBe(late)
  })
}

/** A charge, and what is due on days. */
interface Case {
  readonly title: string
  readonly charge: Charge
  readonly days: readonly { readonly day: string; readonly amounts: Partial<AmountsDue> }[]
}

const CASES: readonly Case[] = [
  {
    title:
      'a charge that is two days late has a fine of 3 % and interest of 1 % a day: the example of Pix API 2.9.0, componentesValor',
    charge: {
      original: '100.00',
      due_date: '2020-12-29',
      fine: by('2', '3.00'),
      interest: by('2', '1.00'),
    },
    days: [
      {
        day: '2020-12-31',
        amounts: {
          original: 10000n,
          deduction: 0n,
          discount: 0n,
          interest: 200n,
          fine: 300n,
          final: 10500n,
        },
      },
    ],
  },
  {
    title:
      'a charge costs 300.00 less until 10 December: the example of Manual de Padrões 2.10.0, annex III, 4.2.1',
    charge: {
      original: '1000.00',
      due_date: '2020-12-15',
      discount: { modality: '1', fixedDateDiscount: [{ date: '2020-12-10', amount: '300.00' }] },
    },
    days: [
      { day: '2020-12-10', amounts: { discount: 30000n, final: 70000n } },
      { day: '2020-12-11', amounts: { discount: 0n, final: 100000n } },
    ],
  },
  {
    title:
      'a charge costs 100.00 less for each day before 10 December: the example of Manual de Padrões 2.10.0, annex III, 4.2.2',
    charge: { original: '1000.00', due_date: '2020-12-10', discount: by('3', '100.00') },
    days: [
      { day: '2020-12-07', amounts: { discount: 30000n, final: 70000n } },
      { day: '2020-12-10', amounts: { discount: 0n, final: 100000n } },
    ],
  },
  {
    title: 'the rate of interest is truncated to six places: 1.00 % a month of 13 days is 0.004333',
    charge: { original: '1000000.00', due_date: '2020-12-29', interest: by('3', '1.00') },
    days: [{ day: LATE, amounts: { interest: 433300n } }],
  },
  {
    title: 'a deduction is subtracted before percentages apply',
    charge: {
      original: '200.00',
      due_date: '2020-12-29',
      deduction: by('1', '100.00'),
      discount: { modality: '2', fixedDateDiscount: [{ date: '2020-12-28', amount: '10.00' }] },
      fine: by('2', '10.00'),
      interest: by('2', '1.00'),
    },
    days: [
      { day: '2020-12-28', amounts: { discount: 1000n, final: 9000n } },
      { day: '2020-12-30', amounts: { interest: 100n, fine: 1000n, final: 11100n } },
    ],
  },
  {
    title: 'a discount holds until the business day after its date, a Sunday',
    charge: {
      ...DUE,
      discount: { modality: '1', fixedDateDiscount: [{ date: '2020-12-13', amount: '10.00' }] },
    },
    days: [
      { day: '2020-12-14', amounts: { discount: 1000n } },
      { day: '2020-12-15', amounts: { discount: 0n } },
    ],
  },
  // The due date, a Sunday, moves to Monday. The Friday before it is three calendar days early, and
  // one business day early.
  {
    title: 'a discount by calendar days counts to the due date that moved',
    charge: { original: '100.00', due_date: '2020-12-13', discount: by('3', '1.00') },
    days: [
      { day: '2020-12-11', amounts: { discount: 300n } },
      { day: '2020-12-13', amounts: { discount: 100n } },
      { day: '2020-12-14', amounts: { discount: 0n } },
    ],
  },
  {
    title: 'a discount by business days counts to the due date that moved',
    charge: { original: '100.00', due_date: '2020-12-13', discount: by('4', '1.00') },
    days: [
      { day: '2020-12-11', amounts: { discount: 100n } },
      { day: '2020-12-14', amounts: { discount: 0n } },
    ],
  },
  {
    title: 'a due date on a holiday moves: Monday is not late, and Tuesday is one day late',
    charge: {
      original: '100.00',
      due_date: '2020-12-25',
      fine: by('1', '2.00'),
      interest: by('1', '1.00'),
    },
    days: [
      { day: '2020-12-28', amounts: { fine: 0n, interest: 0n } },
      { day: '2020-12-29', amounts: { fine: 200n, interest: 100n } },
    ],
  },
  {
    title: 'a deduction ends at zero',
    charge: {
      ...DUE,
      deduction: by('1', '200.00'),
      fine: by('1', '3.00'),
      interest: by('2', '1.00'),
    },
    days: [{ day: LATE, amounts: { deduction: 12345n, interest: 0n, fine: 300n, final: 300n } }],
  },
  {
    title: 'a discount ends at zero',
    charge: { ...DUE, deduction: by('2', '50.00'), discount: by('3', '20.00') },
    days: [{ day: EARLY, amounts: { deduction: 6172n, discount: 6173n, final: 0n } }],
  },
  {
    title: 'absent fields count as zero',
    charge: { due_date: '2020-12-25', discount: {}, fine: {}, interest: {}, deduction: {} },
    days: [
      {
        day: '2020-12-31',
        amounts: { original: 0n, deduction: 0n, discount: 0n, interest: 0n, fine: 0n, final: 0n },
      },
    ],
  },
  {
    title: 'a field without a modality counts as zero',
    charge: { original: '9.00', due_date: '2020-12-25', deduction: { amount: '1.00' } },
    days: [{ day: LATE, amounts: { final: 900n } }],
  },
]

for (const { title, charge, days } of CASES) {
  test(title, () => {
    for (const { day, amounts } of days) expect(computeAmounts(charge, day)).toMatchObject(amounts)
  })
}

for (const { source, charge, day, amounts } of PUBLIC_CHARGES) {
  test(`${JSON.stringify(charge)} on ${day} (${source})`, () => {
    expect(computeAmounts(charge, day)).toMatchObject(amounts)
  })
}

test.each(['1', '2'] as const)(
  'discounts of modality %s apply by dates in any order',
  (modality) => {
    const fixedDateDiscount = [
      { date: '2020-12-22', amount: '5.00' },
      { date: '2020-12-14', amount: '10.00' },
      { date: '2020-12-29', amount: '2.00' },
    ]
    const given: Charge = { ...DUE, discount: { modality, fixedDateDiscount } }
    const days = ['2020-12-14', '2020-12-15', '2020-12-23', '2020-12-30']
    const discounts = days.map((day) => computeAmounts(given, day).discount)
    expect(discounts).toEqual(modality === '1' ? [1000n, 500n, 200n, 0n] : [1234n, 617n, 246n, 0n])
  },
)

test('an invalid amount is refused', () => {
  expect(() => computeAmounts({ ...DUE, original: '1,00' }, LATE)).toThrow(TypeError)
})
