import { commandsOf, detailsOf, type Group, groupsOf, pageOf } from './findings.ts'
import { belowFindings, type Part, sectionsOf, type Table } from './page.ts'
import type { Result } from './result.ts'
import { figuresOf, isFailing, outcomeOf, type ReportOptions, summaryOf } from './summary.ts'
import { atMost, count, duration, number, oneLine } from './text.ts'

/** GitHub rejects step summaries larger than 1 MiB. */
const MOST_FINDINGS = 50
const MOST_ROWS = 200
const MOST_TEXT = 500
const MOST_COMMAND = 5000

const SIGNS = { passed: '✅', failed: '❌', interrupted: '⏸️' } as const

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
  const figures = [
    ...figuresOf(result).map(([name, value]) => [name, number(value)]),
    ['Time', duration(result.ms)],
  ]
  const sections = [
    // The user gave the URL of the service, so it may become a link.
    `## ${SIGNS[outcomeOf(result, options)]} ${escaped(summaryOf(result, options)).replaceAll('&#58;//', '://')}`,
    rows(
      figures.map(([name = '']) => name),
      [figures.map(([, value = '']) => value)],
    ),
    rows(['Severity', 'Rule', 'Message', 'Operations', 'Findings'], shown.map(overviewOf)),
    ...shown.map((it) => groupPart(it, options)),
    hidden.length > 0
      ? `${count(hidden.length, 'more finding')}: the other reports have all of them.`
      : '',
    ...belowFindings(result).map(partOf),
    ...sectionsOf(result).map(({ title, brief, parts }) =>
      details(`${title}: ${brief}`, parts.map(partOf).join('\n\n')),
    ),
  ]
  return `${sections.filter(Boolean).join('\n\n')}\n`
}

function overviewOf({ first, operations, findings }: Group): string[] {
  const names = operations.length > 0 ? operations.map(code).join(' ') : 'all'
  return [first.severity, code(first.rule), escaped(first.message), names, number(findings.length)]
}

function groupPart(group: Group, options: ReportOptions): string {
  const { first, operations } = group
  const { rule, kind, severity, message, id } = first
  const where =
    operations.length > 3
      ? count(operations.length, 'operation')
      : operations.map(escaped).join(', ')
  const tag = severity === 'critical' ? `critical ${kind}` : kind
  const title = `${isFailing(first, options) ? '🔴' : '🟡'} ${tag}: ${escaped(rule)}${where && `, ${where}`}: ${escaped(message)}`
  const url = pageOf(rule, options)
  const cells = detailsOf(group, options).map(([label, text]) => [
    label,
    label === 'Rule' && url ? `<a href="${encodeURI(url)}">${escaped(rule)}</a>` : escaped(text),
  ])
  const commands = commandsOf(first, options).map((it) => block(atMost(it, MOST_COMMAND)))
  return details(title, [rows(['Finding', code(id)], cells), ...commands].join('\n\n'))
}

function partOf(part: Part): string {
  if (typeof part === 'string') return escaped(part)
  if ('columns' in part) return table(part)
  const { title, fold } = part
  return details(title, 'commands' in fold ? block(fold.commands) : table(fold))
}

function details(title: string, body: string): string {
  return body && `<details>\n<summary>${title}</summary>\n\n${body}\n\n</details>`
}

function table({ columns, rows: all }: Table): string {
  const titles = Object.keys(columns)
  const cells = all.slice(0, MOST_ROWS).map((row) =>
    row.map((cell, i) => {
      const [text = '', note] = [cell].flat()
      const shown = /^(code|rule)$/.test(columns[titles[i] ?? ''] ?? '')
        ? code(text)
        : escaped(text)
      return note ? `${shown}<br>${escaped(note)}` : shown
    }),
  )
  const hidden = all.length - cells.length
  return (
    rows(titles, cells) +
    (hidden > 0 ? `\n\n${count(hidden, 'more row')} in the other reports.` : '')
  )
}

function rows(titles: readonly string[], cells: readonly (readonly string[])[]): string {
  if (cells.length === 0) return ''
  return [titles, titles.map(() => '---'), ...cells].map((it) => `| ${it.join(' | ')} |`).join('\n')
}

/**
 * Escapes characters that Markdown or HTML interprets. Escapes `_`, `#` and the like only where
 * they have a meaning. Names must not notify anybody, and addresses must not become links.
 */
function escaped(text: string): string {
  return atMost(oneLine(text), MOST_TEXT).replace(
    /[&<>|`*[\]\\{}~$@]|(?<!\w)_|_(?!\w)|^[#+=-]|^\d+(?=[.)] )|(?<=\w)#|:(?=\/\/)|(?<=\bwww)\./gi,
    (characters) => [...characters].map((it) => `&#${it.codePointAt(0)};`).join(''),
  )
}

/** Uses HTML, because a `|` in a table ends a backtick span. */
function code(text: string): string {
  return text && `<code>${escaped(text)}</code>`
}

/** The fence is longer than any in the text. */
function block(text: string): string {
  const longest = Math.max(2, ...[...text.matchAll(/`+/g)].map(([run]) => run.length))
  const fence = '`'.repeat(longest + 1)
  return `${fence}sh\n${text}\n${fence}`
}
