import { inconclusiveReasonNow, withInconclusive } from './inconclusive.ts'
import type { InconclusiveReason } from './result.ts'

/** Cases of a rule. */
export interface Tally {
  cases: number
  inconclusive: number
  /** What was answered where cases were masked. */
  inconclusiveBy: readonly InconclusiveReason[]
  /** Why cases were masked, and how many for each reason. */
  readonly because: Map<string, number>
  /** Why cases were passed over: they are another rule's business, or must not be sent. */
  skipped: string | undefined
}

/** Why a case is masked of which nothing else is said. */
export const REFUSED = 'its accepted twin was refused too'

export function createTally(): Tally {
  return { cases: 0, inconclusive: 0, inconclusiveBy: [], because: new Map(), skipped: undefined }
}

/** Counts a case that cannot be judged. */
export function mask(tally: Tally, reason: string): void {
  tally.inconclusive++
  tally.inconclusiveBy = withInconclusive(tally.inconclusiveBy, inconclusiveReasonNow())
  tally.because.set(reason, (tally.because.get(reason) ?? 0) + 1)
}

/** Why a rule had nothing to judge. */
export function whyNothing({ inconclusive, because, skipped }: Tally): string {
  if (inconclusive === 0) return skipped ?? 'no case of it could be tried'
  const reasons = [...because].sort(([, a], [, b]) => b - a).map(([reason]) => reason)
  return `every case was masked: ${reasons.join('; ')}`
}
