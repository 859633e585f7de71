import type { BaselinedFinding, Finding, InconclusiveReason, Result, RuleResult } from '../engine/result.ts'
import { number } from './text.ts'

/** A rule, what was found by it, and how it may be shown. */
export interface Judgement {
  readonly rule: RuleResult
  readonly findings: readonly Finding[]
  readonly baselined: readonly BaselinedFinding[]
  readonly status: RuleResult['status']
  /** Why it was not assessed; undefined otherwise. */
  readonly reason: string | undefined
}

/** Each rule of a run, in its order, with its findings. A finding of a rule that is not listed brings the rule with it. */
export function judgedRules(result: Result): Judgement[] {
  const known = new Set(result.rules.map(({ rule }) => rule))
  const named = new Set([...result.findings, ...result.baselined].map(({ rule }) => rule))
  const missing = [...named].filter((rule) => !known.has(rule))
  const findings = Map.groupBy(result.findings, ({ rule }) => rule)
  const baselined = Map.groupBy(result.baselined, ({ rule }) => rule)
  return [...result.rules, ...missing.map(unlisted)].map((rule) => ({
    rule,
    findings: findings.get(rule.rule) ?? [],
    baselined: baselined.get(rule.rule) ?? [],
    status: rule.status,
    reason: rule.reason,
  }))
}

/** For what the cases of a rule were masked: `createTransfer 310 (422 insufficient_funds)`. Empty where it is not known. */
export function maskingsOf({ inconclusiveBy = [] }: RuleResult): string {
  return inconclusiveBy.map(maskingOf).join(', ')
}

function maskingOf({ operation = 'no operation', status, code, count }: InconclusiveReason): string {
  const refusal = status === undefined ? 'not sent' : [status, code].filter(Boolean).join(' ')
  return `${operation} ${number(count)} (${refusal})`
}

function unlisted(rule: string): RuleResult {
  return {
    rule,
    title: rule,
    phase: 'other',
    question: undefined,
    status: 'failed',
    reason: undefined,
    cases: 0,
    inconclusive: 0,
    ms: 0,
  }
}
