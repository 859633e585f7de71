import type { Result, Verdict } from '../engine/result.ts'
import { type Markup, markup } from './markup.ts'
import { number } from './text.ts'

const TAGS = { contradicted: 'tag bad', confirmed: 'tag good', 'not-exercised': 'tag plain' } as const

/** What the service answered to each open question: contradictions, and to be opened the others. */
export function verdictsSection({ verdicts }: Result): Markup | undefined {
  if (verdicts.length === 0) return undefined
  const of = (verdict: Verdict['verdict']) => verdicts.filter((it) => it.verdict === verdict)
  const contradicted = of('contradicted')
  return markup`<section aria-labelledby="questions">
<h2 id="questions">Open questions</h2>
${contradicted.length === 0 ? markup`<p>None is contradicted.</p>` : tableOf(contradicted)}
${foldOf('confirmed', of('confirmed'))}
${foldOf('not exercised', of('not-exercised'))}
</section>`
}

function foldOf(words: string, verdicts: readonly Verdict[]): Markup | undefined {
  if (verdicts.length === 0) return undefined
  return markup`<details><summary>${number(verdicts.length)} ${words}</summary>${tableOf(verdicts)}</details>
`
}

function tableOf(verdicts: readonly Verdict[]): Markup {
  return markup`<div class="scroll"><table class="stack">
<thead><tr><th>Question</th><th>Verdict</th><th>Answer of ours</th><th class="number">Messages</th></tr></thead>
<tbody>${verdicts.map(rowOf)}</tbody>
</table></div>`
}

function rowOf({ question, text, answer, basis, verdict, seen, exercised }: Verdict): Markup {
  return markup`<tr>
<td><code>${question}</code><br><span class="soft">${text}</span></td>
<td class="result"><span class="${TAGS[verdict]}">${verdict.replace('-', ' ')}</span></td>
<td>${answer} <span class="soft">(${basis})</span>${seen === undefined ? undefined : markup`<p><strong>Seen:</strong> ${seen}</p>`}</td>
<td class="number" data-label="Messages">${number(exercised)}</td>
</tr>
`
}
