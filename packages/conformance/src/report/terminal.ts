import { styleText } from 'node:util'
import { withoutCommands } from '@partner-payments/contract'
import {
  buildPageUrl,
  buildRepeatCommand,
  describeCitation,
  describeExchange,
  listDetails,
} from './findings.ts'
import {
  CHAPTERS,
  chooseChapter,
  type Group,
  groupFindings,
  listOccurrences,
  mostSevere,
} from './groups.ts'
import {
  buildPartsBelowFindings,
  buildSections,
  type Part,
  readNote,
  readText,
  type Table,
} from './page.ts'
import type { Result } from './result.ts'
import { chooseOutcome, listFacts, type ReportOptions, summarize } from './summary.ts'
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

/** The options, with functions that write text as this terminal shows it. */
interface Terminal extends TerminalOptions {
  readonly style: (format: Parameters<typeof styleText>[0], text: string) => string
  /** Wraps text, and makes it safe to print. */
  readonly wrapped: (text: string, indent?: string) => string
  readonly width: number
}

/** The groups of findings on one screen. */
const MAX_GROUPS = 5

/**
 * Renders a result for a terminal. One screen shows the outcome and the most severe findings, each
 * with the command that checks for it again; `verbose` shows everything.
 *
 * @example
 * const { isTTY, columns } = process.stdout
 * process.stdout.write(renderTerminal(result, { color: isTTY, width: columns }))
 */
export function renderTerminal(result: Result, options: TerminalOptions = {}): string {
  const { color, width = 100, verbose } = options
  const terminal: Terminal = {
    ...options,
    width,
    style: (format, text) => (color ? styleText(format, text, { validateStream: false }) : text),
    wrapped: (text, indent) => wrap(oneLine(text), width, indent),
  }
  const groups = groupFindings(result.findings)
  const partsBelow = verbose ? renderSections(result, terminal) : [renderBriefs(result)]
  const parts = [
    renderHead(result, terminal),
    renderFindings(groups, terminal),
    ...partsBelow,
    renderNextStep(groups, terminal),
  ]
  const text = parts.filter((part) => part !== '').join('\n\n')
  // GitHub Actions would run a line such as `::add-mask::1`, which the service may have sent.
  return `${withoutCommands(text)}\n`
}

/** Renders the parts below the findings, and all sections with their tables, for `--verbose`. */
function renderSections(result: Result, terminal: Terminal): string[] {
  const parts = buildPartsBelowFindings(result).map((part) => renderPart(part, terminal))
  for (const { title, brief, parts: partsOfSection } of buildSections(result)) {
    parts.push(terminal.style('bold', `${title}: ${brief}.`))
    for (const part of partsOfSection) parts.push(renderPart(part, terminal))
  }
  return parts
}

/** One line for each section. The outcome has counted the rules already. */
function renderBriefs(result: Result): string {
  const sections = buildSections(result).filter(({ id }) => id !== 'rules')
  return sections.map(({ title, brief }) => `${title}: ${brief}.`).join('\n')
}

const COLORS = {
  passed: 'green',
  failed: 'red',
  interrupted: 'yellow',
  inconclusive: 'yellow',
} as const
const SEVERITY_COLORS = {
  critical: 'redBright',
  error: 'red',
  warning: 'yellow',
  note: 'cyan',
} as const

/** Renders the outcome in one sentence, and the facts of the run: its contract, seed, size and time. */
function renderHead(result: Result, terminal: Terminal): string {
  const { style, wrapped } = terminal
  const { cases, requests, ms } = result
  const size = `${count(cases, 'case')}, ${count(requests, 'request')} in ${duration(ms)}`
  return [
    style(['bold', COLORS[chooseOutcome(result, terminal)]], wrapped(summarize(result, terminal))),
    wrapped([...listFacts(result, terminal), size].join(' · ')),
  ].join('\n')
}

/** Renders a sentence, a table, or a title with commands or the names of a table below it. */
function renderPart(part: Part, terminal: Terminal): string {
  const { style, wrapped } = terminal
  if (typeof part === 'string') return wrapped(part)
  if ('columns' in part) return renderTable(part, terminal)

  const { title, fold } = part
  const heading = style('bold', title)
  if ('commands' in fold) {
    const commands = fold.commands.split('\n').map((command) => `  ${command}`)
    return [heading, ...commands].join('\n')
  }
  const names = fold.rows.map(([name]) => readText(name))
  return [heading, wrapped(names.join(', '), '  ')].join('\n')
}

/** A table as lines with aligned columns, or as paragraphs if it has sentences. */
function renderTable(table: Table, terminal: Terminal): string {
  const hasSentences = Object.values(table.columns).includes('text')
  return hasSentences ? renderParagraphs(table, terminal) : renderLines(table, terminal)
}

/**
 * Renders a table as paragraphs, one for each row: its first cell, and below it the cells that are
 * sentences.
 */
function renderParagraphs({ columns, rows }: Table, { style, wrapped }: Terminal): string {
  const kinds = Object.values(columns)
  const lines: string[] = []
  for (const row of rows) {
    lines.push(`  ${style('bold', oneLine(readText(row[0])))}`)
    for (const [i, cell] of row.entries()) {
      if (kinds[i] !== 'text') continue
      const text = readText(cell)
      const note = readNote(cell)
      if (text) lines.push(wrapped(text, '    '))
      if (note) lines.push(wrapped(note, '    '))
    }
  }
  return lines.join('\n')
}

/** Renders a table with aligned columns. Zeros are dots, so that other numbers stand out. */
function renderLines({ columns, rows }: Table, { style }: Terminal): string {
  const titles = Object.keys(columns)
  const kinds = Object.values(columns)
  const cells = rows.map((row) => row.map((cell) => oneLine(readText(cell)).replace(/^0$/, '·')))
  const widths = titles.map((title, i) =>
    Math.max(title.length, ...cells.map((row) => row[i]?.length ?? 0)),
  )

  function pad(cell: string, i: number): string {
    const isNumber = kinds[i] === 'number' || kinds[i] === 'bar'
    const width = widths[i] ?? 0
    return isNumber ? cell.padStart(width) : cell.padEnd(width)
  }

  const renderRow = (row: readonly string[]) => row.map(pad).join('  ')
  const lines = [style('bold', renderRow(titles)), ...cells.map(renderRow)]
  return lines.map((line) => line.trimEnd()).join('\n')
}

/**
 * Renders the groups of findings below the titles of their chapters: all if `verbose`, else only as many of
 * the most severe as fit one screen.
 */
function renderFindings(groups: readonly Group[], terminal: Terminal): string {
  const { style, verbose } = terminal
  const shownGroups = verbose ? groups : mostSevere(groups, MAX_GROUPS)
  const gap = verbose ? '\n\n' : '\n'
  const chapters: string[] = []
  for (const { id, title } of CHAPTERS) {
    const groupsOfChapter = groups.filter((group) => chooseChapter(group) === id)
    if (groupsOfChapter.length === 0) continue

    const shownOfChapter = groupsOfChapter.filter((group) => shownGroups.includes(group))
    const amount = describeShown(shownOfChapter.length, groupsOfChapter.length)
    const heading = style('bold', `${title} (${amount})`)
    const findings = shownOfChapter.map((group) => renderGroup(group, terminal))
    chapters.push([heading, ...findings].join(gap))
  }
  return chapters.join('\n\n')
}

/** Such as `12`, or `3 of 12, see --verbose`. */
function describeShown(shownCount: number, total: number): string {
  return shownCount === total ? `${total}` : `${shownCount} of ${total}, see --verbose`
}

/**
 * Renders a group of findings: where, what and why, and the command that checks for it again. With `verbose`,
 * all that is known.
 */
function renderGroup(group: Group, terminal: Terminal): string {
  const { first, findings } = group
  const { style, wrapped, width, verbose } = terminal
  const { curl } = first.evidence
  const color = SEVERITY_COLORS[first.severity]
  const tag = style(['bold', color], first.severity.padEnd(TAG_WIDTH))
  const where = atMost(describeExchange(first), width - TAG_WIDTH - 2)
  const lines = [
    `${tag}  ${style('bold', where)}`,
    wrapped(`${first.message} (${describeCitation(first, terminal)})`, '  '),
  ]
  // Commands are not wrapped, so that they can be copied.
  if (verbose) {
    lines.push(...renderDetails(group, terminal))
    if (curl !== undefined) lines.push(`  ${oneLine(curl)}`)
  } else if (findings.length > 1) {
    lines.push(`  ${atMost(summarizeOccurrences(group), width - 2)}`)
  }
  const repeated = buildRepeatCommand(group, terminal)
  if (repeated !== undefined) lines.push(`  ${oneLine(repeated)}`)
  return lines.join('\n')
}

/** Characters of the longest severity. */
const TAG_WIDTH = 'critical'.length

/** Occurrences that one line shows. */
const MAX_OCCURRENCES = 3

/** Says where a group was found, in one line. */
function summarizeOccurrences(group: Group): string {
  const occurrences = listOccurrences(group)
  const listed = occurrences.slice(0, MAX_OCCURRENCES)
  const hiddenCount = occurrences.length - listed.length
  if (hiddenCount > 0) listed.push(count(hiddenCount, 'more operation'))
  return oneLine(`Seen at ${listed.join('; ')}`)
}

/** Renders the details of a group, one a line, each after its label. */
function renderDetails(group: Group, terminal: Terminal): string[] {
  const { kind, id } = group.first
  // The citation stands behind the message.
  const details = listDetails(group, terminal).filter(([label]) => label !== 'Cites')
  const lines = [renderDetail('Finding', `${kind} ${id}`, terminal)]
  for (const [label, text] of details) lines.push(renderDetail(label, text, terminal))
  return lines
}

/** Renders a label, and its text beside it. */
function renderDetail(label: string, text: string, { wrapped }: Terminal): string {
  const indent = `  ${label.toLowerCase().padEnd(10)} `
  return indent + wrapped(text, ' '.repeat(indent.length)).trimStart()
}

/** Renders what to do next: the advice on the first finding, and where the full report is. */
function renderNextStep([group]: readonly Group[], terminal: Terminal): string {
  const lines: string[] = []
  if (group) {
    const { rule, advice } = group.first
    const page = buildPageUrl(rule, terminal)
    lines.push(terminal.wrapped(`Advice on ${rule}: ${advice}`))
    if (page) lines.push(`Rule: ${page}`)
  }
  if (terminal.html !== undefined) lines.push(`Full report: ${oneLine(terminal.html)}`)
  return lines.join('\n')
}
