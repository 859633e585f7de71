import type { Finding, Result } from '../engine/result.ts'
import { again, answeredOf } from './again.ts'
import { type Group, groupsOf, rulesIn } from './groups.ts'
import { wrap } from './style.ts'
import { fails } from './summary.ts'
import { heading, type Terminal } from './terminal-parts.ts'
import { count, number, oneLine } from './text.ts'

/** Groups of one rule that are shown. */
const MOST_OF_A_LAW = 10

/** The findings of one kind by what they say, as many as are to be shown; of the others, how many there are. */
export function findingsPart(kind: Finding['kind'], result: Result, terminal: Terminal): string {
  const groups = groupsOf(result.findings).filter(({ first }) => first.kind === kind)
  if (groups.length === 0) return ''
  const amount = result.findings.filter((it) => it.kind === kind).length
  const title = `${kind === 'failure' ? 'Failures' : 'Deviations'} (${number(amount)})`
  const shown = terminal.verbose ? groups : foremost(groups).slice(0, terminal.limit)
  const texts = shown.map((it, i) => groupText(it, { result, terminal, before: shown[i - 1] }))
  return [heading(title, terminal), ...texts, ...restOf(groups, shown)].join('\n\n')
}

function foremost(groups: readonly Group[]): Group[] {
  return [...Map.groupBy(groups, ({ first }) => first.rule).values()].flatMap((it) =>
    it.slice(0, MOST_OF_A_LAW),
  )
}

function restOf(groups: readonly Group[], shown: readonly Group[]): string[] {
  const hidden = groups.filter((it) => !shown.includes(it)).flatMap(({ findings }) => findings)
  return hidden.length === 0
    ? []
    : [
        `${count(hidden.length, 'more finding')}: ${rulesIn(hidden)}; --verbose and the other reports have all of them.`,
      ]
}

interface Around {
  readonly result: Result
  readonly terminal: Terminal
  readonly before: Group | undefined
}

function groupText(group: Group, { result, terminal, before }: Around): string {
  const { first, follows } = group
  const { message, advice, question, evidence } = first
  const isAdvised = before?.first.rule === first.rule
  return [
    headOf(group, fails(first, result), terminal),
    wrap(oneLine(message), terminal.width, '  '),
    ...(isAdvised ? [] : [wrap(oneLine(advice), terminal.width, '  ')]),
    ...(question ? [`  question: ${oneLine(question)}`] : []),
    ...operationsOf(group, terminal),
    ...(follows.length > 0
      ? [wrap(`follows from it: ${oneLine(rulesIn(follows))}`, terminal.width, '  ')]
      : []),
    terminal.style('dim', `  ${placeOf(group, terminal)}`),
    `  ${oneLine(answeredOf(evidence))}`,
    // One line, however long: it is there to be copied.
    `  ${oneLine(again(first))}`,
  ].join('\n')
}

function headOf({ first, findings, operations }: Group, failing: boolean, terminal: Terminal): string {
  const { severity, id, rule, operation } = first
  const where =
    findings.length === 1
      ? operation
      : `${count(operations.length, 'operation')}, ${findings.length} findings`
  const [shownId = '', ...rest] = [id, rule, ...(where ? [where] : [])].map(oneLine)
  const isNarrow = [severity, shownId, ...rest].join('  ').length > terminal.width
  const marked = [terminal.style(failing ? 'red' : 'yellow', severity), terminal.style('bold', shownId)]
  return [...marked, ...rest].join(isNarrow ? '\n  ' : '  ')
}

/** The operations of several findings; all of their ids where everything is asked for. */
function operationsOf({ findings, operations }: Group, { verbose, width }: Terminal): string[] {
  if (findings.length === 1) return []
  const ids = verbose ? findings.map(({ id }) => `  ${oneLine(id)}`) : []
  return [wrap(`operations: ${oneLine(operations.join(', '))}`, width, '  '), ...ids]
}

function placeOf({ first, findings }: Group, { locate }: Terminal): string {
  const at = locate?.(first.contract)
  const cases = findings.reduce((sum, it) => sum + it.count, 0)
  return [first.contract, at && `${at.file}:${at.line}`, count(cases, 'case')]
    .filter((it) => it !== undefined && it !== '')
    .map((it) => oneLine(it ?? ''))
    .join('  ')
}
