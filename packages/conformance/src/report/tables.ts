import { percent, type Share } from './coverage.ts'
import type { Coverage, Result, RuleResult, Verdict } from './result.ts'
import { number } from './text.ts'

/** A column of a table, for all formats. */
export interface Column<Row> {
  readonly title: string
  readonly text: (row: Row) => string
  /** Smaller text below the cell, in formats with enough space. */
  readonly note?: (row: Row) => string | undefined
  /** How a format may show the cell. `bar` is a percentage. */
  readonly as?: 'code' | 'number' | 'result' | 'bar'
}

/** The rules of one subject. */
export interface Subject {
  readonly subject: string
  readonly rules: readonly RuleResult[]
  readonly findings: number
}

export function subjectsOf({ rules, findings }: Result): Subject[] {
  return [...Map.groupBy(rules, ({ subject }) => subject)].map(([subject, all]) => ({
    subject,
    rules: all,
    findings: findings.filter(({ rule }) => all.some((it) => it.rule === rule)).length,
  }))
}

export const RULE_COLUMNS: readonly Column<RuleResult>[] = [
  { title: 'Rule', text: ({ rule }) => rule, note: ({ says }) => says, as: 'code' },
  { title: 'Result', text: ({ status }) => status.replace('-', ' '), as: 'result' },
  { title: 'Cases', text: ({ cases }) => number(cases), as: 'number' },
]

export const VERDICT_COLUMNS: readonly Column<Verdict>[] = [
  { title: 'Question', text: ({ question }) => question, note: ({ text }) => text, as: 'code' },
  { title: 'Verdict', text: ({ verdict }) => verdict.replace('-', ' '), as: 'result' },
  {
    title: 'Assumption',
    text: ({ assumption, basis }) => `${assumption} (${basis})`,
    note: ({ seen }) => seen && `Observed: ${seen}`,
  },
  { title: 'Cases', text: ({ exercised }) => number(exercised), as: 'number' },
]

export const SHARE_COLUMNS: readonly Column<Share>[] = [
  { title: 'What', text: ({ name }) => name },
  { title: 'Observed', text: ({ seen, all }) => `${number(seen)} of ${number(all)}`, as: 'number' },
  { title: 'Percent', text: (it) => String(percent(it) ?? ''), as: 'bar' },
]

export const OPERATION_COLUMNS: readonly Column<Coverage['operations'][number]>[] = [
  { title: 'Operation', text: ({ operation }) => operation, as: 'code' },
  { title: 'Requests', text: ({ requests }) => number(requests), as: 'number' },
  { title: 'Successes', text: ({ successes }) => number(successes), as: 'number' },
]

const rulesThat = (title: string, status: RuleResult['status']): Column<Subject> => ({
  title,
  text: ({ rules }) => number(rules.filter((it) => it.status === status).length),
  as: 'number',
})

export const SUBJECT_COLUMNS: readonly Column<Subject>[] = [
  { title: 'Rules by subject', text: ({ subject }) => subject },
  rulesThat('passed', 'passed'),
  rulesThat('failed', 'failed'),
  rulesThat('inconclusive', 'inconclusive'),
  rulesThat('not assessed', 'not-assessed'),
  { title: 'cases', text: ({ rules }) => number(rules.reduce((sum, it) => sum + it.cases, 0)), as: 'number' },
  { title: 'findings', text: ({ findings }) => number(findings), as: 'number' },
]
