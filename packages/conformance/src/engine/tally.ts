import { countReason, refusalReason } from './inconclusive.ts'
import type { InconclusiveReason } from './result.ts'

export interface Tally {
  cases: number
  inconclusive: number
  inconclusiveBy: readonly InconclusiveReason[]
  /** Reasons of inconclusive cases, with their number. */
  readonly reasons: Map<string, number>
  /** Why cases were left to another rule, or not sent. */
  skipped: string | undefined
}

export const VALID_REQUEST_REFUSED = 'the valid request was refused too'

export function createTally(): Tally {
  return { cases: 0, inconclusive: 0, inconclusiveBy: [], reasons: new Map(), skipped: undefined }
}

export function countInconclusive(tally: Tally, reason: string): void {
  tally.inconclusive++
  tally.inconclusiveBy = countReason(tally.inconclusiveBy, refusalReason())
  tally.reasons.set(reason, (tally.reasons.get(reason) ?? 0) + 1)
}

/** Why the rule had nothing to judge. */
export function nothingJudged({ inconclusive, reasons, skipped }: Tally): string {
  if (inconclusive === 0) return skipped ?? 'none of its cases could be tried'
  const sorted = [...reasons].sort(([, a], [, b]) => b - a).map(([reason]) => reason)
  return `every case was inconclusive: ${sorted.join('; ')}`
}
