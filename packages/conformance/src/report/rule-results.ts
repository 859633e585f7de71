import type { BaselinedFinding, Finding, Result, RuleResult } from '../engine/result.ts'
import { count, number } from './format-text.ts'

export interface JudgedRule extends RuleResult {
  readonly findings: readonly Finding[]
  readonly baselined: readonly BaselinedFinding[]
}

/** All rules in order, with their findings. A finding of an unlisted rule adds that rule. */
export function judgedRules(result: Result): JudgedRule[] {
  const findings = Map.groupBy(result.findings, ({ rule }) => rule)
  const baselined = Map.groupBy(result.baselined, ({ rule }) => rule)
  const listed = new Map(result.rules.map((it) => [it.rule, it]))
  const ids = new Set([...listed.keys(), ...findings.keys(), ...baselined.keys()])
  return [...ids].map((id) => ({
    ...(listed.get(id) ?? unlisted(id)),
    findings: findings.get(id) ?? [],
    baselined: baselined.get(id) ?? [],
  }))
}

export interface PhaseSummary {
  readonly phase: string
  readonly rules: readonly JudgedRule[]
}

export function phasesOf(result: Result): PhaseSummary[] {
  const phases = Map.groupBy(judgedRules(result), ({ phase }) => phase)
  return [...phases].map(([phase, rules]) => ({ phase, rules }))
}

/** `2 of 10 cases inconclusive: createTransfer 2 (422 insufficient_funds)`; undefined if all cases were judged. */
export function inconclusiveOf({ cases, inconclusive, inconclusiveBy = [] }: RuleResult): string | undefined {
  if (inconclusive === 0) return undefined
  const reasons = inconclusiveBy.map((it) => {
    const refusal = it.status === undefined ? 'not sent' : [it.status, it.code].filter(Boolean).join(' ')
    return `${it.operation ?? 'no operation'} ${number(it.count)} (${refusal})`
  })
  const total = `${number(inconclusive)} of ${count(cases, 'case')} inconclusive`
  return [total, ...(reasons.length > 0 ? [reasons.join(', ')] : [])].join(': ')
}

function unlisted(rule: string): RuleResult {
  return {
    ...{ rule, title: rule, phase: 'other', question: undefined, status: 'failed', reason: undefined },
    ...{ cases: 0, inconclusive: 0, ms: 0 },
  }
}
