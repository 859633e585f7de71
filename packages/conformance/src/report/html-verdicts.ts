import type { Result, Verdict } from '../result.ts'
import { type Markup, markup } from './markup.ts'
import { number } from './text.ts'

const ORDER: readonly Verdict['verdict'][] = ['contradicted', 'confirmed', 'not-exercised']
const TAGS = { contradicted: 'tag bad', confirmed: 'tag good', 'not-exercised': 'tag plain' } as const

/** What the service answered to each open question, contradictions first. */
export function verdictsSection({ verdicts }: Result): Markup | undefined {
  if (verdicts.length === 0) return undefined
  const ordered = ORDER.flatMap((verdict) => verdicts.filter((it) => it.verdict === verdict))
  return markup`<section aria-labelledby="questions">
<h2 id="questions">Open questions</h2>
<div class="scroll"><table class="stack">
<thead><tr><th>Question</th><th>Verdict</th><th>Answer of ours</th><th class="number">Messages</th></tr></thead>
<tbody>${ordered.map(rowOf)}</tbody>
</table></div>
</section>`
}

function rowOf({ question, text, answer, basis, verdict, seen, exercised }: Verdict): Markup {
  return markup`<tr>
<td><code>${question}</code><br><span class="soft">${text}</span></td>
<td><span class="${TAGS[verdict]}">${verdict.replace('-', ' ')}</span></td>
<td>${answer} <span class="soft">(${basis})</span>${seen === undefined ? undefined : markup`<p><strong>Seen:</strong> ${seen}</p>`}</td>
<td class="number" data-label="Messages">${number(exercised)}</td>
</tr>
`
}
