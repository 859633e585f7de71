import { createHash } from 'node:crypto'
import type { Result, Verdict } from '../engine/result.ts'
import { CONTRACT_FAULTS, FAULT_COLUMNS, locatedFaults } from './contract-faults.ts'
import { operationShares, sharesOf, unseenOf } from './coverage.ts'
import { count, duration, number } from './format-text.ts'
import { findingsSection } from './html-findings.ts'
import { SCRIPT } from './html-script.ts'
import { STYLE } from './html-style.ts'
import { elementId, type Markup, markup, raw } from './markup.ts'
import type { ReportOptions } from './options.ts'
import { type JudgedRule, judgedRules, phasesOf } from './rule-results.ts'
import { factsOf, figuresOf, nameOf, outcomeOf, summaryOf } from './summary.ts'
import {
  type Column,
  OPERATION_COLUMNS,
  PHASE_COLUMNS,
  RULE_COLUMNS,
  SHARE_COLUMNS,
  VERDICT_COLUMNS,
} from './table-columns.ts'

/**
 * Renders a result as a single HTML file that loads nothing: its CSP admits only its own style and script, by hash.
 * Text of the service is escaped.
 *
 * @example
 * writeFileSync('report.html', renderHtml(result))
 */
export function renderHtml(result: Result, options: ReportOptions = {}): string {
  const title = `${result.contract.title}: ${nameOf(result)}`
  return markup`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="content-security-policy" content="${POLICY}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="referrer" content="no-referrer">
<title>${title}</title>
<link rel="icon" href="data:,">
<style>${raw(STYLE)}</style>
</head>
<body>
${headOf(result, options)}
<main>
${contractSection(result, options)}
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
    ...(result.contractFaults ? [['contract', 'Errors in the contract']] : []),
    ['findings', `Findings (${number(result.findings.length)})`],
    ['rules', 'Rules'],
    ...(result.verdicts.length > 0 ? [['questions', 'Open questions']] : []),
    ['coverage', 'Coverage'],
  ]
  return markup`<header>
<h1 class="outcome-${outcomeOf(result, options)}">${summaryOf(result, options)}</h1>
<p class="soft">${facts.join(' · ')}</p>
<dl class="figures">${figures}</dl>
<nav aria-label="Contents">${links.map(([id = '', text = '']) => markup`<a href="#${id}">${text}</a> `)}</nav>
</header>`
}

function contractSection(result: Result, options: ReportOptions): Markup | undefined {
  const faults = locatedFaults(result, options)
  if (faults.length === 0) return undefined
  return markup`<section aria-labelledby="contract">
<h2 id="contract">${CONTRACT_FAULTS}</h2>
${tableOf(FAULT_COLUMNS, faults)}
</section>`
}

/** Failed rules are shown, the others are folded. */
function rulesSection(result: Result): Markup {
  const rules = judgedRules(result)
  const of = (status: JudgedRule['status']) => rules.filter((it) => it.status === status)
  return markup`<section aria-labelledby="rules">
<h2 id="rules">Rules</h2>
${tableOf(PHASE_COLUMNS, phasesOf(result))}
${of('failed').length === 0 ? markup`<p>No rule failed.</p>` : ruleTable(of('failed'))}
${foldOf(`${count(of('not-assessed').length, 'rule')} not assessed`, of('not-assessed'), ruleTable)}
${foldOf(`${count(of('passed').length, 'rule')} passed`, of('passed'), ruleTable)}
</section>`
}

function ruleTable(rules: readonly JudgedRule[]): Markup {
  return tableOf(RULE_COLUMNS, rules, ({ rule, findings: [first] }) => ({
    id: elementId('rule', rule),
    link: first && elementId('finding', first.id),
  }))
}

/** Contradictions are shown, the others are folded. */
function verdictsSection({ verdicts }: Result): Markup | undefined {
  if (verdicts.length === 0) return undefined
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
${tableOf(OPERATION_COLUMNS, operationShares(result.coverage))}
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

/** The id of a row, and the link target of its first cell. */
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

function cellOf<Row>({ title, text, notes, as }: Column<Row>, row: Row, link: string | undefined): Markup {
  const value = shownAs(text(row), as, title)
  const below = (notes?.(row) ?? []).flatMap((it) =>
    it ? [markup`<br><span class="soft">${it}</span>`] : [],
  )
  const label = as === 'number' ? markup` data-label="${title}"` : undefined
  const linked = link === undefined ? value : markup`<a href="#${link}">${value}</a>`
  return markup`<td${classOf(as)}${label}>${linked}${below}</td>`
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
