import type { Finding, Result } from '../result.ts'
import { percent, sharesOf } from './coverage.ts'
import { judgedLaws } from './laws.ts'
import type { Locate } from './locate.ts'
import { type Style, styleOf, wrap } from './style.ts'
import { countsOf, exitCodeOf, fails, summaryOf } from './summary.ts'
import { count, duration, number, oneLine } from './text.ts'

/** How a report is shown on a terminal. */
export interface TerminalOptions {
  /** Whether colours may be used; NO_COLOR and a pipe are for the caller to look at. Default: false. */
  readonly color?: boolean
  /** Columns. Default: 80. */
  readonly width?: number
  /** Where findings are in the contract. */
  readonly locate?: Locate
  /** Findings of each kind that are shown; of the others, how many there are. Default: 50. */
  readonly limit?: number
}

interface Terminal {
  readonly style: Style
  readonly width: number
  readonly locate: Locate | undefined
  readonly limit: number
}

/**
 * A run for people: the summary first, then failures, discoveries, laws, verdicts on the open questions, and coverage.
 * What is not assessed, and what is masked, is told apart from what held.
 *
 * @example
 * process.stdout.write(renderTerminal(result, { color: process.stdout.isTTY, width: process.stdout.columns }))
 */
export function renderTerminal(result: Result, options: TerminalOptions = {}): string {
  const { color = false, width = 80, locate, limit = 50 } = options
  const terminal: Terminal = { style: styleOf(color), width, locate, limit }
  const sections = [
    headOf(result, terminal),
    findingsOf(
      'Failures',
      result.findings.filter((it) => it.kind === 'failure'),
      result,
      terminal,
    ),
    findingsOf(
      'Discoveries',
      result.findings.filter((it) => it.kind === 'discovery'),
      result,
      terminal,
    ),
    lawsOf(result, terminal),
    verdictsOf(result, terminal),
    coverageOf(result, terminal),
  ]
  return `${sections.filter(Boolean).join('\n\n')}\n`
}

function headOf(result: Result, { style, width }: Terminal): string {
  const { contract, cases, requests, ms, seed, shard, strict } = result
  const { held, broken, notAssessed, masked, baselined } = countsOf(result)
  const verdict = style(exitCodeOf(result) === 0 ? ['bold', 'green'] : ['bold', 'red'], summaryOf(result))
  const rate = ms > 0 ? `, ${number(Math.round((1000 * requests) / ms))} a second` : ''
  const facts = [
    `${oneLine(contract.title)} ${oneLine(contract.version)}.`,
    `${count(cases, 'case')}, ${count(requests, 'request')} in ${duration(ms)}${rate}; seed ${seed}`,
    `${shard ? `, shard ${shard}` : ''}${strict ? ', strict' : ''}.`,
  ]
  const laws = [
    `${count(held, 'law')} held, ${number(broken)} broken, ${number(notAssessed)} not assessed.`,
    masked > 0 ? `${count(masked, 'case')} masked: neither passed nor failed.` : '',
    baselined > 0 ? `The baseline lets ${count(baselined, 'finding')} pass.` : '',
  ]
  const wrapped = [`${facts[0]} ${facts[1]}${facts[2]}`, laws.filter(Boolean).join(' ')].map((it) =>
    wrap(it, width, ''),
  )
  return [verdict, ...wrapped].join('\n')
}

function findingsOf(title: string, all: readonly Finding[], result: Result, terminal: Terminal): string {
  if (all.length === 0) return ''
  const shown = all.slice(0, terminal.limit).map((finding) => findingOf(finding, result, terminal))
  const hidden = all.length - shown.length
  const more = hidden > 0 ? [`${count(hidden, 'more finding')}: the other reports have all of them.`] : []
  return [heading(`${title} (${number(all.length)})`, terminal), ...shown, ...more].join('\n\n')
}

function findingOf(finding: Finding, result: Result, { style, width, locate }: Terminal): string {
  const { id, law, operation, severity, question, contract, evidence } = finding
  const mark = fails(finding, result) ? 'red' : 'yellow'
  const at = locate?.(contract)
  const where = [contract, at && `${at.file}:${at.line}`, count(finding.count, 'case')]
    .filter(Boolean)
    .join('  ')
  const head = [
    style(mark, severity),
    style('bold', oneLine(id)),
    oneLine(law),
    operation && oneLine(operation),
  ]
  return [
    head.filter(Boolean).join('  '),
    wrap(oneLine(finding.message), width, '  '),
    wrap(oneLine(finding.advice), width, '  '),
    ...(question ? [`  question: ${oneLine(question)}`] : []),
    style('dim', `  ${oneLine(where)}`),
    // One line, however long: it is there to be copied.
    `  ${oneLine(evidence.curl)}`,
  ].join('\n')
}

function lawsOf(result: Result, terminal: Terminal): string {
  const judged = judgedLaws(result)
  const sections = [
    list(
      'Laws broken',
      judged.filter((it) => it.status === 'broken').map(({ law }) => [law.law, law.title]),
      terminal,
    ),
    list(
      'Not assessed',
      judged.filter((it) => it.reason).map(({ law, reason }) => [law.law, reason ?? '']),
      terminal,
    ),
    list(
      'Masked',
      judged
        .filter((it) => it.law.masked > 0)
        .map(({ law }) => [law.law, `${number(law.masked)} of ${count(law.cases, 'case')}`]),
      terminal,
    ),
  ]
  return sections.filter(Boolean).join('\n\n')
}

function verdictsOf({ verdicts }: Result, terminal: Terminal): string {
  if (verdicts.length === 0) return ''
  const groups = Map.groupBy(verdicts, ({ verdict }) => verdict)
  const [contradicted = [], confirmed = [], rest = []] = (
    ['contradicted', 'confirmed', 'not-exercised'] as const
  ).map((it) => groups.get(it))
  const names = (all: typeof verdicts) =>
    wrap(all.map((it) => oneLine(it.question)).join(', '), terminal.width, '  ')
  return [
    heading('Open questions', terminal),
    `Contradicted: ${number(contradicted.length)}`,
    ...contradicted.map((it) =>
      [
        `  ${terminal.style('bold', oneLine(it.question))}`,
        wrap(`assumed: ${oneLine(it.answer)}`, terminal.width, '    '),
        wrap(`seen: ${oneLine(it.seen ?? 'not said')}`, terminal.width, '    '),
      ].join('\n'),
    ),
    `Confirmed: ${number(confirmed.length)}`,
    ...(confirmed.length > 0 ? [names(confirmed)] : []),
    `Not exercised: ${number(rest.length)}`,
    ...(rest.length > 0 ? [names(rest)] : []),
  ].join('\n')
}

function coverageOf(result: Result, terminal: Terminal): string {
  const rows = sharesOf(result).map((share) => {
    const part = percent(share)
    const figure =
      part === undefined ? 'none to see' : `${number(share.seen)} of ${number(share.all)} (${part} %)`
    return [share.name, figure] as const
  })
  return list('Coverage', rows, terminal)
}

/** Names in one column, text in the other; below each other where the terminal is narrow. */
function list(title: string, rows: readonly (readonly [string, string])[], terminal: Terminal): string {
  if (rows.length === 0) return ''
  const safe = rows.map(([name, text]) => [oneLine(name), oneLine(text)] as const)
  const column = Math.max(...safe.map(([name]) => name.length)) + 4
  const lines = safe.map(([name, text]) => {
    if (column + 20 > terminal.width) return `  ${name}\n${wrap(text, terminal.width, '    ')}`
    return `  ${name.padEnd(column - 2)}${wrap(text, terminal.width, ' '.repeat(column)).trimStart()}`
  })
  return [heading(title, terminal), ...lines].join('\n')
}

function heading(text: string, { style }: Terminal): string {
  return style(['bold', 'underline'], text)
}
