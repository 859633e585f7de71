import type { Result, Verdict } from '../engine/result.ts'
import { oneLine } from '../model/visible.ts'
import { CONTRACT_FAULTS, FAULT_COLUMNS, locatedFaults } from './contract-faults.ts'
import { sharesOf } from './coverage.ts'
import { commandsOf, detailsOf, pageOf, variablesOf } from './finding-details.ts'
import { type Group, groupsOf } from './finding-groups.ts'
import { atMost, count, duration, number } from './format-text.ts'
import { isFailing, type ReportOptions } from './options.ts'
import { judgedRules, phasesOf } from './rule-results.ts'
import { figuresOf, outcomeOf, summaryOf } from './summary.ts'
import { type Column, PHASE_COLUMNS, RULE_COLUMNS, SHARE_COLUMNS, VERDICT_COLUMNS } from './table-columns.ts'

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
  const sections = [
    `## ${SIGNS[outcomeOf(result, options)]} ${headlineOf(result, options)}`,
    row(
      figures.map(([name]) => name),
      [figures.map(([, value]) => value)],
    ),
    contractPart(result, options),
    row(
      ['Severity', 'Rule', 'Message', 'Operations', 'Findings'],
      shown.map((it) => overviewOf(it)),
    ),
    ...shown.map((it) => groupPart(it, result, options)),
    hidden.length > 0 ? `${count(hidden.length, 'more finding')}: the other reports have all of them.` : '',
    baselinePart(result),
    variablesPart(result),
    details('Phases', table(PHASE_COLUMNS, phasesOf(result))),
    details('Rules that could not judge every case', rulesOf(result)),
    details(verdictTitle(result), table(VERDICT_COLUMNS, ranked(result.verdicts))),
    details('Coverage', table(SHARE_COLUMNS, sharesOf(result))),
  ]
  return `${sections.filter(Boolean).join('\n\n')}\n`
}

function contractPart(result: Result, options: ReportOptions): string {
  const faults = locatedFaults(result, options).slice(0, MOST_FINDINGS)
  return faults.length > 0 ? `### ${CONTRACT_FAULTS}\n\n${table(FAULT_COLUMNS, faults)}` : ''
}

function overviewOf({ first, operations, findings }: Group): string[] {
  const names = operations.length > 0 ? operations.map(code).join(' ') : 'all'
  return [first.severity, code(first.rule), escaped(first.message), names, number(findings.length)]
}

function groupPart(group: Group, result: Result, options: ReportOptions): string {
  const { first, operations } = group
  const { rule, kind, severity, message, id } = first
  const where =
    operations.length > 3 ? count(operations.length, 'operation') : operations.map(escaped).join(', ')
  const tag = severity === 'critical' ? `critical ${kind}` : kind
  const title = `${isFailing(first, options) ? '🔴' : '🟡'} ${tag}: ${escaped(rule)}${where && `, ${where}`}: ${escaped(message)}`
  const url = pageOf(rule, options)
  const rows = detailsOf(group, result, options).map(([label, text]) => [
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
  return details('Set the variables of the commands', lines && block(lines))
}

function rulesOf(result: Result): string {
  const rules = judgedRules(result).filter(({ reason, inconclusive }) => reason || inconclusive > 0)
  return table(RULE_COLUMNS, rules)
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
    columns.map(({ text, notes, as }) => {
      const own = as === 'code' ? code(text(it)) : escaped(text(it))
      const below = as === 'code' ? [] : (notes?.(it) ?? []).flatMap((note) => (note ? [escaped(note)] : []))
      return [own, ...below].join('<br>')
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
