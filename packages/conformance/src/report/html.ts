import { createHash } from 'node:crypto'
import { commandsOf, detailsOf, type Group, groupsOf, pageOf, variablesOf } from './findings.ts'
import { SCRIPT, STYLE } from './html-page.ts'
import type { Finding, Result } from './result.ts'
import {
  factsOf,
  figuresOf,
  isFailing,
  nameOf,
  operationTable,
  outcomeOf,
  type ReportOptions,
  ruleTable,
  shareTable,
  subjectTable,
  summaryOf,
  type Table,
  verdictTable,
  worded,
} from './summary.ts'
import { atMost, count, duration, type Markup, markup, number, oneLine, raw } from './text.ts'

/**
 * Renders a result as a single HTML file that loads nothing: its CSP admits only its own style and script, by hash.
 * Text of the service is escaped.
 *
 * @example
 * writeFileSync('report.html', renderHtml(result))
 */
export function renderHtml(result: Result, options: ReportOptions = {}): string {
  const sections = [
    ['findings', 'Findings', findingsPart(result, options)],
    ['rules', 'Rules', rulesPart(result)],
    ['questions', 'Open questions', questionsPart(result)],
    ['coverage', 'Coverage', coveragePart(result)],
  ] as const
  const links = sections.map(([id, title]) => {
    const amount = id === 'findings' ? ` (${number(result.findings.length)})` : ''
    return markup`<a href="#${id}">${title}${amount}</a> `
  })
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
<header>
${headPart(result, options)}
<nav aria-label="Contents">${links}</nav>
</header>
<main>
${sections.map(
  ([id, title, body]) => markup`<section aria-labelledby="${id}">
<h2 id="${id}">${title}</h2>
${body}
</section>
`,
)}</main>
<script>${raw(SCRIPT)}</script>
</body>
</html>
`.html
}

const [STYLE_HASH, SCRIPT_HASH] = [STYLE, SCRIPT].map((it) =>
  createHash('sha256').update(it).digest('base64'),
)
const POLICY = `default-src 'none'; style-src 'sha256-${STYLE_HASH}'; script-src 'sha256-${SCRIPT_HASH}'; img-src data:; base-uri 'none'; form-action 'none'`

function headPart(result: Result, options: ReportOptions): Markup {
  const size = `${count(result.requests, 'request')} in ${duration(result.ms)}`
  const figures = figuresOf(result).map(
    ([name, value]) => markup`<div><dt>${name}</dt><dd>${number(value)}</dd></div>`,
  )
  return markup`<h1 class="outcome-${outcomeOf(result, options)}">${summaryOf(result, options)}</h1>
<p class="soft">${[...factsOf(result, options), result.startedAt, size].join(' · ')}</p>
<dl class="figures">${figures}</dl>`
}

function findingsPart(result: Result, options: ReportOptions): Markup {
  const { findings, baselined } = result
  const variables = variablesOf(result)
  const accepted = baselined.map(
    ({ id, rule, operation, message, until, why }) =>
      markup`<code>${id}</code> ${[rule, operation].filter(Boolean).join(' · ')}: ${message} <span class="soft">Until ${until}: ${why}</span>`,
  )
  return markup`${findings.length === 0 ? markup`<p>None.</p>` : formOf(findings)}
${groupsOf(findings).map((group) => articleOf(group, options))}
${fold(`${count(baselined.length, 'finding')} that the baseline accepts`, accepted, bulleted)}
${fold('Set the variables of the commands', variables, (lines) => commandBox(lines.join('\n')))}`
}

const FILTERS: readonly (readonly [label: string, name: string, of: (finding: Finding) => string])[] = [
  ['Kind', 'kind', ({ kind }) => kind],
  ['Rule', 'rule', ({ rule }) => rule],
  ['Operation', 'operation', ({ operation = '' }) => operation],
]

function formOf(findings: readonly Finding[]): Markup {
  const selects = FILTERS.map(([label, name, of]) => {
    const values = [...new Set(findings.map(of))].filter(Boolean).sort()
    const options = values.map((it) => markup`<option>${it}</option>`)
    return markup`<label>${label} <select name="${name}"><option value="">all</option>${options}</select></label>
`
  })
  return markup`<form hidden role="search">
<label class="search">Search <input name="text" type="search" autocomplete="off"></label>
${selects}<output aria-live="polite"></output>
</form>`
}

/** Limits a detail, because the whole request is shown below. */
const MOST = 400

function articleOf(group: Group, options: ReportOptions): Markup {
  const { first, findings, operations } = group
  const { rule, kind, severity, message } = first
  const where = operations.length > 1 ? count(operations.length, 'operation') : (operations[0] ?? '')
  const critical = severity === 'critical' ? markup`<span class="tag critical">critical</span>` : undefined
  const url = pageOf(rule, options)
  const details = detailsOf(group, options).map(([label, text]) => {
    const page = url ? markup`<a href="${url}">${text}</a>` : text
    const link = markup`<a href="#${elementId('rule', rule)}">${rule}</a>: ${page}`
    return markup`<div><dt>${label}</dt><dd>${label === 'Rule' ? link : atMost(text, MOST)}</dd></div>
`
  })
  return markup`<article class="${isFailing(first, options) ? 'failing' : ''}">
<details><summary>${critical}<span class="tag">${kind}</span> <strong>${message}</strong> <span class="soft">${[rule, where].filter(Boolean).join(' · ')}</span></summary>
<dl class="sides">${details}</dl>
<ul class="findings">${findings.map((it) => itemOf(it, options))}</ul>
</details>
</article>
`
}

function itemOf(finding: Finding, options: ReportOptions): Markup {
  const { id, operation = 'all operations' } = finding
  const { method, path, request, status, response, requestId } = finding.evidence
  const fragment = elementId('finding', id)
  const data = FILTERS.map(([, name, of]) => markup` data-${name}="${of(finding)}"`)
  return markup`<li class="finding" id="${fragment}"${data}>
<p><strong>${operation}</strong> <a href="#${fragment}"><code>${id}</code></a> <span class="soft">${count(finding.count, 'case')}</span></p>
<details><summary>Show it again; the request and the response</summary>
${commandsOf(finding, options).map(commandBox)}
<pre>${method} ${path}${request ? `\n\n${request}` : ''}</pre>
<pre>${status ?? 'no response'}${requestId ? `\nx-request-id: ${requestId}` : ''}${response ? `\n\n${response}` : ''}</pre>
</details>
</li>
`
}

/** An element id that needs no escaping. */
function elementId(kind: 'rule' | 'finding', id: string): string {
  return `${kind}-${oneLine(id).replace(/[^\w:.-]+/g, '-')}`
}

function commandBox(command: string): Markup {
  return markup`<div class="command"><button type="button" hidden>Copy</button><pre>${command}</pre></div>`
}

/** Failed rules are shown, the others are folded. */
function rulesPart(result: Result): Markup {
  const { failed = [], ...others } = Object.groupBy(result.rules, ({ status }) => status)
  const tableFor = (rules: Result['rules']) =>
    tableOf(
      ruleTable(rules),
      rules.map(({ rule }) => [elementId('rule', rule), result.findings.find((it) => it.rule === rule)?.id]),
    )
  const folded = (['inconclusive', 'not-assessed', 'passed'] as const).map((status) => {
    const rules = others[status] ?? []
    return fold(`${count(rules.length, 'rule')} ${worded(status)}`, rules, tableFor)
  })
  return markup`${tableOf(subjectTable(result))}
${failed.length === 0 ? markup`<p>No rule failed.</p>` : tableFor(failed)}
${folded}`
}

/** Contradictions are shown, the others are folded. */
function questionsPart({ verdicts }: Result): Markup {
  const {
    contradicted = [],
    confirmed = [],
    'not-exercised': open = [],
  } = Object.groupBy(verdicts, ({ verdict }) => verdict)
  const tableFor = (all: Result['verdicts']) => tableOf(verdictTable(all))
  return markup`${contradicted.length === 0 ? markup`<p>None is contradicted.</p>` : tableFor(contradicted)}
${fold(`${number(confirmed.length)} confirmed`, confirmed, tableFor)}
${fold(`${number(open.length)} not exercised`, open, tableFor)}`
}

function coveragePart(result: Result): Markup {
  const { operations, rows } = result.coverage
  const unused = operations.flatMap((it) => (it.successes > 0 ? [] : [markup`<code>${it.operation}</code>`]))
  const unseen = rows.filter(({ seen }) => seen === 0)
  const names = unseen.map((it) => markup`<code>${it.operation} ${it.status} ${it.mediaType}</code>`)
  return markup`${tableOf(shareTable(result))}
<h3>By operation</h3>
${tableOf(operationTable(result))}
${fold(`Operations without a success: ${number(unused.length)}`, unused, bulleted)}
${fold(`Statuses and media types never returned: ${number(names.length)}`, names, bulleted)}`
}

function bulleted(items: readonly Markup[]): Markup {
  return markup`<ul>${items.map((it) => markup`<li>${it}</li>`)}</ul>`
}

/** Nothing without items. */
function fold<T>(title: string, items: readonly T[], body: (items: readonly T[]) => Markup): Markup {
  return items.length === 0
    ? markup``
    : markup`<details><summary>${title}</summary>${body(items)}</details>
`
}

/** @param anchors The id of each row, and the finding that its first cell links to. */
function tableOf(
  { columns, rows }: Table,
  anchors: readonly (readonly [id: string, finding: string | undefined])[] = [],
): Markup {
  const heads = columns.map(([title, as]) => markup`<th${classOf(as)}>${as === 'bar' ? '' : title}</th>`)
  const bodies = rows.map((row, i) => {
    const [id, finding] = anchors[i] ?? []
    const cells = row.map((cell, j) => cellOf(cell, columns[j] ?? [''], j === 0 ? finding : undefined))
    return markup`<tr${id === undefined ? undefined : markup` id="${id}"`}>${cells}</tr>
`
  })
  return markup`<div class="scroll"><table><thead><tr>${heads}</tr></thead><tbody>
${bodies}</tbody></table></div>`
}

function cellOf(
  cell: Table['rows'][number][number],
  [title, as]: Table['columns'][number],
  finding?: string,
): Markup {
  const [text = '', note] = [cell].flat()
  const shown = shownAs(text, as, title)
  const linked =
    finding === undefined ? shown : markup`<a href="#${elementId('finding', finding)}">${shown}</a>`
  const soft = note ? markup`<br><span class="soft">${note}</span>` : undefined
  const label = as === 'number' ? markup` data-label="${title}"` : undefined
  return markup`<td${classOf(as)}${label}>${linked}${soft}</td>`
}

function shownAs(text: string, as: string | undefined, title: string): Markup {
  if (as === 'code') return markup`<code>${text}</code>`
  if (as === 'result') return markup`<span class="tag ${TONES[text] ?? 'plain'}">${text}</span>`
  if (as === 'bar' && text !== '')
    return markup`<meter min="0" max="100" value="${text}" aria-label="${title}: ${text}"></meter>`
  return markup`${text}`
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
