import { DUE_IN_DAYS } from '../bodies.ts'
import type { PlanContext } from '../plan.ts'
import { type Edit, editOfFields } from './try-edits.ts'

/**
 * Edits of the due date, and of the adjustments that depend on it, of a new due-date charge. What the modalities
 * of adjustments mean:
 *
 * | adjustment | amount | percentage |
 * |---|---|---|
 * | deduction | 1 | 2 |
 * | discount, until a date | 1 | 2 |
 * | discount, for each day before the due date | 3 | 5 |
 * | discount, for each business day before it | 4 | 6 |
 */

/**
 * Edits of a due-date charge that the service must refuse: due dates that are missing or past, and
 * adjustments that leave nothing to pay, or are incomplete.
 */
export function refusedDueDates(clock: PlanContext['clock']): Edit[] {
  return [
    { pointer: '/calendar', value: {} },
    dueOn('2020-01-02'),
    dueOn(clock.day(-1)),
    adjusted('10.00', { deduction: { amount: '10.00', modality: '1' } }),
    // All of the amount as a percentage, which is less than the amount.
    adjusted('200.00', { deduction: { amount: '100.00', modality: '2' } }),
    adjusted('200.00', { discount: { amount: '100.00', modality: '5' } }),
    adjusted('200.00', { discount: { amount: '100.00', modality: '6' } }),
    // A modality without its dates, and dates with a modality that has none.
    adjusted('10.00', { discount: { amount: '1.00', modality: '1' } }),
    adjusted('10.00', {
      discount: {
        modality: '3',
        amount: '1.00',
        fixedDateDiscount: [{ amount: '1.00', date: clock.day(9) }],
      },
    }),
    adjusted('10.00', {
      discount: {
        modality: '1',
        amount: '1.00',
        fixedDateDiscount: [{ amount: '1.00', date: clock.day(9) }],
      },
    }),
    discountUntil(clock.day(DUE_IN_DAYS + 1), '1.00'),
    discountUntil(clock.day(9), '10.00'),
    ...leavingNothing(clock),
  ]
}

/**
 * Edits with discounts that leave nothing to pay, some of them only together with the deduction. The charge is due
 * in 20 days: 1.00 of 10.00 for each day leaves nothing today, when most days are left. A discount until a date
 * leaves nothing on this date.
 */
function leavingNothing(clock: PlanContext['clock']): Edit[] {
  const deduction = { amount: '6.00', modality: '1' }
  const fixedDateDiscount = [
    { amount: '1.00', date: clock.day(4) },
    { amount: '4.00', date: clock.day(9) },
  ]
  return [
    // A value and a percentage for each day, and for each business day.
    adjusted('10.00', { discount: { amount: '1.00', modality: '3' } }),
    adjusted('10.00', { discount: { amount: '2.00', modality: '4' } }),
    adjusted('10.00', { discount: { amount: '10.00', modality: '5' } }),
    adjusted('10.00', { discount: { amount: '20.00', modality: '6' } }),
    adjusted('10.00', { deduction, discount: { amount: '0.40', modality: '3' } }),
    adjusted('10.00', { deduction, discount: { modality: '1', fixedDateDiscount } }),
  ]
}

/** Edits of a due-date charge at the edge of a rule, which the service must just accept. */
export function dueDatesAtEdge(clock: PlanContext['clock']): Edit[] {
  return [
    // A deduction of 99.99 percent, so of 9.99.
    adjusted('10.00', { deduction: { amount: '99.99', modality: '2' } }),
    // A deduction and a discount that leave a centavo.
    adjusted('10.00', {
      deduction: { amount: '6.00', modality: '1' },
      discount: {
        modality: '1',
        fixedDateDiscount: [{ amount: '3.99', date: clock.day(9) }],
      },
    }),
    // A discount until the due date itself, and a charge that is due today.
    discountUntil(clock.day(DUE_IN_DAYS), '1.00'),
    dueOn(clock.day()),
  ]
}

/** The edit to a charge of 10.00 with a due date, and nothing else that depends on dates. */
function dueOn(due_date: string): Edit {
  return editOfFields({ calendar: { due_date }, amount: { original: '10.00' } })
}

/** The edit to an amount with adjustments: `{ discount: { amount: '1.00', modality: '3' } }`. */
function adjusted(original: string, adjustment: object): Edit {
  return { pointer: '/amount', value: { original, ...adjustment } }
}

/** The edit to an amount of 10.00 with a discount until a date. */
function discountUntil(date: string, amount: string): Edit {
  return adjusted('10.00', { discount: { modality: '1', fixedDateDiscount: [{ amount, date }] } })
}
