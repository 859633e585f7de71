import { styleText } from 'node:util'
import {
  citationOf,
  detailsOf,
  exchangeOf,
  type Group,
  groupsOf,
  mostSevere,
  pageOf,
} from './findings.ts'
import { belowFindings, type Part, sectionsOf, type Table, textOf } from './page.ts'
import type { Result } from './result.ts'
import { factsOf, outcomeOf, type ReportOptions, summaryOf } from './summary.ts'
import { atMost, count, duration, oneLine, wrap } from './text.ts'

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

interface Terminal extends TerminalOptions {
  readonly style: (format: Parameters<typeof styleText>[0], text: string) => string
  /** Wraps text, and makes it safe to print. */
  readonly wrapped: (text: string, indent?: string) => string
  readonly width: number
}

/** Groups of findings on one screen. */
const MOST = 5

/**
 * Renders a result for a terminal. One screen shows the outcome and the most severe findings, each
 * with the command that checks for it again; `verbose` shows everything.
 *
 * @example
 * process.stdout.write(renderTerminal(result, { color: process.stdout.isTTY, width: process.stdout.columns }))
 */
export function renderTerminal(result: Result, options: TerminalOptions = {}): string {
  const { color, width = 100, verbose } = options
  const terminal: Terminal = {
    ...options,
    width,
    style: (format, text) => (color ? styleText(format, text, { validateStream: false }) : text),
    wrapped: (text, indent) => wrap(oneLine(text), width, indent),
  }
  const groups = groupsOf(result.findings)
  const sections = sectionsOf(result)
  const parts = verbose
    ? [
        ...belowFindings(result).map((it) => partOf(it, terminal)),
        ...sections.flatMap(({ title, brief, parts }) => [
          terminal.style('bold', `${title}: ${brief}.`),
          ...parts.map((it) => partOf(it, terminal)),
        ]),
      ]
    : [
        sections
          .flatMap(({ id, title, brief }) => (id === 'rules' ? [] : [`${title}: ${brief}.`]))
          .join('\n'),
      ]
  const findings = findingsPart(groups, result, terminal)
  const all = [headPart(result, terminal), findings, ...parts, nextPart(groups, terminal)]
  return `${all.filter(Boolean).join('\n\n')}\n`
}

const COLORS = { passed: 'green', failed: 'red', interrupted: 'yellow' } as const
const SEVERITY_COLORS = {
  critical: 'redBright',
  error: 'red',
  warning: 'yellow',
  note: 'cyan',
} as const

function headPart(result: Result, terminal: Terminal): string {
  const { style, wrapped } = terminal
  const { cases, requests, ms } = result
  const size = `${count(cases, 'case')}, ${count(requests, 'request')} in ${duration(ms)}`
  return [
    style(['bold', COLORS[outcomeOf(result, terminal)]], wrapped(summaryOf(result, terminal))),
    wrapped([...factsOf(result, terminal), size].join(' · ')),
  ].join('\n')
}

function partOf(part: Part, terminal: Terminal): string {
  const { style, wrapped } = terminal
  if (typeof part === 'string') return wrapped(part)
  if ('columns' in part) return tableOf(part, terminal)
  const { title, fold } = part
  const lines =
    'commands' in fold
      ? fold.commands.split('\n').map((it) => `  ${it}`)
      : [wrapped(fold.rows.map(([name]) => textOf(name)).join(', '), '  ')]
  return [style('bold', title), ...lines].join('\n')
}

/**
 * Shows zeros as dots, so that other numbers stand out. A table with sentences becomes paragraphs.
 */
function tableOf({ columns, rows }: Table, { style, wrapped }: Terminal): string {
  const titles = Object.keys(columns)
  const sentences = titles.flatMap((title, i) => (columns[title] === 'text' ? [i] : []))
  if (sentences.length > 0)
    return rows
      .flatMap((row) => [
        `  ${style('bold', oneLine(textOf(row[0])))}`,
        ...sentences.flatMap((i) =>
          [row[i] ?? ''].flat().flatMap((it) => (it ? [wrapped(it, '    ')] : [])),
        ),
      ])
      .join('\n')
  const isRight = (i: number) => /^(number|bar)$/.test(columns[titles[i] ?? ''] ?? '')
  const cells = rows.map((row) => row.map((cell) => oneLine(textOf(cell)).replace(/^0$/, '·')))
  const widths = titles.map((title, i) =>
    Math.max(title.length, ...cells.map((row) => row[i]?.length ?? 0)),
  )
  const line = (row: readonly string[]) =>
    row
      .map((cell, i) => (isRight(i) ? cell.padStart(widths[i] ?? 0) : cell.padEnd(widths[i] ?? 0)))
      .join('  ')
  return [style('bold', line(titles)), ...cells.map(line)].map((it) => it.trimEnd()).join('\n')
}

function findingsPart(groups: readonly Group[], { findings }: Result, terminal: Terminal): string {
  if (groups.length === 0) return ''
  const { style, verbose } = terminal
  const shown = verbose ? groups : mostSevere(groups, MOST)
  const rest = findings.length - shown.reduce((sum, it) => sum + it.findings.length, 0)
  return [
    style('bold', rest > 0 ? `Most severe, of ${count(findings.length, 'finding')}` : 'Findings'),
    ...shown.map((it) => findingOf(it, terminal)),
    ...(rest > 0 ? [`… and ${count(rest, 'more finding')} (--verbose)`] : []),
  ].join(verbose ? '\n\n' : '\n')
}

/**
 * Where and why, what, and the command that checks for it again; with `verbose`, all that is known.
 */
function findingOf(group: Group, terminal: Terminal): string {
  const { first, operations } = group
  const { style, wrapped, width, repeat, verbose } = terminal
  const tag = style(
    ['bold', SEVERITY_COLORS[first.severity]],
    first.severity.padEnd('critical'.length),
  )
  const others =
    operations.length > 1 ? ` (and ${count(operations.length - 1, 'more operation')})` : ''
  const where = atMost(exchangeOf(first), width - others.length - 10) + others
  const details = detailsOf(group, terminal).filter(([label]) => label !== 'Cites')
  const lines = [['Finding', `${first.kind} ${first.id}`] as const, ...details].map(
    ([label, text]) => {
      const indent = `  ${label.toLowerCase().padEnd(10)} `
      return indent + wrapped(text, ' '.repeat(indent.length)).trimStart()
    },
  )
  return [
    `${tag}  ${style('bold', where)}`,
    wrapped(`${first.message} (${citationOf(first, terminal)})`, '  '),
    ...(verbose ? lines : []),
    // Not wrapped, so that they can be copied.
    ...(verbose && first.evidence.curl !== undefined ? [`  ${oneLine(first.evidence.curl)}`] : []),
    ...(repeat ? [`  ${oneLine(repeat(first))}`] : []),
  ].join('\n')
}

/** What to do about the first finding. */
function nextPart([group]: readonly Group[], terminal: Terminal): string {
  const { first } = group ?? {}
  const page = first && pageOf(first.rule, terminal)
  return [
    ...(first ? [terminal.wrapped(`Advice on ${first.rule}: ${first.advice}`)] : []),
    ...(page ? [`Rule: ${page}`] : []),
    ...(terminal.html === undefined ? [] : [`Full report: ${oneLine(terminal.html)}`]),
  ].join('\n')
}
