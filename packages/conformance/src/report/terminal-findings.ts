import type { Finding, Result } from '../result.ts'
import { wrap } from './style.ts'
import { fails } from './summary.ts'
import { heading, type Terminal } from './terminal-parts.ts'
import { count, number, oneLine } from './text.ts'

/** The findings of one kind, as many as are to be shown; of the others, how many there are. */
export function findingsPart(kind: Finding['kind'], result: Result, terminal: Terminal): string {
  const all = result.findings.filter((it) => it.kind === kind)
  if (all.length === 0) return ''
  const title = kind === 'failure' ? 'Failures' : 'Discoveries'
  const shown = all.slice(0, terminal.limit).map((it) => findingOf(it, fails(it, result), terminal))
  const hidden = all.length - shown.length
  const more = hidden > 0 ? [`${count(hidden, 'more finding')}: the other reports have all of them.`] : []
  return [heading(`${title} (${number(all.length)})`, terminal), ...shown, ...more].join('\n\n')
}

function findingOf(finding: Finding, failing: boolean, terminal: Terminal): string {
  const { message, advice, question, evidence } = finding
  return [
    headOf(finding, failing, terminal),
    wrap(oneLine(message), terminal.width, '  '),
    wrap(oneLine(advice), terminal.width, '  '),
    ...(question ? [`  question: ${oneLine(question)}`] : []),
    terminal.style('dim', `  ${placeOf(finding, terminal)}`),
    // One line, however long: it is there to be copied.
    `  ${oneLine(evidence.curl)}`,
  ].join('\n')
}

function headOf({ severity, id, law, operation }: Finding, failing: boolean, terminal: Terminal): string {
  const [shownId = '', ...rest] = [id, law, ...(operation ? [operation] : [])].map(oneLine)
  const isNarrow = [severity, shownId, ...rest].join('  ').length > terminal.width
  const marked = [terminal.style(failing ? 'red' : 'yellow', severity), terminal.style('bold', shownId)]
  return [...marked, ...rest].join(isNarrow ? '\n  ' : '  ')
}

function placeOf({ contract, count: cases }: Finding, { locate }: Terminal): string {
  const at = locate?.(contract)
  const parts = [contract, at && `${at.file}:${at.line}`, count(cases, 'case')]
  return parts
    .filter((it) => it !== undefined && it !== '')
    .map((it) => oneLine(it ?? ''))
    .join('  ')
}
