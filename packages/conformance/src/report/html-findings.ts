import type { Evidence, Finding, Result } from '../result.ts'
import type { Locate } from './locate.ts'
import { type Markup, markup } from './markup.ts'
import { fails } from './summary.ts'
import { count } from './text.ts'

/** The findings, with a form that filters them; then those that a baseline lets pass. */
export function findingsSection(result: Result, locate: Locate | undefined): Markup {
  const { findings, baselined } = result
  return markup`<section aria-labelledby="findings">
<h2 id="findings">Findings</h2>
${findings.length === 0 ? markup`<p>None.</p>` : formOf(findings)}
${findings.map((finding) => articleOf(finding, fails(finding, result), locate))}
${baselined.length === 0 ? undefined : knownOf(baselined)}
</section>`
}

function formOf(findings: readonly Finding[]): Markup {
  return markup`<form hidden role="search">
<label class="search">Search <input name="text" type="search" autocomplete="off"></label>
${selectOf(
  'Kind',
  'kind',
  findings.map(({ kind }) => kind),
)}
${selectOf(
  'Law',
  'law',
  findings.map(({ law }) => law),
)}
${selectOf(
  'Operation',
  'operation',
  findings.map(({ operation }) => operation ?? ''),
)}
<output aria-live="polite"></output>
</form>`
}

function selectOf(label: string, name: string, values: readonly string[]): Markup {
  const options = [...new Set(values)].filter(Boolean).sort()
  return markup`<label>${label} <select name="${name}"><option value="">all</option>${options.map((it) => markup`<option>${it}</option>`)}</select></label>`
}

function articleOf(finding: Finding, failing: boolean, locate: Locate | undefined): Markup {
  const { id, law, operation, kind, severity, message, advice, question, evidence } = finding
  return markup`<article class="${failing ? 'failing' : ''}" id="finding-${id}" data-kind="${kind}" data-law="${law}" data-operation="${operation}">
<h3><span class="tag">${kind}</span> ${[law, operation].filter(Boolean).join(' · ')}</h3>
<p>${message}</p>
<p>${advice}</p>
<p class="soft"><code>${id}</code> · ${severity} · ${count(finding.count, 'case')}${placeOf(finding, locate)}${question ? markup` · question <code>${question}</code>` : undefined}</p>
<pre>${evidence.curl}</pre>
${evidenceOf(evidence)}
</article>
`
}

function placeOf({ contract }: Finding, locate: Locate | undefined): Markup | undefined {
  const at = locate?.(contract)
  const line = at ? markup` · <code>${at.file}:${at.line}</code>` : undefined
  return contract ? markup` · <code>${contract}</code>${line}` : line
}

function evidenceOf({ method, path, request, status, response, requestId }: Evidence): Markup {
  return markup`<details><summary>What was sent, and what came</summary>
<pre>${method} ${path}${request ? `\n\n${request}` : ''}</pre>
<pre>${status ?? 'no answer'}${requestId ? `\nx-request-id: ${requestId}` : ''}${response ? `\n\n${response}` : ''}</pre>
</details>`
}

function knownOf(baselined: readonly Finding[]): Markup {
  const items = baselined.map(
    ({ id, law, operation, message }) =>
      markup`<li><code>${id}</code> ${[law, operation].filter(Boolean).join(' · ')}: ${message}</li>`,
  )
  return markup`<details><summary>${count(baselined.length, 'known finding')} that the baseline lets pass</summary><ul>${items}</ul></details>`
}
