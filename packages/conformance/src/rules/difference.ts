import { kindOf } from '@partner-payments/contract'
import { centavosOf } from '../model/amounts.ts'
import { hasSameLetters } from '../model/letters.ts'

/**
 * Says in a word how a shown value differs from the expected one: `missing`, `letters` (`ana` for `Ana`), `cut`, or
 * `scale` (0.10 for 10.00). It is part of the id of a finding, so that a baseline which accepts another rounding
 * accepts no amount that is a hundred times too small.
 */
export function classifyDifference(expected: unknown, shown: unknown): string {
  if (shown === undefined) return 'missing'
  if (shown === null) return 'null'
  // Such as `integer`, where a string was expected.
  if (typeof shown !== typeof expected) return kindOf(shown)
  if (typeof shown !== 'string' || typeof expected !== 'string') return 'value'

  const expectedAmount = centavosOf(expected)
  const shownAmount = centavosOf(shown)
  if (expectedAmount !== undefined && shownAmount !== undefined)
    return classifyAmountDifference(expectedAmount, shownAmount)

  return classifyTextDifference(expected, shown)
}

/**
 * Says in a word how two amounts in centavos differ: of 1000 expected, -1000 is another `sign`, 1001 is `rounding`, 10
 * is another `scale`, and 900 another `amount`.
 */
export function classifyAmountDifference(expected: bigint, shown: bigint): string {
  if (shown === -expected) return 'sign'

  const difference = shown > expected ? shown - expected : expected - shown
  if (difference === 1n) return 'rounding'

  const isScaled = SCALES.some((scale) => shown * scale === expected || expected * scale === shown)
  return isScaled ? 'scale' : 'amount'
}

/** A percentage may be taken for a fraction, or reais for centavos. */
const SCALES = [10n, 100n, 1_000n, 10_000n]

/** Says in a word how two texts differ: `empty`, `letters`, `cut` or `text`. */
function classifyTextDifference(expected: string, shown: string): string {
  if (shown === '') return 'empty'
  if (hasSameLetters(expected, shown)) return 'letters'
  return expected.startsWith(shown) ? 'cut' : 'text'
}
