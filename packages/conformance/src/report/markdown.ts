import { buildPageUrl, listCommands, listDetails } from './findings.ts'
import { CHAPTERS, chooseChapter, type Group, groupFindings } from './groups.ts'
import {
  buildPartsBelowFindings,
  buildSections,
  type Cell,
  type Column,
  type Part,
  readNote,
  readText,
  type Table,
} from './page.ts'
import type { Result } from './result.ts'
import { chooseOutcome, isFailing, listFigures, type ReportOptions, summarize } from './summary.ts'
import { atMost, count, duration, number, oneLine } from './text.ts'

/** Limits of groups, rows and characters: GitHub rejects step summaries larger than 1 MiB. */
const MAX_GROUPS = 50
const MAX_ROWS = 200
const MAX_TEXT_LENGTH = 500
const MAX_COMMAND_LENGTH = 5000
/** A title names so many operations. More are only counted. */
const MAX_NAMED_OPERATIONS = 3

const SIGNS = { passed: '✅', failed: '❌', interrupted: '⏸️', inconclusive: '❔' } as const

/**
 * Renders a result for the summary of a CI job, with foldable details. Text of the service is
 * escaped.
 *
 * @example
 * appendFileSync(process.env.GITHUB_STEP_SUMMARY, renderMarkdown(result))
 */
export function renderMarkdown(result: Result, options: ReportOptions = {}): string {
  const blocks = [
    renderHeading(result, options),
    renderFigures(result),
    ...renderChapters(groupFindings(result.findings), options),
    ...buildPartsBelowFindings(result).map(renderPart),
  ]
  for (const { title, brief, parts } of buildSections(result))
    blocks.push(renderDetails(`${title}: ${brief}`, parts.map(renderPart).join('\n\n')))

  return `${blocks.filter((block) => block !== '').join('\n\n')}\n`
}

/**
 * Renders groups of findings below the titles of their chapters: a table of them, and each group that can be
 * unfolded. Findings of groups above a limit are only counted.
 */
function renderChapters(groups: readonly Group[], options: ReportOptions): string[] {
  const shownGroups = groups.slice(0, MAX_GROUPS)
  const blocks: string[] = []
  for (const { id, title } of CHAPTERS) {
    const ofChapter = shownGroups.filter((group) => chooseChapter(group) === id)
    if (ofChapter.length === 0) continue

    blocks.push(`### ${title}`)
    blocks.push(renderRows(OVERVIEW, ofChapter.map(renderOverviewRow)))
    for (const group of ofChapter) blocks.push(renderGroup(group, options))
  }

  const hiddenFindings = groups.slice(MAX_GROUPS).flatMap(({ findings }) => findings)
  if (hiddenFindings.length > 0)
    blocks.push(
      `${count(hiddenFindings.length, 'more finding')}: the other reports have all of them.`,
    )
  return blocks
}

/** Renders the outcome in one sentence. */
function renderHeading(result: Result, options: ReportOptions): string {
  // The user gave the URL of the service, so it may become a link.
  const summary = escapeText(summarize(result, options)).replaceAll('&#58;//', '://')
  return `## ${SIGNS[chooseOutcome(result, options)]} ${summary}`
}

/** Renders the figures of the run as a table with one row. */
function renderFigures(result: Result): string {
  const figures = listFigures(result)
  const names = figures.map(([name]) => name)
  const values = figures.map(([, value]) => number(value))
  return renderRows([...names, 'Time'], [[...values, duration(result.ms)]])
}

/** The columns of the table of a chapter. */
const OVERVIEW = ['Severity', 'Rule', 'Message', 'Operations', 'Findings']

/** Renders the cells of a group's row in the table of its chapter: severity, rule, message and so on. */
function renderOverviewRow({ first, operations, findings }: Group): string[] {
  const names = operations.length > 0 ? operations.map(renderCode).join(' ') : 'all'
  return [
    first.severity,
    renderCode(first.rule),
    escapeText(first.message),
    names,
    number(findings.length),
  ]
}

/** Renders a group that can be unfolded: its message, its details, and the commands that show it again. */
function renderGroup(group: Group, options: ReportOptions): string {
  const { rule, id } = group.first
  const linkToRule = renderLinkToRule(rule, options)
  const cells = listDetails(group, options).map(([label, text]) => {
    const value = label === 'Rule' ? linkToRule : escapeText(text)
    return [label, value]
  })
  const details = renderRows(['Finding', renderCode(id)], cells)
  const commands = listCommands(group.first, options).map((command) =>
    renderCodeBlock(atMost(command, MAX_COMMAND_LENGTH)),
  )
  return renderDetails(renderTitle(group, options), [details, ...commands].join('\n\n'))
}

/** Renders a link to the page of a rule; the id of the rule if the address of the docs is unknown. */
function renderLinkToRule(rule: string, options: ReportOptions): string {
  const url = buildPageUrl(rule, options)
  return url ? `<a href="${encodeURI(url)}">${escapeText(rule)}</a>` : escapeText(rule)
}

/** Renders the title of a group: `🔴 critical failure: lists-whole, listUsers: The list leaves out 2 records.` */
function renderTitle({ first, operations }: Group, options: ReportOptions): string {
  const { rule, kind, severity, message } = first
  const sign = isFailing(first, options) ? '🔴' : '🟡'
  const tag = severity === 'critical' ? `critical ${kind}` : kind
  const subject = [escapeText(rule)]
  if (operations.length > MAX_NAMED_OPERATIONS) subject.push(count(operations.length, 'operation'))
  else subject.push(...operations.map(escapeText))
  return `${sign} ${tag}: ${subject.join(', ')}: ${escapeText(message)}`
}

/** Renders a part of a section: a sentence, a table, or a title that unfolds a table or commands. */
function renderPart(part: Part): string {
  if (typeof part === 'string') return escapeText(part)
  if ('columns' in part) return renderTable(part)
  const { title, fold } = part
  return renderDetails(
    title,
    'commands' in fold ? renderCodeBlock(fold.commands) : renderTable(fold),
  )
}

/** Text below a title that unfolds it; empty if there is no text. */
function renderDetails(title: string, body: string): string {
  if (body === '') return ''
  return `<details>\n<summary>${title}</summary>\n\n${body}\n\n</details>`
}

/** Renders a table. Rows above a limit are only counted, since a summary on GitHub must not be too long. */
function renderTable({ columns, rows: allRows }: Table): string {
  const titles = Object.keys(columns)
  const kinds = Object.values(columns)
  const shownRows = allRows.slice(0, MAX_ROWS)
  const cells = shownRows.map((row) => row.map((cell, i) => renderCell(cell, kinds[i])))
  const rendered = renderRows(titles, cells)
  const hiddenCount = allRows.length - shownRows.length
  return hiddenCount > 0
    ? `${rendered}\n\n${count(hiddenCount, 'more row')} in the other reports.`
    : rendered
}

/** Renders the text of a cell, and its note below it. */
function renderCell(cell: Cell, column: Column | undefined): string {
  const text = readText(cell)
  const note = readNote(cell)
  const isCode = column === 'code' || column === 'rule'
  const rendered = isCode ? renderCode(text) : escapeText(text)
  return note ? `${rendered}<br>${escapeText(note)}` : rendered
}

/** Renders a Markdown table; empty if it has no rows. */
function renderRows(titles: readonly string[], cells: readonly (readonly string[])[]): string {
  if (cells.length === 0) return ''
  const dashes = titles.map(() => '---')
  const lines = [titles, dashes, ...cells]
  return lines.map((line) => `| ${line.join(' | ')} |`).join('\n')
}

/** What Markdown or HTML interprets on GitHub. */
const INTERPRETED = new RegExp(
  [
    // Characters with a meaning everywhere. Without `@`, names notify nobody.
    /[&<>|`*[\]\\{}~$@]/,
    // Emphasis, at the edge of a word.
    /(?<!\w)_|_(?!\w)/,
    // A heading or a list, at the beginning.
    /^[#+=-]|^\d+(?=[.)] )/,
    // A reference to an issue: `docs#7`.
    /(?<=\w)#/,
    // An address, which would become a link: `https://` and `www.`.
    /:(?=\/\/)|(?<=\bwww)\./,
  ]
    .map(({ source }) => source)
    .join('|'),
  'gi',
)

/** Escapes what Markdown or HTML interprets, and cuts off a long text. */
function escapeText(text: string): string {
  return atMost(oneLine(text), MAX_TEXT_LENGTH).replace(INTERPRETED, (characters) =>
    [...characters].map(toEntity).join(''),
  )
}

/** `&#124;` for `|`. */
function toEntity(character: string): string {
  return `&#${character.codePointAt(0)};`
}

/** Uses HTML, because a `|` in a table ends a backtick span. */
function renderCode(text: string): string {
  return text === '' ? '' : `<code>${escapeText(text)}</code>`
}

/** Renders a block of shell commands. Its fence is longer than any in the text. */
function renderCodeBlock(text: string): string {
  const runs = text.match(/`+/g) ?? []
  const lengths = runs.map((run) => run.length)
  const longest = Math.max(2, ...lengths)
  const fence = '`'.repeat(longest + 1)
  return `${fence}sh\n${text}\n${fence}`
}
