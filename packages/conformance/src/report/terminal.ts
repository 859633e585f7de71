import { styleText } from 'node:util'
import type { Result, Verdict } from '../engine/result.ts'
import { oneLine } from '../model/visible.ts'
import { CONTRACT_FAULTS, locatedFaults } from './contract-faults.ts'
import { percent, sharesOf } from './coverage.ts'
import { commandsOf, detailsOf, pageOf, variablesOf } from './finding-details.ts'
import { type Group, groupsOf, mostSevere } from './finding-groups.ts'
import { atMost, count, duration, number, wrap } from './format-text.ts'
import type { ReportOptions } from './options.ts'
import { inconclusiveOf, judgedRules, phasesOf } from './rule-results.ts'
import { factsOf, outcomeOf, summaryOf } from './summary.ts'
import { type Column, PHASE_COLUMNS, SHARE_COLUMNS } from './table-columns.ts'

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
const MOST = 10

/**
 * Renders a result for a terminal. One screen shows the outcome, a line per phase, the most severe findings and the
 * next command; `verbose` shows everything.
 *
 * @example
 * process.stdout.write(renderTerminal(result, { color: process.stdout.isTTY, width: process.stdout.columns }))
 */
export function renderTerminal(result: Result, options: TerminalOptions = {}): string {
  const terminal = terminalOf(options)
  const groups = groupsOf(result.findings)
  const parts = [
    headPart(result, terminal),
    contractPart(result, terminal),
    tableOf(PHASE_COLUMNS, phasesOf(result), terminal),
    terminal.verbose ? detailPart(groups, result, terminal) : severePart(groups, result, terminal),
    ...(terminal.verbose ? rulesParts(result, terminal) : []),
    [verdictsPart(result, terminal), coveragePart(result, terminal)]
      .filter(Boolean)
      .join(terminal.verbose ? '\n\n' : '\n'),
    nextPart(groups, result, terminal),
  ]
  return `${parts.filter(Boolean).join('\n\n')}\n`
}

function terminalOf(options: TerminalOptions): Terminal {
  const style: Style = (format, text) =>
    options.color ? styleText(format, text, { validateStream: false }) : text
  return { ...options, style, width: options.width ?? 100 }
}

const COLORS = { passed: 'green', failed: 'red', interrupted: 'yellow' } as const
const SEVERITY_COLORS = { critical: 'redBright', error: 'red', warning: 'yellow', note: 'cyan' } as const

/** Errors of the contract on one screen. */
const MOST_FAULTS = 3

function contractPart(result: Result, terminal: Terminal): string {
  const { style, width, verbose } = terminal
  const faults = locatedFaults(result, terminal)
  if (faults.length === 0) return ''
  const shown = verbose ? faults : faults.slice(0, MOST_FAULTS)
  const rest = faults.length - shown.length
  return [
    style('bold', CONTRACT_FAULTS),
    ...shown.map(({ at, message }) => wrap(oneLine(at ? `${at} ${message}` : message), width, '  ')),
    ...(rest > 0 ? [`… and ${count(rest, 'more error')} (--verbose)`] : []),
  ].join('\n')
}

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

/** Two lines per group: the request with its citation, then what was expected and observed. */
function severePart(groups: readonly Group[], result: Result, terminal: Terminal): string {
  if (groups.length === 0) return ''
  const shown = mostSevere(groups, MOST)
  const all = result.findings.length
  const rest = all - shown.reduce((sum, it) => sum + it.findings.length + it.effects.length, 0)
  return [
    terminal.style('bold', rest > 0 ? `Most severe, of ${count(all, 'finding')}` : 'Findings'),
    ...shown.map((it) => twoLines(it, result, terminal)),
    ...(rest > 0 ? [`… and ${count(rest, 'more finding')} (--verbose)`] : []),
  ].join('\n')
}

function twoLines(group: Group, result: Result, terminal: Terminal): string {
  const { style, width } = terminal
  const { severity, rule } = group.first
  const { Request = '', Expected, Actual, Cites } = Object.fromEntries(detailsOf(group, result, terminal))
  const others = group.findings.length > 1 ? ` (and ${group.findings.length - 1} more)` : ''
  const source = atMost(oneLine(`${rule}${others} · ${Cites}`), Math.floor(width * 0.6))
  const request = atMost(Request, width - 'critical'.length - source.length - 4)
  const side = Math.floor(width / 2) - 2
  const sides = `${atMost(`expected: ${Expected}`, side).padEnd(side)}  ${atMost(`actual: ${Actual}`, side)}`
  const tag = style(['bold', SEVERITY_COLORS[severity]], severity.padEnd('critical'.length))
  return `${tag}  ${style('bold', request)}  ${source}\n  ${sides.trimEnd()}`
}

function detailPart(groups: readonly Group[], result: Result, terminal: Terminal): string {
  if (groups.length === 0) return ''
  const title = terminal.style('bold', `Findings (${number(result.findings.length)})`)
  return [title, ...groups.map((it) => detailOf(it, result, terminal))].join('\n\n')
}

function detailOf(group: Group, result: Result, terminal: Terminal): string {
  const { severity, kind, id, message } = group.first
  const { style, width } = terminal
  const where = group.operations.length > 1 ? count(group.operations.length, 'operation') : ''
  const tag = style(['bold', SEVERITY_COLORS[severity]], `${severity} (${kind})`)
  const lines = detailsOf(group, result, terminal).map(([label, text]) => {
    const indent = `  ${label.toLowerCase().padEnd(9)} `
    return indent + wrap(text, width, ' '.repeat(indent.length)).trimStart()
  })
  return [
    [tag, oneLine(id), where].filter(Boolean).join('  '),
    wrap(oneLine(message), width, '  '),
    ...lines,
    // Not wrapped, so that it can be copied.
    ...commandsOf(group.first, terminal).map((it) => `  ${it}`),
  ].join('\n')
}

/** Rules that did not judge every case, with reasons. */
function rulesParts(result: Result, terminal: Terminal): string[] {
  const rules = judgedRules(result)
  const lists = [
    ['Not assessed', rules.map(({ rule, reason }) => [rule, reason] as const)],
    ['Inconclusive', rules.map((it) => [it.rule, inconclusiveOf(it)] as const)],
  ] as const
  return lists.flatMap(([title, rows]) => {
    const lines = rows.flatMap(([rule, text]) =>
      text === undefined ? [] : [wrap(`${oneLine(rule)}: ${oneLine(text)}`, terminal.width, '  ')],
    )
    return lines.length > 0 ? [[terminal.style('bold', title), ...lines].join('\n')] : []
  })
}

/** One line for all questions; `verbose` adds each contradiction. */
function verdictsPart({ verdicts }: Result, { style, width, verbose }: Terminal): string {
  if (verdicts.length === 0) return ''
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

function coveragePart(result: Result, terminal: Terminal): string {
  if (terminal.verbose) return tableOf(SHARE_COLUMNS, sharesOf(result), terminal)
  const [operations, rows] = sharesOf(result).map((it) => percent(it))
  return operations === undefined
    ? ''
    : `Coverage: ${operations} % of operations, ${rows ?? 100} % of statuses.`
}

/** What to do about the first finding: its advice, and the command that checks for it again. */
function nextPart([group]: readonly Group[], result: Result, terminal: Terminal): string {
  const { first } = group ?? {}
  const variables = terminal.verbose ? variablesOf(result).map((it) => `  ${oneLine(it)}`) : []
  const next = first && terminal.repeat?.(first)
  const page = first && pageOf(first.rule, terminal)
  return [
    ...(variables.length > 0 ? ['Set the variables of the commands first:', ...variables] : []),
    ...(first ? [wrap(oneLine(`Advice on ${first.rule}: ${first.advice}`), terminal.width)] : []),
    ...(next ? [terminal.style('bold', `Next: ${oneLine(next)}`)] : []),
    ...(page ? [`Rule: ${page}`] : []),
    ...(terminal.html === undefined ? [] : [`Full report: ${oneLine(terminal.html)}`]),
  ].join('\n')
}
