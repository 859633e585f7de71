/** The day in Brazil, some days from that on which charges are made: 2026-11-21. */
export type Day = (days: number) => string

/** A charge, and what it comes to on the day it is made. */
export interface ChargeRow {
  readonly words: string
  readonly amount: Readonly<Record<string, unknown>>
  readonly final: string
  /** Days until it is due. */
  readonly due?: number
}

/** Days until a charge is due. A discount by the day is given for each of them. */
export const DUE = 10

/** Charges whose amount is the same on every day until they are due. */
function plain(): ChargeRow[] {
  const [original, odd] = ['100.00', '123.45']
  const fine = { amount: '2.00', modality: '2' }
  const interest = { amount: '1.00', modality: '3' }
  return [
    { words: 'no adjustment', amount: { original }, final: '100.00' },
    {
      words: 'a fixed deduction',
      amount: { original, deduction: { amount: '10.00', modality: '1' } },
      final: '90.00',
    },
    {
      words: 'a deduction of percent',
      amount: { original: odd, deduction: { amount: '10.00', modality: '2' } },
      final: '111.11',
    },
    // Half a centavo and more, which rounding would make a whole one.
    {
      words: 'a deduction of percent that ends in a fraction',
      amount: { original: '123.49', deduction: { amount: '10.00', modality: '2' } },
      final: '111.15',
    },
    { words: 'a fine that is not due', amount: { original, fine, interest }, final: '100.00' },
  ]
}

/** Charges on their due date, on which nothing is late yet, and a discount still holds that ends then. */
function dueToday(day: Day): ChargeRow[] {
  const original = '100.00'
  const [fine, interest] = [
    { amount: '2.00', modality: '1' },
    { amount: '1.00', modality: '1' },
  ]
  const discount = { modality: '1', fixedDateDiscount: [{ amount: '5.00', date: day(0) }] }
  return [
    { words: 'a fine from tomorrow on', amount: { original, fine }, final: original, due: 0 },
    { words: 'interest from tomorrow on', amount: { original, interest }, final: original, due: 0 },
    { words: 'a discount until today', amount: { original, discount }, final: '95.00', due: 0 },
  ]
}

/** Discounts on a day, of a charge that is due some days later. Those by business days only a calendar knows. */
function discounts(day: Day): ChargeRow[] {
  const original = '100.00'
  const until = (amount: string, days: number) => ({ amount, date: day(days) })
  const dated = (modality: string, ...fixedDateDiscount: ReturnType<typeof until>[]) => ({
    modality,
    fixedDateDiscount,
  })
  const [value, percent] = [
    { amount: '1.00', modality: '3' },
    { amount: '1.00', modality: '5' },
  ]
  const deduction = { amount: '10.00', modality: '1' }
  return [
    {
      words: 'a discount until a date',
      amount: { original, discount: dated('1', until('5.00', DUE)) },
      final: '95.00',
    },
    {
      words: 'a discount of percent until a date',
      amount: { original: '123.45', discount: dated('2', until('10.00', DUE)) },
      final: '111.11',
    },
    {
      words: 'a discount of percent after a deduction',
      amount: { original, deduction, discount: dated('2', until('10.00', DUE)) },
      final: '81.00',
    },
    {
      words: 'discounts until two dates',
      amount: { original, discount: dated('1', until('5.00', DUE), until('20.00', 3)) },
      final: '80.00',
    },
    {
      words: 'a discount whose date has passed',
      amount: { original, discount: dated('1', until('20.00', -DUE), until('5.00', DUE)) },
      final: '95.00',
    },
    { words: 'a discount for each day', amount: { original, discount: value }, final: '90.00' },
    {
      words: 'a discount of percent for each day',
      amount: { original: '123.45', discount: percent },
      final: '111.11',
    },
  ]
}

/** Charges that are made on a day, and what each of them asks for on it, by the day of its making. */
export function chargeRows(day: Day): ChargeRow[] {
  return [...plain(), ...dueToday(day), ...discounts(day)]
}
