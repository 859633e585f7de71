import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { commandsOf, detailsOf, type Group, groupsOf, pageOf } from './findings.ts'
import {
  belowFindings,
  type Cell,
  type Column,
  type Part,
  sectionsOf,
  type Table,
  textOf,
} from './page.ts'
import type { Finding, Result } from './result.ts'
import {
  factsOf,
  figuresOf,
  isFailing,
  nameOf,
  outcomeOf,
  type ReportOptions,
  summaryOf,
} from './summary.ts'
import { atMost, count, duration, type Markup, markup, number, oneLine, raw } from './text.ts'

/**
 * Renders a result as a single HTML file that loads nothing: its CSP admits only its own style and
 * script, by hash. Text of the service is escaped.
 *
 * @example
 * writeFileSync('report.html', renderHtml(result))
 */
export function renderHtml(result: Result, options: ReportOptions = {}): string {
  const sections: readonly (readonly [id: string, title: string, body: Markup])[] = [
    ['findings', `Findings (${number(result.findings.length)})`, findingsPart(result, options)],
    ...sectionsOf(result).map(
      ({ id, title, brief, parts }) =>
        [
          id,
          title,
          markup`<p class="soft">${brief}</p>${parts.map((it) => partOf(it, result))}`,
        ] as const,
    ),
  ]
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
<nav aria-label="Contents">${sections.map(([id, title]) => markup`<a href="#${id}">${title}</a> `)}</nav>
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

/** The style and the script of the page. */
const [STYLE = '', SCRIPT = ''] = ['style.css', 'script.js'].map((name) =>
  readFileSync(new URL(`./html/${name}`, import.meta.url), 'utf8'),
)
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
  const { findings } = result
  return markup`${findings.length === 0 ? markup`<p>None.</p>` : formOf(findings)}
${groupsOf(findings).map((group) => articleOf(group, options))}
${belowFindings(result).map((it) => partOf(it, result))}`
}

const FILTERS: readonly (readonly [
  label: string,
  name: string,
  of: (finding: Finding) => string,
])[] = [
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
  const where =
    operations.length > 1 ? count(operations.length, 'operation') : (operations[0] ?? '')
  const critical =
    severity === 'critical' ? markup`<span class="tag critical">critical</span>` : undefined
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

function partOf(part: Part, result: Result): Markup {
  if (typeof part === 'string') return markup`<p>${part}</p>`
  if ('columns' in part) return tableOf(part, result)
  const { title, fold } = part
  return markup`<details><summary>${title}</summary>
${'commands' in fold ? commandBox(fold.commands) : tableOf(fold, result)}
</details>
`
}

function tableOf({ columns, rows }: Table, result: Result): Markup {
  const named = Object.entries(columns)
  const heads = named.map(
    ([title, as]) => markup`<th class="${as}">${as === 'bar' ? '' : title}</th>`,
  )
  const bodies = rows.map((row) => {
    const cells = row.map((cell, i) => cellOf(cell, named[i] ?? ['', 'text'], result))
    const id =
      named[0]?.[1] === 'rule' ? markup` id="${elementId('rule', textOf(row[0]))}"` : undefined
    return markup`<tr${id}>${cells}</tr>
`
  })
  return markup`<div class="scroll"><table><thead><tr>${heads}</tr></thead><tbody>
${bodies}</tbody></table></div>`
}

/** A rule links to its first finding. */
function cellOf(cell: Cell, [title, as]: readonly [string, Column], { findings }: Result): Markup {
  const [text = '', note] = [cell].flat()
  const shown = shownAs(text, as, title)
  const finding = as === 'rule' ? findings.find(({ rule }) => rule === text) : undefined
  const linked = finding
    ? markup`<a href="#${elementId('finding', finding.id)}">${shown}</a>`
    : shown
  const soft = note ? markup`<br><span class="soft">${note}</span>` : undefined
  const label = as === 'number' || as === 'name' ? markup` data-label="${title}"` : undefined
  return markup`<td class="${as}"${label}>${linked}${soft}</td>`
}

function shownAs(text: string, as: Column, title: string): Markup {
  if (as === 'code' || as === 'rule') return markup`<code>${text}</code>`
  if (as === 'result') return markup`<span class="tag ${TONES[text] ?? 'plain'}">${text}</span>`
  if (as === 'bar' && text !== '')
    return markup`<meter min="0" max="100" value="${text}" aria-label="${title}: ${text}"></meter>`
  return markup`${text}`
}

/** Colours of results. Others are neutral. */
const TONES: Readonly<Record<string, string>> = {
  failed: 'bad',
  contradicted: 'bad',
  passed: 'good',
  confirmed: 'good',
}
