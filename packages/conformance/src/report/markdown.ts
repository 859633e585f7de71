import { commandsOf, detailsOf, pageOf } from './findings.ts'
import { CHAPTERS, chapterOf, type Group, groupsOf } from './groups.ts'
import {
  belowFindings,
  type Cell,
  type Column,
  noteOf,
  type Part,
  sectionsOf,
  type Table,
  textOf,
} from './page.ts'
import type { Result } from './result.ts'
import { figuresOf, isFailing, outcomeOf, type ReportOptions, summaryOf } from './summary.ts'
import { atMost, count, duration, number, oneLine } from './text.ts'

/** GitHub rejects step summaries larger than 1 MiB. */
const MOST_FINDINGS = 50
const MOST_ROWS = 200
const MOST_TEXT = 500
const MOST_COMMAND = 5000

const SIGNS = { passed: '✅', failed: '❌', interrupted: '⏸️', inconclusive: '❔' } as const

/**
 * Renders a result for the summary of a CI job, with foldable details. Text of the service is
 * escaped.
 *
 * @example
 * appendFileSync(process.env.GITHUB_STEP_SUMMARY, renderMarkdown(result))
 */
export function renderMarkdown(result: Result, options: ReportOptions = {}): string {
  const groups = groupsOf(result.findings)
  const shown = groups.slice(0, MOST_FINDINGS)
  const hidden = groups.slice(MOST_FINDINGS).flatMap(({ findings }) => findings)

  const sections = [headingOf(result, options), figuresPart(result)]
  for (const { id, title } of CHAPTERS) {
    const ofChapter = shown.filter((group) => chapterOf(group) === id)
    if (ofChapter.length === 0) continue
    sections.push(`### ${title}`)
    sections.push(rows(OVERVIEW, ofChapter.map(overviewOf)))
    for (const group of ofChapter) sections.push(groupPart(group, options))
  }
  if (hidden.length > 0)
    sections.push(`${count(hidden.length, 'more finding')}: the other reports have all of them.`)
  for (const part of belowFindings(result)) sections.push(partOf(part))
  for (const { title, brief, parts } of sectionsOf(result))
    sections.push(details(`${title}: ${brief}`, parts.map(partOf).join('\n\n')))

  return `${sections.filter((section) => section !== '').join('\n\n')}\n`
}

function headingOf(result: Result, options: ReportOptions): string {
  // The user gave the URL of the service, so it may become a link.
  const summary = escaped(summaryOf(result, options)).replaceAll('&#58;//', '://')
  return `## ${SIGNS[outcomeOf(result, options)]} ${summary}`
}

function figuresPart(result: Result): string {
  const figures = figuresOf(result)
  const names = figures.map(([name]) => name)
  const values = figures.map(([, value]) => number(value))
  return rows([...names, 'Time'], [[...values, duration(result.ms)]])
}

const OVERVIEW = ['Severity', 'Rule', 'Message', 'Operations', 'Findings']

function overviewOf({ first, operations, findings }: Group): string[] {
  const names = operations.length > 0 ? operations.map(code).join(' ') : 'all'
  return [first.severity, code(first.rule), escaped(first.message), names, number(findings.length)]
}

function groupPart(group: Group, options: ReportOptions): string {
  const { first, operations } = group
  const { rule, kind, severity, message, id } = first
  const sign = isFailing(first, options) ? '🔴' : '🟡'
  const tag = severity === 'critical' ? `critical ${kind}` : kind
  const subject = [escaped(rule)]
  if (operations.length > 3) subject.push(count(operations.length, 'operation'))
  else subject.push(...operations.map(escaped))
  const title = `${sign} ${tag}: ${subject.join(', ')}: ${escaped(message)}`

  const url = pageOf(rule, options)
  const cells = detailsOf(group, options).map(([label, text]) => {
    const isLink = label === 'Rule' && url
    return [label, isLink ? `<a href="${encodeURI(url)}">${escaped(rule)}</a>` : escaped(text)]
  })
  const commands = commandsOf(first, options).map((command) => block(atMost(command, MOST_COMMAND)))
  return details(title, [rows(['Finding', code(id)], cells), ...commands].join('\n\n'))
}

function partOf(part: Part): string {
  if (typeof part === 'string') return escaped(part)
  if ('columns' in part) return table(part)
  const { title, fold } = part
  return details(title, 'commands' in fold ? block(fold.commands) : table(fold))
}

function details(title: string, body: string): string {
  if (body === '') return ''
  return `<details>\n<summary>${title}</summary>\n\n${body}\n\n</details>`
}

function table({ columns, rows: allRows }: Table): string {
  const titles = Object.keys(columns)
  const kinds = Object.values(columns)
  const shownRows = allRows.slice(0, MOST_ROWS)
  const cells = shownRows.map((row) => row.map((cell, i) => cellOf(cell, kinds[i])))
  const shown = rows(titles, cells)
  const hidden = allRows.length - shownRows.length
  return hidden > 0 ? `${shown}\n\n${count(hidden, 'more row')} in the other reports.` : shown
}

function cellOf(cell: Cell, column: Column | undefined): string {
  const text = textOf(cell)
  const note = noteOf(cell)
  const isCode = column === 'code' || column === 'rule'
  const shown = isCode ? code(text) : escaped(text)
  return note ? `${shown}<br>${escaped(note)}` : shown
}

function rows(titles: readonly string[], cells: readonly (readonly string[])[]): string {
  if (cells.length === 0) return ''
  const dashes = titles.map(() => '---')
  const lines = [titles, dashes, ...cells]
  return lines.map((line) => `| ${line.join(' | ')} |`).join('\n')
}

/**
 * Escapes characters that Markdown or HTML interprets. Escapes `_`, `#` and the like only where
 * they have a meaning. Names must not notify anybody, and addresses must not become links.
 */
function escaped(text: string): string {
  return atMost(oneLine(text), MOST_TEXT).replace(
    /[&<>|`*[\]\\{}~$@]|(?<!\w)_|_(?!\w)|^[#+=-]|^\d+(?=[.)] )|(?<=\w)#|:(?=\/\/)|(?<=\bwww)\./gi,
    (characters) => [...characters].map(entityOf).join(''),
  )
}

function entityOf(character: string): string {
  return `&#${character.codePointAt(0)};`
}

/** Uses HTML, because a `|` in a table ends a backtick span. */
function code(text: string): string {
  return text === '' ? '' : `<code>${escaped(text)}</code>`
}

/** The fence is longer than any in the text. */
function block(text: string): string {
  const runs = text.match(/`+/g) ?? []
  const lengths = runs.map((run) => run.length)
  const longest = Math.max(2, ...lengths)
  const fence = '`'.repeat(longest + 1)
  return `${fence}sh\n${text}\n${fence}`
}
