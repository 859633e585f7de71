import { maskingNow, withMasking } from './inconclusive.ts'
import type { Masking } from './result.ts'

/** Cases of a law. */
export interface Tally {
  cases: number
  masked: number
  /** What was answered where cases were masked. */
  maskedBy: readonly Masking[]
  /** Why cases were masked, and how many for each reason. */
  readonly because: Map<string, number>
  /** Why cases were passed over: they are another law's business, or must not be sent. */
  passedOver: string | undefined
}

/** Why a case is masked of which nothing else is said. */
export const REFUSED = 'its accepted twin was refused too'

export function createTally(): Tally {
  return { cases: 0, masked: 0, maskedBy: [], because: new Map(), passedOver: undefined }
}

/** Counts a case that cannot be judged. */
export function mask(tally: Tally, reason: string): void {
  tally.masked++
  tally.maskedBy = withMasking(tally.maskedBy, maskingNow())
  tally.because.set(reason, (tally.because.get(reason) ?? 0) + 1)
}

/** Why a law had nothing to judge. */
export function whyNothing({ masked, because, passedOver }: Tally): string {
  if (masked === 0) return passedOver ?? 'no case of it could be tried'
  const reasons = [...because].sort(([, a], [, b]) => b - a).map(([reason]) => reason)
  return `every case was masked: ${reasons.join('; ')}`
}
