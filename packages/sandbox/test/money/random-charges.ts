import { expect, test } from 'vitest'
import { type AmountsDue, type Charge, computeAmounts } from '../../src/money/charge.ts'
import { lastPayableDay, nextBusinessDay } from '../../src/money/days.ts'
import { findChargeErrors } from '../../src/money/rules.ts'
import * as calculator from '../calculator.ts'

/**
 * Random charges must have the amounts of a calculator by somebody who has not read this package.
 * The seed is fixed, so a failure can be repeated.
 */
export function testRandomCharges(count: number): void {
  const random = randomFrom(20_261_129)
  const charges = Array.from({ length: count }, () => calculator.randomCharge(random))

  // A charge that reaches nothing is refused, so what the two say of its amount does not matter.
  const possible = charges.filter(({ reachesWhole }) => !reachesWhole)
  const [late, ordinary] = partition(possible, isAfterMovedDueDate)

  test(`${ordinary.length} random charges have the amounts of the calculator`, () => {
    expect(ordinary.length).toBeGreaterThan(count / 2)
    expect(differencesIn(ordinary)).toEqual([])
  })

  // The texts contradict each other about these days, which are the open question `late-days`.
  test(`${late.length} random charges after a due date that moved differ only where the texts disagree`, () => {
    expect(late.length).toBeGreaterThan(0)
    const undisputed = late.filter(({ fineDisputed }) => !fineDisputed)
    expect(differencesIn(undisputed)).toEqual([])
  })

  test('a charge with an amount due can be created on each day until it is due, and no other', () => {
    const early = charges.filter(({ charge, on }) => on <= charge.due_date)
    expect(early.some(({ reachesWhole }) => reachesWhole)).toBe(true)
    expect(early.filter(isJudgedWrongly)).toEqual([])
  })

  test('each charge is payable on its day', () => {
    const over = charges.filter(
      ({ charge, on, expiration_days }) => on > lastPayableDay(charge.due_date, expiration_days),
    )
    expect(over).toEqual([])
  })
}

type RandomCharge = calculator.RandomCharge

/** Whether the payment comes after a due date that was no business day. */
function isAfterMovedDueDate({ charge, on, fineDisputed }: RandomCharge): boolean {
  const hasMoved = nextBusinessDay(charge.due_date) !== charge.due_date
  return fineDisputed === true || (hasMoved && on > charge.due_date)
}

function partition<T>(items: readonly T[], isFirst: (item: T) => boolean): [T[], T[]] {
  const first = items.filter(isFirst)
  const second = items.filter((item) => !isFirst(item))
  return [first, second]
}

/** The charges of which an amount differs, each with the amounts of both. */
function differencesIn(charges: readonly RandomCharge[]) {
  return charges.flatMap(({ charge, on }) => {
    const ours = withoutOriginal(computeAmounts(charge as Charge, on))
    const theirs = calculator.amountsDue(charge, on)
    const isSame = PARTS.every((part) => ours[part] === theirs[part])
    return isSame ? [] : [{ charge, on, ours, theirs }]
  })
}

const PARTS = ['deduction', 'discount', 'interest', 'fine', 'final'] as const

function withoutOriginal({ original: _, ...amounts }: AmountsDue): Omit<AmountsDue, 'original'> {
  return amounts
}

/** Whether the rules of the creation accept what leaves nothing to pay that day, or the contrary. */
function isJudgedWrongly({ charge, on, reachesWhole }: RandomCharge): boolean {
  const { due_date, ...amount } = charge
  const request = {
    dict_key: 'loja@example.com',
    tx_id: 'PEDIDO1002PEDIDO1002PEDIDO1002',
    payer: { name: 'Fulano de Tal', tax_id: '12345678909' },
    amount,
    calendar: { due_date },
  }
  const errors = findChargeErrors(request as Parameters<typeof findChargeErrors>[0], on)
  const isRefused = errors.length > 0
  const hasNothingDue = reachesWhole === true
  // A discount by dates is refused for any of its dates, of which that day is one.
  const hasDates = charge.discount?.fixedDateDiscount !== undefined
  return hasDates ? hasNothingDue && !isRefused : isRefused !== hasNothingDue
}

/** Numbers from 0 up to 1, the same for the same seed (Mulberry32). */
function randomFrom(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
}
