import type { Result, Verdict } from '../engine/result.ts'
import { wrap } from './style.ts'
import { heading, type Terminal } from './terminal-parts.ts'
import { number, oneLine } from './text.ts'

/** What was answered to the open questions; of those that were contradicted, what was seen. */
export function verdictsPart({ verdicts }: Result, terminal: Terminal): string {
  if (verdicts.length === 0) return ''
  const of = (verdict: Verdict['verdict']) => verdicts.filter((it) => it.verdict === verdict)
  const contradicted = of('contradicted')
  return [
    heading('Open questions', terminal),
    `Contradicted: ${number(contradicted.length)}`,
    ...contradicted.map((it) => contradictionOf(it, terminal)),
    ...namesOf('Confirmed', of('confirmed'), terminal),
    // Of a part of the rules it says nothing that the others were not exercised.
    ...(terminal.isPart && !terminal.verbose ? [] : namesOf('Not exercised', of('not-exercised'), terminal)),
  ].join('\n')
}

function contradictionOf({ question, answer, seen }: Verdict, { style, width }: Terminal): string {
  return [
    `  ${style('bold', oneLine(question))}`,
    wrap(`answer of ours: ${oneLine(answer)}`, width, '    '),
    wrap(`seen: ${oneLine(seen ?? 'not said')}`, width, '    '),
  ].join('\n')
}

function namesOf(title: string, verdicts: readonly Verdict[], { width }: Terminal): string[] {
  const names = verdicts.map(({ question }) => oneLine(question)).join(', ')
  const total = `${title}: ${number(verdicts.length)}`
  return names ? [total, wrap(names, width, '  ')] : [total]
}
