import type { Result } from '../engine/result.ts'
import { type Judged, judgedLaws, maskingsOf } from './laws.ts'
import { list, type Row, type Terminal } from './terminal-parts.ts'
import { count, number } from './text.ts'

/** The laws that are broken, those that were not assessed, and those of which cases are masked. */
export function lawsPart(result: Result, terminal: Terminal): string {
  const judged = judgedLaws(result)
  const lists = [
    list('Laws broken', judged.filter(({ status }) => status === 'broken').map(titleRow), terminal),
    list('Not assessed', terminal.verbose ? judged.flatMap(reasonRow) : reasonRows(judged), terminal),
    list(
      'Masked',
      judged.filter(({ law }) => law.masked > 0).map((it) => maskedRow(it, terminal)),
      terminal,
    ),
  ]
  return lists.filter(Boolean).join('\n\n')
}

function titleRow({ law }: Judged): Row {
  return [law.law, law.title]
}

function reasonRow({ law, reason }: Judged): Row[] {
  return reason === undefined ? [] : [[law.law, reason]]
}

/** One row for laws of one reason: of several, how many. */
function reasonRows(judged: readonly Judged[]): Row[] {
  const reasons = Map.groupBy(
    judged.filter(({ reason }) => reason !== undefined),
    ({ reason }) => reason ?? '',
  )
  return [...reasons].map(([reason, all]) =>
    all.length === 1 && all[0] ? [all[0].law.law, reason] : [count(all.length, 'law'), reason],
  )
}

function maskedRow({ law }: Judged, { verbose }: Terminal): Row {
  const by = verbose ? maskingsOf(law) : ''
  return [law.law, `${number(law.masked)} of ${count(law.cases, 'case')}${by && `: ${by}`}`]
}
