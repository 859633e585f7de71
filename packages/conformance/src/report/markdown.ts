import { sharesOf } from './coverage.ts'
import { commandsOf, detailsOf, type Group, groupsOf, pageOf, variablesOf } from './details.ts'
import { isFailing, type ReportOptions } from './options.ts'
import type { Result, Verdict } from './result.ts'
import { figuresOf, outcomeOf, summaryOf } from './summary.ts'
import {
  type Column,
  RULE_COLUMNS,
  SHARE_COLUMNS,
  SUBJECT_COLUMNS,
  subjectsOf,
  VERDICT_COLUMNS,
} from './tables.ts'
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
    ...figuresOf(result).map(([name, value]) => [name, number(value)] as const),
    ['Time', duration(result.ms)] as const,
  ]
  const without = result.rules.filter(({ status }) => status === 'inconclusive' || status === 'not-assessed')
  const sections = [
    `## ${SIGNS[outcomeOf(result, options)]} ${headlineOf(result, options)}`,
    row(
      figures.map(([name]) => name),
      [figures.map(([, value]) => value)],
    ),
    row(['Severity', 'Rule', 'Message', 'Operations', 'Findings'], shown.map(overviewOf)),
    ...shown.map((it) => groupPart(it, options)),
    hidden.length > 0 ? `${count(hidden.length, 'more finding')}: the other reports have all of them.` : '',
    baselinePart(result),
    details('Set the variables of the commands', variablesPart(result)),
    details('Rules by subject', table(SUBJECT_COLUMNS, subjectsOf(result))),
    details('Rules without a case', table(RULE_COLUMNS, without)),
    details(verdictTitle(result), table(VERDICT_COLUMNS, ranked(result.verdicts))),
    details('Coverage', table(SHARE_COLUMNS, sharesOf(result))),
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
  const rows = detailsOf(group, options).map(([label, text]) => [
    label,
    label === 'Rule' && url ? `<a href="${encodeURI(url)}">${escaped(rule)}</a>` : escaped(text),
  ])
  const commands = commandsOf(first, options).map((it) => block(atMost(it, MOST_COMMAND)))
  return details(title, [row(['Finding', code(id)], rows), ...commands].join('\n\n'))
}

function baselinePart({ baselined }: Result): string {
  const rows = baselined
    .slice(0, MOST_FINDINGS)
    .map(({ id, message, until, why }) => [code(id), ...[message, until, why].map(escaped)])
  const title = `${count(baselined.length, 'finding')} that the baseline accepts`
  return details(title, row(['Finding', 'Message', 'Until', 'Why'], rows))
}

function variablesPart(result: Result): string {
  const lines = variablesOf(result).map(oneLine).join('\n')
  return lines && block(lines)
}

function verdictTitle({ verdicts }: Result): string {
  const of = (verdict: Verdict['verdict']) => verdicts.filter((it) => it.verdict === verdict).length
  return `Open questions: ${of('confirmed')} confirmed, ${of('contradicted')} contradicted, ${of('not-exercised')} not exercised`
}

function ranked(verdicts: readonly Verdict[]): Verdict[] {
  const order: readonly Verdict['verdict'][] = ['contradicted', 'confirmed', 'not-exercised']
  return order.flatMap((verdict) => verdicts.filter((it) => it.verdict === verdict))
}

function details(title: string, body: string): string {
  return body && `<details>\n<summary>${title}</summary>\n\n${body}\n\n</details>`
}

function table<Row>(columns: readonly Column<Row>[], rows: readonly Row[]): string {
  const titles = columns.map(({ title }) => title)
  const cells = rows.map((it) =>
    columns.map(({ text, note, as }) => {
      const below = as === 'code' ? undefined : note?.(it)
      const own = as === 'code' ? code(text(it)) : escaped(text(it))
      return below ? `${own}<br>${escaped(below)}` : own
    }),
  )
  return row(titles, cells)
}

function row(titles: readonly string[], cells: readonly (readonly string[])[]): string {
  if (cells.length === 0) return ''
  return [titles, titles.map(() => '---'), ...cells].map((it) => `| ${it.join(' | ')} |`).join('\n')
}

/** The user gave the URL of the service, so it may become a link. */
function headlineOf(result: Result, options: ReportOptions): string {
  return escaped(summaryOf(result, options)).replaceAll('&#58;//', '://')
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
