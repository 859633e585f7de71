import type { BaselinedFinding, Finding, LawResult, Masking, Result } from '../engine/result.ts'
import { number } from './text.ts'

/** A law, what was found by it, and how it may be shown. */
export interface Judged {
  readonly law: LawResult
  readonly findings: readonly Finding[]
  readonly baselined: readonly BaselinedFinding[]
  readonly status: LawResult['status']
  /** Why it was not assessed; undefined otherwise. */
  readonly reason: string | undefined
}

/** Each law of a run, in its order, with its findings. A finding of a law that is not listed brings the law with it. */
export function judgedLaws(result: Result): Judged[] {
  const known = new Set(result.laws.map(({ law }) => law))
  const named = new Set([...result.findings, ...result.baselined].map(({ law }) => law))
  const missing = [...named].filter((law) => !known.has(law))
  const findings = Map.groupBy(result.findings, ({ law }) => law)
  const baselined = Map.groupBy(result.baselined, ({ law }) => law)
  return [...result.laws, ...missing.map(unlisted)].map((law) => ({
    law,
    findings: findings.get(law.law) ?? [],
    baselined: baselined.get(law.law) ?? [],
    status: law.status,
    reason: law.reason,
  }))
}

/** For what the cases of a law were masked: `createTransfer 310 (422 insufficient_funds)`. Empty where it is not known. */
export function maskingsOf({ maskedBy = [] }: LawResult): string {
  return maskedBy.map(maskingOf).join(', ')
}

function maskingOf({ operation = 'no operation', status, code, count }: Masking): string {
  const refusal = status === undefined ? 'not sent' : [status, code].filter(Boolean).join(' ')
  return `${operation} ${number(count)} (${refusal})`
}

function unlisted(law: string): LawResult {
  return {
    law,
    title: law,
    phase: 'other',
    question: undefined,
    status: 'broken',
    reason: undefined,
    cases: 0,
    masked: 0,
    ms: 0,
  }
}
