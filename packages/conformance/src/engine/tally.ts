import { countReason, refusalReason } from './inconclusive.ts'
import type { InconclusiveReason } from './result.ts'

/** Cases of a rule. */
export interface Tally {
  cases: number
  inconclusive: number
  /** What was answered where cases were masked. */
  inconclusiveBy: readonly InconclusiveReason[]
  /** Why cases were masked, and how many for each reason. */
  readonly reasons: Map<string, number>
  /** Why cases were passed over: they are another rule's business, or must not be sent. */
  skipped: string | undefined
}

/** Why a case is masked of which nothing else is said. */
export const VALID_REQUEST_REFUSED = 'its accepted twin was refused too'

export function createTally(): Tally {
  return { cases: 0, inconclusive: 0, inconclusiveBy: [], reasons: new Map(), skipped: undefined }
}

/** Counts a case that cannot be judged. */
export function countInconclusive(tally: Tally, reason: string): void {
  tally.inconclusive++
  tally.inconclusiveBy = countReason(tally.inconclusiveBy, refusalReason())
  tally.reasons.set(reason, (tally.reasons.get(reason) ?? 0) + 1)
}

/** Why a rule had nothing to judge. */
export function nothingJudged({ inconclusive, reasons, skipped }: Tally): string {
  if (inconclusive === 0) return skipped ?? 'no case of it could be tried'
  const sorted = [...reasons].sort(([, a], [, b]) => b - a).map(([reason]) => reason)
  return `every case was inconclusive: ${sorted.join('; ')}`
}
