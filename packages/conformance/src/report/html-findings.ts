import { commandsOf, detailsOf, type Group, groupsOf, pageOf, variablesOf } from './details.ts'
import { elementId, type Markup, markup } from './markup.ts'
import { isFailing, type ReportOptions } from './options.ts'
import type { BaselinedFinding, Evidence, Finding, Result } from './result.ts'
import { atMost, count } from './text.ts'

export function findingsSection(result: Result, options: ReportOptions): Markup {
  const { findings, baselined } = result
  return markup`<section aria-labelledby="findings">
<h2 id="findings">Findings</h2>
${findings.length === 0 ? markup`<p>None.</p>` : formOf(findings)}
${groupsOf(findings).map((group) => articleOf(group, options))}
${baselined.length === 0 ? undefined : baselineOf(baselined)}
${variablesPart(result)}
</section>`
}

const FILTERS: readonly (readonly [label: string, name: string, of: (finding: Finding) => string])[] = [
  ['Kind', 'kind', ({ kind }) => kind],
  ['Rule', 'rule', ({ rule }) => rule],
  ['Operation', 'operation', ({ operation = '' }) => operation],
]

function formOf(findings: readonly Finding[]): Markup {
  return markup`<form hidden role="search">
<label class="search">Search <input name="text" type="search" autocomplete="off"></label>
${FILTERS.map(([label, name, of]) => {
  const options = [...new Set(findings.map(of))].filter(Boolean).sort()
  return markup`<label>${label} <select name="${name}"><option value="">all</option>${options.map((it) => markup`<option>${it}</option>`)}</select></label>
`
})}<output aria-live="polite"></output>
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
  const page = (text: string) => (url ? markup`<a href="${url}">${text}</a>` : markup`${text}`)
  const link = markup`<a href="#${elementId('rule', rule)}">${rule}</a>: `
  const details = detailsOf(group, options).map(
    ([label, text]) =>
      markup`<div><dt>${label}</dt><dd>${label === 'Rule' ? [link, page(text)] : atMost(text, MOST)}</dd></div>
`,
  )
  return markup`<article class="${isFailing(first, options) ? 'failing' : ''}">
<details><summary>${critical}<span class="tag">${kind}</span> <strong>${message}</strong> <span class="soft">${[rule, where].filter(Boolean).join(' · ')}</span></summary>
<dl class="sides">${details}</dl>
<ul class="findings">${findings.map((it) => itemOf(it, options))}</ul>
</details>
</article>
`
}

function itemOf(finding: Finding, options: ReportOptions): Markup {
  const { id, operation = 'all operations', evidence } = finding
  const fragment = elementId('finding', id)
  const data = FILTERS.map(([, name, of]) => markup` data-${name}="${of(finding)}"`)
  return markup`<li class="finding" id="${fragment}"${data}>
<p><strong>${operation}</strong> <a href="#${fragment}"><code>${id}</code></a> <span class="soft">${count(finding.count, 'case')}</span></p>
<details><summary>Show it again; the request and the response</summary>
${commandsOf(finding, options).map(commandBox)}
${evidenceOf(evidence)}
</details>
</li>
`
}

function commandBox(command: string): Markup {
  return markup`<div class="command"><button type="button" hidden>Copy</button><pre>${command}</pre></div>`
}

function evidenceOf({ method, path, request, status, response, requestId }: Evidence): Markup {
  return markup`<pre>${method} ${path}${request ? `\n\n${request}` : ''}</pre>
<pre>${status ?? 'no response'}${requestId ? `\nx-request-id: ${requestId}` : ''}${response ? `\n\n${response}` : ''}</pre>`
}

function baselineOf(baselined: readonly BaselinedFinding[]): Markup {
  const items = baselined.map(
    ({ id, rule, operation, message, until, why }) =>
      markup`<li><code>${id}</code> ${[rule, operation].filter(Boolean).join(' · ')}: ${message} <span class="soft">Until ${until}: ${why}</span></li>`,
  )
  return markup`<details><summary>${count(baselined.length, 'finding')} that the baseline accepts</summary><ul>${items}</ul></details>`
}

function variablesPart(result: Result): Markup | undefined {
  const lines = variablesOf(result)
  if (lines.length === 0) return undefined
  return markup`<details><summary>Set the variables of the commands</summary>${commandBox(lines.join('\n'))}</details>`
}
