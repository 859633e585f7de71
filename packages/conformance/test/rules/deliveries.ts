import { expect } from 'vitest'
import { type Change, resultOf } from './over-http.ts'

export const RULES = [
  'deliveries-sent',
  'deliveries-signed',
  'deliveries-subscription',
  'deliveries-retried',
  'deliveries-secrets',
]

/** The status of each rule, and the open questions of its deviations. */
export async function seen(
  rules: readonly string[],
  change?: Change,
  options?: { deliveryWithinMs: number },
) {
  const result = await resultOf(rules, change, options)
  const statuses = result.rules.filter(({ rule }) => rules.includes(rule)).map(({ status }) => status)
  return { statuses: new Set(statuses), findings: result.findings }
}

/** Expects that a rule reports a mutant, as a difference from the assumption of an open question. */
export async function expectDeviation(rule: string, mutant: string, question: string): Promise<void> {
  const { findings } = await seen([rule], mutant)
  expect(findings.map((it) => it.rule)).toContain(rule)
  expect(findings.map((it) => it.question)).toContain(question)
}

/** Expects that a service departs from these questions only, and fails no fact. */
export async function expectOnly(change: Change, questions: readonly (string | undefined)[]): Promise<void> {
  const { findings } = await seen(RULES.slice(0, 3), change)
  expect([...new Set(findings.map((it) => it.question))]).toEqual(questions)
  expect(findings.filter(({ kind }) => kind === 'failure')).toEqual([])
}
