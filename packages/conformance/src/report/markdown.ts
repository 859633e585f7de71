import { commandsOf, detailsOf, type Group, groupsOf, pageOf, variablesOf } from './findings.ts'
import type { Result, Verdict } from './result.ts'
import {
  figuresOf,
  isFailing,
  outcomeOf,
  type ReportOptions,
  ruleTable,
  shareTable,
  subjectTable,
  summaryOf,
  type Table,
  verdictCounts,
  verdictTable,
} from './summary.ts'
import { atMost, count, duration, number, oneLine } from './text.ts'

/** GitHub rejects step summaries larger than 1 MiB. */
const MOST_FINDINGS = 50
const MOST_TEXT = 500
const MOST_COMMAND = 5000

const SIGNS = { passed: '✅', failed: '❌', interrupted: '⏸️' } as const

/**
 * Renders a result for the summary of a CI job, with foldable details. Text of the service is escaped.
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
  const without = result.rules.filter(({ status }) => status === 'inconclusive' || status === 'not-assessed')
  const variables = variablesOf(result).map(oneLine).join('\n')
  const sections = [
    // The user gave the URL of the service, so it may become a link.
    `## ${SIGNS[outcomeOf(result, options)]} ${escaped(summaryOf(result, options)).replaceAll('&#58;//', '://')}`,
    rows(
      figures.map(([name = '']) => name),
      [figures.map(([, value = '']) => value)],
    ),
    rows(['Severity', 'Rule', 'Message', 'Operations', 'Findings'], shown.map(overviewOf)),
    ...shown.map((it) => groupPart(it, options)),
    hidden.length > 0 ? `${count(hidden.length, 'more finding')}: the other reports have all of them.` : '',
    baselinePart(result),
    details('Set the variables of the commands', variables && block(variables)),
    details('Rules by subject', table(subjectTable(result))),
    details('Rules without a case', table(ruleTable(without))),
    details(verdictCounts(result).replace(/\.$/, ''), table(verdictTable(ranked(result.verdicts)))),
    details('Coverage', table(shareTable(result))),
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
    operations.length > 3 ? count(operations.length, 'operation') : operations.map(escaped).join(', ')
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

function baselinePart({ baselined }: Result): string {
  const cells = baselined
    .slice(0, MOST_FINDINGS)
    .map(({ id, message, until, why }) => [code(id), ...[message, until, why].map(escaped)])
  const title = `${count(baselined.length, 'finding')} that the baseline accepts`
  return details(title, rows(['Finding', 'Message', 'Until', 'Why'], cells))
}

function ranked(verdicts: readonly Verdict[]): Verdict[] {
  const order: readonly Verdict['verdict'][] = ['contradicted', 'confirmed', 'not-exercised']
  return verdicts.toSorted((a, b) => order.indexOf(a.verdict) - order.indexOf(b.verdict))
}

function details(title: string, body: string): string {
  return body && `<details>\n<summary>${title}</summary>\n\n${body}\n\n</details>`
}

function table({ columns, rows: all }: Table): string {
  const cells = all.map((row) =>
    row.map((cell, i) => {
      const [text = '', note] = [cell].flat()
      if (columns[i]?.[1] === 'code') return code(text)
      return note ? `${escaped(text)}<br>${escaped(note)}` : escaped(text)
    }),
  )
  return rows(
    columns.map(([title]) => title),
    cells,
  )
}

function rows(titles: readonly string[], cells: readonly (readonly string[])[]): string {
  if (cells.length === 0) return ''
  return [titles, titles.map(() => '---'), ...cells].map((it) => `| ${it.join(' | ')} |`).join('\n')
}

/**
 * Escapes characters that Markdown or HTML interprets. Escapes `_`, `#` and the like only where they have a
 * meaning. Names must not notify anybody, and addresses must not become links.
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
