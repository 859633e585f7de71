import type { BaselinedFinding, Evidence, Finding, Result } from '../engine/result.ts'
import { answeredOf } from './again.ts'
import { type Group, groupsOf, rulesIn } from './groups.ts'
import { fragmentOf } from './html-fragment.ts'
import type { Locate } from './locate.ts'
import { type Markup, markup } from './markup.ts'
import { fails } from './summary.ts'
import { count, number } from './text.ts'

/** The findings by what they say, with a form that filters them; then those that a baseline lets pass. */
export function findingsSection(result: Result, locate: Locate | undefined): Markup {
  const { findings, baselined } = result
  const groups = groupsOf(findings)
  // What follows from a finding is named with it, and has its own place all the same.
  const followers = groupsOf(groups.flatMap(({ follows }) => follows))
  return markup`<section aria-labelledby="findings">
<h2 id="findings">Findings</h2>
${findings.length === 0 ? markup`<p>None.</p>` : formOf(findings)}
${groups.map((group) => articleOf(group, { result, locate }))}
${followers.length === 0 ? undefined : markup`<h3>What follows from those above</h3>`}
${followers.map((group) => articleOf(group, { result, locate }))}
${baselined.length === 0 ? undefined : knownOf(baselined)}
${signInOf(result)}
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
  'Rule',
  'rule',
  findings.map(({ rule }) => rule),
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

interface Around {
  readonly result: Result
  readonly locate: Locate | undefined
}

function articleOf({ first, findings, operations, follows }: Group, { result, locate }: Around): Markup {
  const { rule, kind, severity, message, advice, question } = first
  const where = operations.length === 1 ? operations[0] : count(operations.length, 'operation')
  return markup`<article class="${fails(first, result) ? 'failing' : ''}">
<details><summary><span class="tag">${kind}</span> <strong>${message}</strong> <span class="soft">${[rule, operations.length > 0 && where].filter(Boolean).join(' · ')}</span></summary>
<p>${advice}</p>
<p class="soft">rule <a href="#${fragmentOf('rule', rule)}">${rule}</a> · ${severity}${question ? markup` · question <code>${question}</code>` : undefined}</p>
${follows.length === 0 ? undefined : markup`<p class="soft">Follows from it: ${rulesIn(follows)}</p>`}
<ul class="findings">${findings.map((it) => itemOf(it, locate))}</ul>
</details>
</article>
`
}

function itemOf(finding: Finding, locate: Locate | undefined): Markup {
  const { id, rule, operation, kind, evidence } = finding
  const fragment = fragmentOf('finding', id)
  return markup`<li class="finding" id="${fragment}" data-kind="${kind}" data-rule="${rule}" data-operation="${operation}">
<p><strong>${operation ?? 'all operations'}</strong> <a href="#${fragment}"><code>${id}</code></a></p>
<p class="soft">${answeredOf(evidence)} · ${count(finding.count, 'case')}${placeOf(finding, locate)}</p>
<details><summary>Do it again; what was sent, and what came</summary>
${againOf(finding)}
${evidenceOf(evidence)}
</details>
</li>
`
}

function placeOf({ contract }: Finding, locate: Locate | undefined): Markup | undefined {
  const at = locate?.(contract)
  const line = at ? markup` · <code>${at.file}:${at.line}</code>` : undefined
  return contract ? markup` · <code>${contract}</code>${line}` : line
}

function againOf({ id, evidence }: Finding): Markup {
  const replay = commandOf(`replay ${id}`)
  if (evidence.isRepeatable) return commandOf(evidence.curl)
  return markup`${replay}<p class="soft">One request cannot show it by itself: it took records or deliveries of the run, or its body was cut. It sent:</p>
${commandOf(evidence.curl)}`
}

function commandOf(command: string): Markup {
  return markup`<div class="command"><button type="button" hidden>Copy</button><pre>${command}</pre></div>`
}

function evidenceOf({ method, path, request, status, response, requestId }: Evidence): Markup {
  return markup`<pre>${method} ${path}${request ? `\n\n${request}` : ''}</pre>
<pre>${status ?? 'no answer'}${requestId ? `\nx-request-id: ${requestId}` : ''}${response ? `\n\n${response}` : ''}</pre>`
}

function knownOf(baselined: readonly BaselinedFinding[]): Markup {
  const items = baselined.map(
    ({ id, rule, operation, message, until, why }) =>
      markup`<li><code>${id}</code> ${[rule, operation].filter(Boolean).join(' · ')}: ${message} <span class="soft">Until ${until}: ${why}</span></li>`,
  )
  return markup`<details><summary>${number(baselined.length)} known ${baselined.length === 1 ? 'finding' : 'findings'} that the baseline lets pass</summary><ul>${items}</ul></details>`
}

/** How to get what the commands name. */
function signInOf({ signIn, findings }: Result): Markup | undefined {
  if (signIn === undefined || findings.length === 0) return undefined
  return markup`<details><summary>How to get $TOKEN and $CREDENTIALS for the commands</summary>${commandOf(signIn)}</details>`
}
