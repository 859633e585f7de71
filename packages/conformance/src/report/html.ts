import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import type { Evidence } from './evidence.ts'
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
import type { Finding, Result } from './result.ts'
import {
  chooseOutcome,
  describeTarget,
  isFailing,
  listFacts,
  listFigures,
  type ReportOptions,
  summarize,
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
  const sections = renderSections(result, options)
  return markup`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="content-security-policy" content="${POLICY}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="referrer" content="no-referrer">
<title>${result.contract.title}: ${describeTarget(result)}</title>
<link rel="icon" href="data:,">
<style>${raw(STYLE)}</style>
</head>
<body>
<header>
${renderHead(result, options)}
<nav aria-label="Contents">${sections.map(({ id, title }) => markup`<a href="#${id}">${title}</a> `)}</nav>
</header>
<main>
${sections.map(
  ({ id, title, body }) => markup`<section aria-labelledby="${id}">
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
const STYLE = readFileSync(new URL('./html/style.css', import.meta.url), 'utf8')
const SCRIPT = readFileSync(new URL('./html/script.js', import.meta.url), 'utf8')
const POLICY = [
  "default-src 'none'",
  `style-src 'sha256-${sha256(STYLE)}'`,
  `script-src 'sha256-${sha256(SCRIPT)}'`,
  'img-src data:',
  "base-uri 'none'",
  "form-action 'none'",
].join('; ')

function sha256(text: string): string {
  return createHash('sha256').update(text).digest('base64')
}

/** A section of the page. */
interface RenderedSection {
  readonly id: string
  readonly title: string
  readonly body: Markup
}

/** Renders the sections of the page: the findings, then the sections that all reports have. */
function renderSections(result: Result, options: ReportOptions): RenderedSection[] {
  const findings = {
    id: 'findings',
    title: `Findings (${number(result.findings.length)})`,
    body: renderFindings(result, options),
  }
  const others = buildSections(result).map(({ id, title, brief, parts }) => ({
    id,
    title,
    body: markup`<p class="soft">${brief}</p>${parts.map((part) => renderPart(part, result))}`,
  }))
  return [findings, ...others]
}

/** Renders the top of the page: the outcome in one sentence, the facts of the run, and its figures. */
function renderHead(result: Result, options: ReportOptions): Markup {
  const size = `${count(result.requests, 'request')} in ${duration(result.ms)}`
  const figures = listFigures(result).map(
    ([name, value]) => markup`<div><dt>${name}</dt><dd>${number(value)}</dd></div>`,
  )
  return markup`<h1 class="outcome-${chooseOutcome(result, options)}">${summarize(result, options)}</h1>
<p class="soft">${[...listFacts(result, options), result.startedAt, size].join(' · ')}</p>
<dl class="figures">${figures}</dl>`
}

/** Renders the form that filters findings, the findings by chapter, and what belongs below them. */
function renderFindings(result: Result, options: ReportOptions): Markup {
  const { findings } = result
  const formOrNone = findings.length === 0 ? markup`<p>None.</p>` : renderFilterForm(findings)
  return markup`${formOrNone}
${renderChapters(groupFindings(findings), options)}
${buildPartsBelowFindings(result).map((part) => renderPart(part, result))}`
}

/** Renders the groups of findings below the titles of their chapters. An empty chapter is left out. */
function renderChapters(groups: readonly Group[], options: ReportOptions): Markup[] {
  return CHAPTERS.flatMap(({ id, title }) => {
    const ofChapter = groups.filter((group) => chooseChapter(group) === id)
    if (ofChapter.length === 0) return []
    return markup`<div class="chapter">
<h3>${title} (${number(ofChapter.length)})</h3>
${ofChapter.map((group) => renderGroup(group, options))}</div>
`
  })
}

/** A field of the form by which findings can be filtered. */
interface Filter {
  readonly label: string
  /** The name of the form's field, and of the attribute of a finding. */
  readonly name: string
  readonly read: (finding: Finding) => string
}

const FILTERS: readonly Filter[] = [
  { label: 'Kind', name: 'kind', read: ({ kind }) => kind },
  { label: 'Rule', name: 'rule', read: ({ rule }) => rule },
  { label: 'Operation', name: 'operation', read: ({ operation = '' }) => operation },
]

/**
 * Renders the form that filters the findings: a search and a list of values for each filter. It is hidden
 * until the script of the page runs, since it does nothing without it.
 */
function renderFilterForm(findings: readonly Finding[]): Markup {
  const selects = FILTERS.map(({ label, name, read }) => {
    const values = new Set(findings.map(read))
    // Some findings concern no single operation.
    values.delete('')
    const options = [...values].sort().map((value) => markup`<option>${value}</option>`)
    return markup`<label>${label} <select name="${name}"><option value="">all</option>${options}</select></label>
`
  })
  return markup`<form hidden role="search">
<label class="search">Search <input name="text" type="search" autocomplete="off"></label>
${selects}<output aria-live="polite"></output>
</form>`
}

/** The length of a detail in characters. The whole request is shown below it. */
const MAX_DETAIL_LENGTH = 400

/** Renders a group of findings that can be unfolded: its message, its details, and its findings. */
function renderGroup(group: Group, options: ReportOptions): Markup {
  const { first, findings } = group
  const { kind, severity, message } = first
  const isCritical = severity === 'critical'
  const tag = isCritical ? markup`<span class="tag critical">critical</span>` : undefined
  const details = renderDetails(group, options)
  return markup`<article class="${isFailing(first, options) ? 'failing' : ''}">
<details><summary>${tag}<span class="tag">${kind}</span> <strong>${message}</strong> <span class="soft">${writeSubtitle(group)}</span></summary>
<dl class="sides">${details}</dl>
<ul class="findings">${findings.map((finding) => renderFinding(finding, options))}</ul>
</details>
</article>
`
}

/** Renders the details of a group, each as a label and a text. That of the rule links to its row and its page. */
function renderDetails(group: Group, options: ReportOptions): Markup[] {
  return listDetails(group, options).map(([label, text]) => {
    const isRule = label === 'Rule'
    const value = isRule
      ? renderRuleLinks(group.first.rule, text, options)
      : atMost(text, MAX_DETAIL_LENGTH)
    return markup`<div><dt>${label}</dt><dd>${value}</dd></div>
`
  })
}

/** Writes what stands below the message of a group: `lists-whole · 3 operations · 4 findings`. */
function writeSubtitle({ first, findings, operations }: Group): string {
  const parts = [first.rule]
  if (operations.length > 1) parts.push(count(operations.length, 'operation'))
  else parts.push(...operations)
  if (findings.length > 1) parts.push(count(findings.length, 'finding'))
  return parts.join(' · ')
}

/** Links to the rule's row on this page, and to its page in the docs, if their address is known. */
function renderRuleLinks(rule: string, text: string, options: ReportOptions): Markup {
  const url = buildPageUrl(rule, options)
  const page = url ? markup`<a href="${url}">${text}</a>` : text
  return markup`<a href="#${buildElementId('rule', rule)}">${rule}</a>: ${page}`
}

/**
 * Renders one finding: its operation and id, the commands that show it again, and its exchange. The `data-`
 * attributes are what the filters of the page compare.
 */
function renderFinding(finding: Finding, options: ReportOptions): Markup {
  const { id, operation = 'all operations', evidence } = finding
  const fragment = buildElementId('finding', id)
  const data = FILTERS.map(({ name, read }) => markup` data-${name}="${read(finding)}"`)
  return markup`<li class="finding" id="${fragment}"${data}>
<p><strong>${operation}</strong> <a href="#${fragment}"><code>${id}</code></a> <span class="soft">${count(finding.count, 'case')}</span></p>
<details><summary>Show it again; the request and the response</summary>
${listCommands(finding, options).map(renderCommand)}
<pre>${writeRequest(evidence)}</pre>
<pre>${writeResponse(evidence)}</pre>
</details>
</li>
`
}

/** Writes the request of an exchange as text: its first line, and its body. */
function writeRequest({ method, path, request }: Evidence): string {
  const line = `${method} ${path}`
  return request === '' ? line : `${line}\n\n${request}`
}

/** Writes the response of an exchange as text: its status, its request id, and its body. */
function writeResponse({ status, requestId, response }: Evidence): string {
  let text = String(status ?? 'no response')
  if (requestId) text += `\nx-request-id: ${requestId}`
  if (response !== '') text += `\n\n${response}`
  return text
}

/** Builds an element id that needs no escaping. */
function buildElementId(kind: 'rule' | 'finding', id: string): string {
  return `${kind}-${oneLine(id).replace(/[^\w:.-]+/g, '-')}`
}

/** Renders a command with a button that copies it. */
function renderCommand(command: string): Markup {
  return markup`<div class="command"><button type="button" hidden>Copy</button><pre>${command}</pre></div>`
}

/** Renders a part of a section: a sentence, a table, or a title that unfolds a table or commands. */
function renderPart(part: Part, result: Result): Markup {
  if (typeof part === 'string') return markup`<p>${part}</p>`
  if ('columns' in part) return renderTable(part, result)
  const { title, fold } = part
  const inside = 'commands' in fold ? renderCommand(fold.commands) : renderTable(fold, result)
  return markup`<details><summary>${title}</summary>
${inside}
</details>
`
}

/** Renders a table. In a table of rules, each row has an id, to which findings link. */
function renderTable({ columns, rows }: Table, result: Result): Markup {
  const titledColumns = Object.entries(columns)
  // A bar has its title in itself, for screen readers.
  const heads = titledColumns.map(
    ([title, column]) => markup`<th class="${column}">${column === 'bar' ? '' : title}</th>`,
  )
  const renderedRows = rows.map((row) => {
    // Each column is its title and its kind.
    const cells = titledColumns.map((column, i) => renderCell(row[i] ?? '', column, result))
    return markup`<tr${renderRowId(row, columns)}>${cells}</tr>
`
  })
  return markup`<div class="scroll"><table><thead><tr>${heads}</tr></thead><tbody>
${renderedRows}</tbody></table></div>`
}

/** Renders the id of a row as an attribute; undefined unless its first cell is a rule. */
function renderRowId([firstCell]: readonly Cell[], columns: Table['columns']): Markup | undefined {
  const [firstColumn] = Object.values(columns)
  if (firstColumn !== 'rule') return undefined
  return markup` id="${buildElementId('rule', readText(firstCell))}"`
}

/** Renders a cell with its note. The cell of a rule links to its first finding. */
function renderCell(
  cell: Cell,
  [title, column]: readonly [string, Column],
  { findings }: Result,
): Markup {
  // The cell of a rule has its id as text.
  const text = readText(cell)
  const rendered = renderCellText(text, column, title)
  const isRule = column === 'rule'
  const finding = isRule ? findings.find(({ rule }) => rule === text) : undefined
  const linked = finding
    ? markup`<a href="#${buildElementId('finding', finding.id)}">${rendered}</a>`
    : rendered

  const note = readNote(cell)
  const noteBelow = note ? markup`<br><span class="soft">${note}</span>` : undefined

  // On a narrow screen, where a row becomes a list, the style writes the title before the cell.
  const isShort = column === 'number' || column === 'name'
  const label = isShort ? markup` data-label="${title}"` : undefined
  return markup`<td class="${column}"${label}>${linked}${noteBelow}</td>`
}

/** Renders the text of a cell, as code, as a coloured tag or as a bar, by its column. */
function renderCellText(text: string, column: Column, title: string): Markup {
  if (column === 'code' || column === 'rule') return markup`<code>${text}</code>`
  if (column === 'result') return markup`<span class="tag ${TONES[text] ?? 'plain'}">${text}</span>`
  if (column === 'bar' && text !== '')
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
