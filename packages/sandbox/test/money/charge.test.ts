import { expect, test } from 'vitest'
import { type AmountsDue, amountsOn, type Charge } from '../../src/money/charge.ts'

const by = <Modality extends string>(modality: Modality, amount: string) => ({ modality, amount })

// Tuesday. After it, a holiday and weekends until Monday 11 January; before it, Christmas and
// weekends from Friday 18 December.
const due = { original: '123.45', due_date: '2020-12-29' }
const late = '2021-01-11'
const early = '2020-12-18'

// Early: by 11 calendar days, 6 of them business days. Late: by 13 calendar days, 8 of them
// business days.
test.each<[Partial<Charge>, ...amounts: [early: bigint, due: bigint, late: bigint]]>([
  [{ fine: by('1', '15.00') }, 0n, 0n, 1500n],
  [{ fine: by('2', '15.00') }, 0n, 0n, 1851n],
  [{ deduction: by('1', '10.00') }, 1000n, 1000n, 1000n],
  [{ deduction: by('2', '10.00') }, 1234n, 1234n, 1234n],
  [{ interest: by('1', '2.50') }, 0n, 0n, 3250n],
  [{ interest: by('2', '2.50') }, 0n, 0n, 4012n],
  [{ interest: by('3', '2.50') }, 0n, 0n, 133n],
  [{ interest: by('4', '2.50') }, 0n, 0n, 11n],
  [{ interest: by('5', '2.50') }, 0n, 0n, 2000n],
  [{ interest: by('6', '2.50') }, 0n, 0n, 2469n],
  [{ interest: by('7', '2.50') }, 0n, 0n, 117n],
  [{ interest: by('8', '2.50') }, 0n, 0n, 9n],
  [{ discount: by('3', '1.75') }, 1925n, 0n, 0n],
  [{ discount: by('4', '1.75') }, 1050n, 0n, 0n],
  [{ discount: by('5', '1.75') }, 2376n, 0n, 0n],
  [{ discount: by('6', '1.75') }, 1296n, 0n, 0n],
])('%j is %d early, %d on the due date and %d late', (given, ...expected) => {
  const [name] = Object.keys(given) as ['fine' | 'deduction' | 'interest' | 'discount']
  const amounts = [early, due.due_date, late].map(
    (day) => amountsOn({ ...due, ...given }, day)[name],
  )
  expect(amounts).toEqual(expected)
})

/** What is due on days, for charges. */
const CASES: Record<string, [Charge, ...days: [day: string, Partial<AmountsDue>][]]> = {
  'the example of Pix API 2.9.0, componentesValor: two days late, a fine of 3 % and interest of 1 % a day':
    [
      {
        original: '100.00',
        due_date: '2020-12-29',
        fine: by('2', '3.00'),
        interest: by('2', '1.00'),
      },
      [
        '2020-12-31',
        {
          original: 10000n,
          deduction: 0n,
          discount: 0n,
          interest: 200n,
          fine: 300n,
          final: 10500n,
        },
      ],
    ],
  'the example of Manual de Padrões 2.10.0, annex III, 4.2.1: 300.00 less until 10 December': [
    {
      original: '1000.00',
      due_date: '2020-12-15',
      discount: { modality: '1', fixedDateDiscount: [{ date: '2020-12-10', amount: '300.00' }] },
    },
    ['2020-12-10', { discount: 30000n, final: 70000n }],
    ['2020-12-11', { discount: 0n, final: 100000n }],
  ],
  'the example of Manual de Padrões 2.10.0, annex III, 4.2.2: 100.00 less for each day before 10 December':
    [
      { original: '1000.00', due_date: '2020-12-10', discount: by('3', '100.00') },
      ['2020-12-07', { discount: 30000n, final: 70000n }],
      ['2020-12-10', { discount: 0n, final: 100000n }],
    ],
  'the rate of interest, truncated to six places: 1.00 % a month of 13 days is 0.004333': [
    { original: '1000000.00', due_date: '2020-12-29', interest: by('3', '1.00') },
    [late, { interest: 433300n }],
  ],
  'a deduction, subtracted before percentages apply': [
    {
      original: '200.00',
      due_date: '2020-12-29',
      deduction: by('1', '100.00'),
      discount: { modality: '2', fixedDateDiscount: [{ date: '2020-12-28', amount: '10.00' }] },
      fine: by('2', '10.00'),
      interest: by('2', '1.00'),
    },
    ['2020-12-28', { discount: 1000n, final: 9000n }],
    ['2020-12-30', { interest: 100n, fine: 1000n, final: 11100n }],
  ],
  'a discount until the business day after its date, a Sunday': [
    {
      ...due,
      discount: { modality: '1', fixedDateDiscount: [{ date: '2020-12-13', amount: '10.00' }] },
    },
    ['2020-12-14', { discount: 1000n }],
    ['2020-12-15', { discount: 0n }],
  ],
  // The Friday before the due date, a Sunday, is two calendar days early, and no business day
  // early.
  'a discount by calendar days, which count to the original due date': [
    { original: '100.00', due_date: '2020-12-13', discount: by('3', '1.00') },
    ['2020-12-11', { discount: 200n }],
  ],
  'a discount by business days, which count to the original due date': [
    { original: '100.00', due_date: '2020-12-13', discount: by('4', '1.00') },
    ['2020-12-11', { discount: 0n }],
  ],
  'a due date on a holiday, which moves: Monday is not late, and Tuesday is one day late': [
    {
      original: '100.00',
      due_date: '2020-12-25',
      fine: by('1', '2.00'),
      interest: by('1', '1.00'),
    },
    ['2020-12-28', { fine: 0n, interest: 0n }],
    ['2020-12-29', { fine: 200n, interest: 100n }],
  ],
  'a deduction that ends at zero': [
    { ...due, deduction: by('1', '200.00'), fine: by('1', '3.00'), interest: by('2', '1.00') },
    [late, { deduction: 12345n, interest: 0n, fine: 300n, final: 300n }],
  ],
  'a discount that ends at zero': [
    { ...due, deduction: by('2', '50.00'), discount: by('3', '20.00') },
    [early, { deduction: 6172n, discount: 6173n, final: 0n }],
  ],
  'absent fields, which count as zero': [
    { due_date: '2020-12-25', discount: {}, fine: {}, interest: {}, deduction: {} },
    [
      '2020-12-31',
      { original: 0n, deduction: 0n, discount: 0n, interest: 0n, fine: 0n, final: 0n },
    ],
  ],
  'an absent modality': [
    { original: '9.00', due_date: '2020-12-25', deduction: { amount: '1.00' } },
    [late, { final: 900n }],
  ],
}

test.each(Object.entries(CASES))('%s', (_, [charge, ...days]) => {
  for (const [day, amounts] of days) expect(amountsOn(charge, day)).toMatchObject(amounts)
})

test.each(['1', '2'] as const)(
  'discounts of modality %s apply by dates in any order',
  (modality) => {
    const fixedDateDiscount = [
      { date: '2020-12-22', amount: '5.00' },
      { date: '2020-12-14', amount: '10.00' },
      { date: '2020-12-29', amount: '2.00' },
    ]
    const given: Charge = { ...due, discount: { modality, fixedDateDiscount } }
    const days = ['2020-12-14', '2020-12-15', '2020-12-23', '2020-12-30']
    const discounts = days.map((day) => amountsOn(given, day).discount)
    expect(discounts).toEqual(modality === '1' ? [1000n, 500n, 200n, 0n] : [1234n, 617n, 246n, 0n])
  },
)

test('an invalid amount is refused', () => {
  expect(() => amountsOn({ ...due, original: '1,00' }, late)).toThrow(TypeError)
})
