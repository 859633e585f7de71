import { createHash } from 'node:crypto'
import { sharesOf, unseenOf } from './coverage.ts'
import { findingsSection } from './html-findings.ts'
import { SCRIPT } from './html-script.ts'
import { STYLE } from './html-style.ts'
import { elementId, type Markup, markup, raw } from './markup.ts'
import type { ReportOptions } from './options.ts'
import type { Result, RuleResult, Verdict } from './result.ts'
import { factsOf, figuresOf, nameOf, outcomeOf, summaryOf } from './summary.ts'
import {
  type Column,
  OPERATION_COLUMNS,
  RULE_COLUMNS,
  SHARE_COLUMNS,
  SUBJECT_COLUMNS,
  subjectsOf,
  VERDICT_COLUMNS,
} from './tables.ts'
import { count, duration, number } from './text.ts'

/**
 * Renders a result as a single HTML file that loads nothing: its CSP admits only its own style and script, by hash.
 * Text of the service is escaped.
 *
 * @example
 * writeFileSync('report.html', renderHtml(result))
 */
export function renderHtml(result: Result, options: ReportOptions = {}): string {
  return markup`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="content-security-policy" content="${POLICY}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="referrer" content="no-referrer">
<title>${result.contract.title}: ${nameOf(result)}</title>
<link rel="icon" href="data:,">
<style>${raw(STYLE)}</style>
</head>
<body>
${headOf(result, options)}
<main>
${findingsSection(result, options)}
${rulesSection(result)}
${verdictsSection(result)}
${coverageSection(result)}
</main>
<script>${raw(SCRIPT)}</script>
</body>
</html>
`.html
}

const POLICY = [
  "default-src 'none'",
  `style-src '${hashOf(STYLE)}'`,
  `script-src '${hashOf(SCRIPT)}'`,
  'img-src data:',
  "base-uri 'none'",
  "form-action 'none'",
].join('; ')

function hashOf(text: string): string {
  return `sha256-${createHash('sha256').update(text).digest('base64')}`
}

function headOf(result: Result, options: ReportOptions): Markup {
  const facts = [
    ...factsOf(result, options),
    result.startedAt,
    `${count(result.requests, 'request')} in ${duration(result.ms)}`,
  ]
  const figures = figuresOf(result).map(
    ([name, value]) => markup`<div><dt>${name}</dt><dd>${number(value)}</dd></div>`,
  )
  const links = [
    ['findings', `Findings (${number(result.findings.length)})`],
    ['rules', 'Rules'],
    ['questions', 'Open questions'],
    ['coverage', 'Coverage'],
  ]
  return markup`<header>
<h1 class="outcome-${outcomeOf(result, options)}">${summaryOf(result, options)}</h1>
<p class="soft">${facts.join(' · ')}</p>
<dl class="figures">${figures}</dl>
<nav aria-label="Contents">${links.map(([id = '', text = '']) => markup`<a href="#${id}">${text}</a> `)}</nav>
</header>`
}

/** Failed rules are shown, the others are folded. */
function rulesSection(result: Result): Markup {
  const of = (status: RuleResult['status']) => result.rules.filter((it) => it.status === status)
  const ruleTable = (rules: readonly RuleResult[]) =>
    tableOf(RULE_COLUMNS, rules, ({ rule }) => ({
      id: elementId('rule', rule),
      link: result.findings.find((it) => it.rule === rule)?.id,
    }))
  const folded = (['inconclusive', 'not-assessed', 'passed'] as const).map(
    (it) => foldOf(`${count(of(it).length, 'rule')} ${it.replace('-', ' ')}`, of(it), ruleTable) ?? markup``,
  )
  return markup`<section aria-labelledby="rules">
<h2 id="rules">Rules</h2>
${tableOf(SUBJECT_COLUMNS, subjectsOf(result))}
${of('failed').length === 0 ? markup`<p>No rule failed.</p>` : ruleTable(of('failed'))}
${folded}
</section>`
}

/** Contradictions are shown, the others are folded. */
function verdictsSection({ verdicts }: Result): Markup {
  const of = (verdict: Verdict['verdict']) => verdicts.filter((it) => it.verdict === verdict)
  const tableFor = (all: readonly Verdict[]) => tableOf(VERDICT_COLUMNS, all)
  const contradicted = of('contradicted')
  return markup`<section aria-labelledby="questions">
<h2 id="questions">Open questions</h2>
${contradicted.length === 0 ? markup`<p>None is contradicted.</p>` : tableFor(contradicted)}
${foldOf(`${number(of('confirmed').length)} confirmed`, of('confirmed'), tableFor)}
${foldOf(`${number(of('not-exercised').length)} not exercised`, of('not-exercised'), tableFor)}
</section>`
}

function coverageSection(result: Result): Markup {
  return markup`<section aria-labelledby="coverage">
<h2 id="coverage">Coverage</h2>
${tableOf(SHARE_COLUMNS, sharesOf(result))}
<h3>By operation</h3>
${tableOf(OPERATION_COLUMNS, result.coverage.operations)}
${[...unseenOf(result)].map(([title, all]) => foldOf(`${title}: ${number(all.length)}`, all, listOf) ?? markup``)}
</section>`
}

function listOf(items: readonly string[]): Markup {
  return markup`<ul>${items.map((it) => markup`<li><code>${it}</code></li>`)}</ul>`
}

function foldOf<T>(
  title: string,
  rows: readonly T[],
  body: (rows: readonly T[]) => Markup,
): Markup | undefined {
  if (rows.length === 0) return undefined
  return markup`<details><summary>${title}</summary>${body(rows)}</details>
`
}

/** The id of a row, and the finding that its first cell links to. */
interface Anchors {
  readonly id?: string
  readonly link?: string | undefined
}

function tableOf<Row>(
  columns: readonly Column<Row>[],
  rows: readonly Row[],
  anchorsOf: (row: Row) => Anchors = () => ({}),
): Markup {
  const heads = columns.map(({ title, as }) => markup`<th${classOf(as)}>${as === 'bar' ? '' : title}</th>`)
  const bodies = rows.map((row) => {
    const { id, link } = anchorsOf(row)
    const cells = columns.map((column, i) => cellOf(column, row, i === 0 ? link : undefined))
    return markup`<tr${id === undefined ? undefined : markup` id="${id}"`}>${cells}</tr>
`
  })
  return markup`<div class="scroll"><table class="stack"><thead><tr>${heads}</tr></thead><tbody>
${bodies}</tbody></table></div>`
}

function cellOf<Row>({ title, text, note, as }: Column<Row>, row: Row, link: string | undefined): Markup {
  const value = shownAs(text(row), as, title)
  const below = note?.(row)
  const soft = below ? markup`<br><span class="soft">${below}</span>` : undefined
  const label = as === 'number' ? markup` data-label="${title}"` : undefined
  const linked = link === undefined ? value : markup`<a href="#${elementId('finding', link)}">${value}</a>`
  return markup`<td${classOf(as)}${label}>${linked}${soft}</td>`
}

function classOf(as: string | undefined): Markup | undefined {
  return as === undefined || as === 'code' ? undefined : markup` class="${as}"`
}

/** Colours of results. Others are neutral. */
const TONES: Readonly<Record<string, string>> = {
  failed: 'bad',
  contradicted: 'bad',
  passed: 'good',
  confirmed: 'good',
}

function shownAs(value: string, as: Column<never>['as'], title: string): Markup {
  if (as === 'code') return markup`<code>${value}</code>`
  if (as === 'result') return markup`<span class="tag ${TONES[value] ?? 'plain'}">${value}</span>`
  if (as === 'bar' && value !== '')
    return markup`<meter min="0" max="100" value="${value}" aria-label="${title}: ${value}"></meter>`
  return markup`${value}`
}
