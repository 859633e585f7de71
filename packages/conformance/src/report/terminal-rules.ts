import type { Result } from '../engine/result.ts'
import { type Judgement, judgedRules, maskingsOf } from './rule-results.ts'
import { list, type Row, type Terminal } from './terminal-parts.ts'
import { count, number } from './text.ts'

/** The rules that are broken, those that were not assessed, and those of which cases are masked. */
export function rulesPart(result: Result, terminal: Terminal): string {
  const judged = judgedRules(result)
  const lists = [
    list('Rules broken', judged.filter(({ status }) => status === 'failed').map(titleRow), terminal),
    list('Not assessed', terminal.verbose ? judged.flatMap(reasonRow) : reasonRows(judged), terminal),
    list(
      'Masked',
      judged.filter(({ rule }) => rule.inconclusive > 0).map((it) => maskedRow(it, terminal)),
      terminal,
    ),
  ]
  return lists.filter(Boolean).join('\n\n')
}

function titleRow({ rule }: Judgement): Row {
  return [rule.rule, rule.title]
}

function reasonRow({ rule, reason }: Judgement): Row[] {
  return reason === undefined ? [] : [[rule.rule, reason]]
}

/** One row for rules of one reason: of several, how many. */
function reasonRows(judged: readonly Judgement[]): Row[] {
  const reasons = Map.groupBy(
    judged.filter(({ reason }) => reason !== undefined),
    ({ reason }) => reason ?? '',
  )
  return [...reasons].map(([reason, all]) =>
    all.length === 1 && all[0] ? [all[0].rule.rule, reason] : [count(all.length, 'rule'), reason],
  )
}

function maskedRow({ rule }: Judgement, { verbose }: Terminal): Row {
  const by = verbose ? maskingsOf(rule) : ''
  return [rule.rule, `${number(rule.inconclusive)} of ${count(rule.cases, 'case')}${by && `: ${by}`}`]
}
