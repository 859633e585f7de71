import { styleText } from 'node:util'
import { percent, sharesOf } from './coverage.ts'
import {
  citationOf,
  commandsOf,
  detailsOf,
  exchangeOf,
  type Group,
  groupsOf,
  mostSevere,
  pageOf,
  variablesOf,
} from './details.ts'
import type { ReportOptions } from './options.ts'
import type { Result, Verdict } from './result.ts'
import { factsOf, outcomeOf, summaryOf } from './summary.ts'
import { type Column, SHARE_COLUMNS, SUBJECT_COLUMNS, subjectsOf } from './tables.ts'
import { atMost, count, duration, number, oneLine, wrap } from './text.ts'

/** Options of the terminal report. */
export interface TerminalOptions extends ReportOptions {
  /** Whether to use colours. The caller decides about NO_COLOR and pipes. Default: false. */
  readonly color?: boolean
  /** Columns. Default: 100. */
  readonly width?: number
  /** Whether to show everything, not one screen. Default: false. */
  readonly verbose?: boolean
  /** The file of the HTML report, if there is one. */
  readonly html?: string | undefined
}

type Style = (format: Parameters<typeof styleText>[0], text: string) => string

interface Terminal extends TerminalOptions {
  readonly style: Style
  readonly width: number
}

/** Groups of findings on one screen. */
const MOST = 5

/**
 * Renders a result for a terminal. One screen shows the outcome and the most severe findings, each with the command that
 * checks for it again; `verbose` shows everything.
 *
 * @example
 * process.stdout.write(renderTerminal(result, { color: process.stdout.isTTY, width: process.stdout.columns }))
 */
export function renderTerminal(result: Result, options: TerminalOptions = {}): string {
  const style: Style = (format, text) =>
    options.color ? styleText(format, text, { validateStream: false }) : text
  const terminal = { ...options, style, width: options.width ?? 100 }
  const groups = groupsOf(result.findings)
  const parts = options.verbose
    ? [
        headPart(result, terminal),
        tableOf(SUBJECT_COLUMNS, subjectsOf(result), terminal),
        detailPart(groups, terminal),
        rulesPart(result, terminal),
        verdictsPart(result, terminal),
        tableOf(SHARE_COLUMNS, sharesOf(result), terminal),
        variablesPart(result),
      ]
    : [
        headPart(result, terminal),
        severePart(groups, result, terminal),
        [verdictsPart(result, terminal), coveragePart(result)].join('\n'),
      ]
  return `${[...parts, nextPart(groups, terminal)].filter(Boolean).join('\n\n')}\n`
}

const COLORS = { passed: 'green', failed: 'red', interrupted: 'yellow' } as const
const SEVERITY_COLORS = { critical: 'redBright', error: 'red', warning: 'yellow', note: 'cyan' } as const

function headPart(result: Result, terminal: Terminal): string {
  const { style, width } = terminal
  const { cases, requests, ms } = result
  const size = `${count(cases, 'case')}, ${count(requests, 'request')} in ${duration(ms)}`
  return [
    style(['bold', COLORS[outcomeOf(result, terminal)]], wrap(summaryOf(result, terminal), width)),
    wrap([...factsOf(result, terminal), size].join(' · '), width),
  ].join('\n')
}

/** Shows zeros as dots, so that other numbers stand out. */
function tableOf<Row>(columns: readonly Column<Row>[], rows: readonly Row[], { style }: Terminal): string {
  const cells = rows.map((row) => columns.map(({ text }) => oneLine(text(row)).replace(/^0$/, '·')))
  const titles = columns.map(({ title }) => title)
  const widths = titles.map((title, i) => Math.max(title.length, ...cells.map((row) => row[i]?.length ?? 0)))
  const line = (row: readonly string[]) =>
    row.map((cell, i) => (i === 0 ? cell.padEnd(widths[i] ?? 0) : cell.padStart(widths[i] ?? 0))).join('  ')
  return [style('bold', line(titles)), ...cells.map(line)].map((it) => it.trimEnd()).join('\n')
}

function severePart(groups: readonly Group[], { findings }: Result, terminal: Terminal): string {
  if (groups.length === 0) return ''
  const shown = mostSevere(groups, MOST)
  const rest = findings.length - shown.reduce((sum, it) => sum + it.findings.length, 0)
  return [
    terminal.style('bold', rest > 0 ? `Most severe, of ${count(findings.length, 'finding')}` : 'Findings'),
    ...shown.map((it) => shortOf(it, terminal)),
    ...(rest > 0 ? [`… and ${count(rest, 'more finding')} (--verbose)`] : []),
  ].join('\n')
}

/** Where and why, what, and the command that checks for it again. */
function shortOf({ first, operations }: Group, terminal: Terminal): string {
  const { style, width, repeat } = terminal
  const tag = style(['bold', SEVERITY_COLORS[first.severity]], first.severity.padEnd('critical'.length))
  const others = operations.length > 1 ? ` (and ${count(operations.length - 1, 'more operation')})` : ''
  const where = atMost(exchangeOf(first), width - others.length - 10) + others
  return [
    `${tag}  ${style('bold', where)}`,
    wrap(oneLine(`${first.message} (${citationOf(first, terminal)})`), width, '  '),
    // Not wrapped, so that it can be copied.
    ...(repeat ? [`  ${oneLine(repeat(first))}`] : []),
  ].join('\n')
}

function detailPart(groups: readonly Group[], terminal: Terminal): string {
  if (groups.length === 0) return ''
  return [terminal.style('bold', 'Findings'), ...groups.map((it) => detailOf(it, terminal))].join('\n\n')
}

function detailOf(group: Group, terminal: Terminal): string {
  const { severity, kind, id, message } = group.first
  const { style, width } = terminal
  const where = group.operations.length > 1 ? count(group.operations.length, 'operation') : ''
  const tag = style(['bold', SEVERITY_COLORS[severity]], `${severity} (${kind})`)
  const lines = detailsOf(group, terminal).map(([label, text]) => {
    const indent = `  ${label.toLowerCase().padEnd(10)} `
    return indent + wrap(text, width, ' '.repeat(indent.length)).trimStart()
  })
  return [
    [tag, oneLine(id), where].filter(Boolean).join('  '),
    wrap(oneLine(message), width, '  '),
    ...lines,
    ...commandsOf(group.first, terminal).map((it) => `  ${it}`),
  ].join('\n')
}

/** Rules without a case, and requests that were not sent. */
function rulesPart({ rules, notSent }: Result, { style, width }: Terminal): string {
  const having = (status: string) => rules.filter((it) => it.status === status).map(({ rule }) => rule)
  const lists = [
    ['Inconclusive: requests were sent for these rules, and none gave a case', having('inconclusive')],
    ['Not assessed', having('not-assessed')],
    ['Not sent', notSent],
  ] as const
  return lists
    .flatMap(([title, all]) =>
      all.length > 0 ? [`${style('bold', title)}\n${wrap(oneLine(all.join(', ')), width, '  ')}`] : [],
    )
    .join('\n')
}

/** One line for all questions; `verbose` adds each contradiction. */
function verdictsPart({ verdicts }: Result, { style, width, verbose }: Terminal): string {
  const of = (verdict: Verdict['verdict']) => verdicts.filter((it) => it.verdict === verdict)
  const namesOf = (all: readonly Verdict[]) => all.map(({ question }) => oneLine(question)).join(', ')
  const [confirmed, contradicted, open] = [of('confirmed'), of('contradicted'), of('not-exercised')]
  const line = `Open questions: ${number(confirmed.length)} confirmed, ${number(contradicted.length)} contradicted, ${number(open.length)} not exercised.`
  if (!verbose) return line
  return [
    line,
    ...contradicted.flatMap(({ question, assumption, seen = 'not stated' }) => [
      `  ${style('bold', oneLine(question))}`,
      wrap(`assumption: ${oneLine(assumption)}`, width, '    '),
      wrap(`observed: ${oneLine(seen)}`, width, '    '),
    ]),
    wrap(`confirmed: ${namesOf(confirmed) || 'none'}`, width, '  '),
    wrap(`not exercised: ${namesOf(open) || 'none'}`, width, '  '),
  ].join('\n')
}

function coveragePart(result: Result): string {
  const [operations = 100, rows = 100] = sharesOf(result).map((it) => percent(it))
  return `Coverage: ${operations} % of operations, ${rows} % of statuses.`
}

function variablesPart(result: Result): string {
  const lines = variablesOf(result).map((it) => `  ${oneLine(it)}`)
  return lines.length > 0 ? ['Set the variables of the commands first:', ...lines].join('\n') : ''
}

/** What to do about the first finding. */
function nextPart([group]: readonly Group[], terminal: Terminal): string {
  const { first } = group ?? {}
  const page = first && pageOf(first.rule, terminal)
  return [
    ...(first ? [wrap(oneLine(`Advice on ${first.rule}: ${first.advice}`), terminal.width)] : []),
    ...(page ? [`Rule: ${page}`] : []),
    ...(terminal.html === undefined ? [] : [`Full report: ${oneLine(terminal.html)}`]),
  ].join('\n')
}
