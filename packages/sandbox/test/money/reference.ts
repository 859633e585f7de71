import fc from 'fast-check'
import { expect, test } from 'vitest'
import { formatCentavos } from '../../src/money/centavos.ts'
import { type AmountsDue, amountsOn, type Charge } from '../../src/money/charge.ts'
import { addDays, isBusinessDay, nextBusinessDay } from '../../src/money/days.ts'

// The formulas of annex III, section 4, again, in plain fractions and with days counted one by one. Slow, and
// independent of src except for the definition of a business day.

/** Any charge, on any day, equals the calculation in fractions. */
export function testAnyCharge(numRuns: number): void {
  test('equals the calculation in fractions', () => {
    fc.assert(
      fc.property(charge, offset, (given, days) => {
        const day = addDays(given.due_date, days)
        expect(amountsOn(given, day)).toEqual(referenceAmounts(given, day))
      }),
      { numRuns },
    )
  })
}

type Fraction = readonly [numerator: bigint, denominator: bigint]

const NOTHING: Fraction = [0n, 1n]

function referenceAmounts(charge: Charge, day: string): AmountsDue {
  const original = fraction(charge.original)
  const deduction = least(original, truncated(deductionOf(charge, original), 2))
  const base = less(original, deduction)
  const discount = least(base, truncated(discountOf(charge, base, day), 2))
  const interest = truncated(interestOf(charge, base, day), 2)
  const fine = truncated(fineOf(charge, base, day), 2)
  const final = less(plus(plus(base, interest), fine), discount)
  const parts = { original, deduction, discount, interest, fine, final }
  return Object.fromEntries(
    Object.entries(parts).map(([name, [n, d]]) => [name, (n * 100n) / d]),
  ) as AmountsDue
}

function deductionOf({ deduction }: Charge, original: Fraction): Fraction {
  if (!deduction) return NOTHING
  return deduction.modality === '1' ? fraction(deduction.amount) : percent(original, deduction.amount)
}

function fineOf({ fine, due_date }: Charge, base: Fraction, day: string): Fraction {
  if (!fine || day <= nextBusinessDay(due_date)) return NOTHING
  return fine.modality === '1' ? fraction(fine.amount) : percent(base, fine.amount)
}

function discountOf({ discount, due_date }: Charge, base: Fraction, day: string): Fraction {
  if (!discount) return NOTHING
  const { amount, modality = '', fixedDateDiscount = [] } = discount
  if (modality === '1' || modality === '2') {
    const dates = fixedDateDiscount.map(({ date = '' }) => date).toSorted()
    const date = dates.find((one) => nextBusinessDay(one) >= day)
    const first = fixedDateDiscount.find((one) => one.date === date)
    return modality === '1' ? fraction(first?.amount) : percent(base, first?.amount)
  }
  const early = walk(day, due_date, '46'.includes(modality))
  return times('34'.includes(modality) ? fraction(amount) : percent(base, amount), early)
}

function interestOf({ interest, due_date }: Charge, base: Fraction, day: string): Fraction {
  if (!interest) return NOTHING
  const { amount, modality = '' } = interest
  const late = walk(nextBusinessDay(due_date), day, '5678'.includes(modality))
  if ('15'.includes(modality)) return times(fraction(amount), late)
  const [n, d] = percent([1n, 1n], amount)
  const periods = { 2: 1n, 3: 30n, 4: 360n, 6: 1n, 7: 21n, 8: 252n }
  const period = Object.entries(periods).find(([name]) => name === modality)?.[1] ?? 0n
  const [rate, one] = truncated(times([n, d * period], late), 6)
  return [base[0] * rate, base[1] * one]
}

function walk(from: string, to: string, business: boolean): bigint {
  let count = 0n
  for (let date = new Date(from); date < new Date(to); ) {
    date = new Date(date.getTime() + 86_400_000)
    if (!business || isBusinessDay(date.toISOString().slice(0, 10))) count += 1n
  }
  return count
}

function fraction(amount = '0.00'): Fraction {
  return [BigInt(amount.replace('.', '')), 100n]
}

function percent([n, d]: Fraction, amount: string | undefined): Fraction {
  const [rate, one] = fraction(amount)
  return [n * rate, d * one * 100n]
}

function times([n, d]: Fraction, count: bigint): Fraction {
  return [n * count, d]
}

function plus([n, d]: Fraction, [m, e]: Fraction): Fraction {
  return [n * e + m * d, d * e]
}

function less(a: Fraction, [n, d]: Fraction): Fraction {
  return plus(a, [-n, d])
}

function least(a: Fraction, b: Fraction): Fraction {
  return a[0] * b[1] < b[0] * a[1] ? a : b
}

function truncated([n, d]: Fraction, places: number): Fraction {
  const unit = 10n ** BigInt(places)
  return [(n * unit) / d, unit]
}

const amount = (max: bigint) => fc.bigInt({ min: 0n, max }).map(formatCentavos)
const small = amount(150_00n)
const day = fc.integer({ min: 0, max: 3000 }).map((count) => addDays('2020-01-01', count))
const early = fc.integer({ min: 0, max: 60 })
const two = fc.constantFrom('1' as const, '2' as const)
const perDay = fc.constantFrom('3' as const, '4' as const, '5' as const, '6' as const)
const eight = fc.constantFrom(...(['1', '2', '3', '4', '5', '6', '7', '8'] as const))

const anyDiscount = (due: string) =>
  fc.oneof(
    fc.record({ modality: perDay, amount: small }),
    fc.record({
      modality: two,
      fixedDateDiscount: fc.uniqueArray(
        fc.record({ amount: small, date: early.map((count) => addDays(due, -count)) }),
        { selector: ({ date }) => date, minLength: 1, maxLength: 3 },
      ),
    }),
  )

/** A charge with any modality, around amounts that its reductions sometimes exceed. */
export const charge: fc.Arbitrary<Charge> = day.chain((due_date) =>
  fc.record(
    {
      original: fc.oneof(small, amount(9_999_999_999_99n)),
      due_date: fc.constant(due_date),
      deduction: fc.record({ modality: two, amount: small }),
      discount: anyDiscount(due_date),
      fine: fc.record({ modality: two, amount: small }),
      interest: fc.record({ modality: eight, amount: small }),
    },
    { requiredKeys: ['original', 'due_date'] },
  ),
)

/** Days from the due date to the payment. */
export const offset = fc.integer({ min: -90, max: 90 })
