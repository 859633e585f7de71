import type { Verdict } from '../engine/result.ts'
import { type OperationShare, percent, type Share } from './coverage.ts'
import { duration, number } from './format-text.ts'
import { inconclusiveOf, type JudgedRule, type PhaseSummary } from './rule-results.ts'

/** A column of a table, for all formats. */
export interface Column<Row> {
  readonly title: string
  readonly text: (row: Row) => string
  /** Smaller text below the cell, in formats with enough space. */
  readonly notes?: (row: Row) => readonly (string | undefined)[]
  /** How a format may show the cell. `bar` is a percentage. */
  readonly as?: 'code' | 'number' | 'result' | 'bar'
}

export const RULE_COLUMNS: readonly Column<JudgedRule>[] = [
  { title: 'Rule', text: ({ rule }) => rule, notes: ({ title }) => [title], as: 'code' },
  {
    title: 'Result',
    text: ({ status }) => status.replace('-', ' '),
    notes: (it) => [it.reason, inconclusiveOf(it)],
    as: 'result',
  },
  { title: 'Cases', text: ({ cases }) => number(cases), as: 'number' },
  { title: 'Inconclusive', text: ({ inconclusive }) => number(inconclusive), as: 'number' },
  { title: 'Time', text: ({ ms }) => duration(ms), as: 'number' },
]

export const VERDICT_COLUMNS: readonly Column<Verdict>[] = [
  { title: 'Question', text: ({ question }) => question, notes: ({ text }) => [text], as: 'code' },
  { title: 'Verdict', text: ({ verdict }) => verdict.replace('-', ' '), as: 'result' },
  {
    title: 'Assumption',
    text: ({ assumption, basis }) => `${assumption} (${basis})`,
    notes: ({ seen }) => [seen && `Observed: ${seen}`],
  },
  { title: 'Observations', text: ({ exercised }) => number(exercised), as: 'number' },
]

export const SHARE_COLUMNS: readonly Column<Share>[] = [
  { title: 'What', text: ({ name }) => name },
  { title: 'Observed', text: figureOf, as: 'number' },
  { title: 'Percent', text: (it) => String(percent(it) ?? ''), as: 'bar' },
]

export const OPERATION_COLUMNS: readonly Column<OperationShare>[] = [
  { title: 'Operation', text: ({ operation }) => operation, as: 'code' },
  { title: 'Requests', text: ({ requests }) => number(requests), as: 'number' },
  { title: 'Successes', text: ({ successes }) => number(successes), as: 'number' },
  { title: 'Statuses and media types', text: ({ rows }) => figureOf(rows), as: 'number' },
  { title: 'Percent', text: ({ rows }) => String(percent(rows) ?? ''), as: 'bar' },
]

const sum = (rules: readonly JudgedRule[], of: (rule: JudgedRule) => number) =>
  number(rules.reduce((total, it) => total + of(it), 0))
const rulesThat = (title: string, status: JudgedRule['status']): Column<PhaseSummary> => ({
  title,
  text: ({ rules }) => sum(rules, (it) => Number(it.status === status)),
  as: 'number',
})

export const PHASE_COLUMNS: readonly Column<PhaseSummary>[] = [
  { title: 'Rules by phase', text: ({ phase }) => phase },
  rulesThat('passed', 'passed'),
  rulesThat('failed', 'failed'),
  rulesThat('not assessed', 'not-assessed'),
  {
    title: 'inconclusive cases',
    text: ({ rules }) => sum(rules, (it) => it.inconclusive),
    as: 'number',
  },
  { title: 'findings', text: ({ rules }) => sum(rules, (it) => it.findings.length), as: 'number' },
]

function figureOf({ seen, all }: Share): string {
  return all === 0 ? 'none declared' : `${number(seen)} of ${number(all)}`
}
