import type { LawResult, Result } from '../result.ts'
import { type Judged, judgedLaws } from './laws.ts'
import { type Markup, markup } from './markup.ts'
import { duration, number } from './text.ts'

const ORDER: readonly LawResult['status'][] = ['broken', 'not-assessed', 'held']
const TAGS = { broken: 'tag bad', 'not-assessed': 'tag plain', held: 'tag good' } as const

/** Each law, those that are broken first; what is not assessed says why. */
export function lawsSection(result: Result): Markup {
  const judged = judgedLaws(result)
  const ordered = ORDER.flatMap((status) => judged.filter((it) => it.status === status))
  return markup`<section aria-labelledby="laws">
<h2 id="laws">Laws</h2>
<div class="scroll"><table class="stack">
<thead><tr><th>Law</th><th>Result</th><th class="number">Cases</th><th class="number">Masked</th><th class="number">Time</th></tr></thead>
<tbody>${ordered.map(rowOf)}</tbody>
</table></div>
</section>`
}

function rowOf({ law, status, reason }: Judged): Markup {
  return markup`<tr>
<td><code>${law.law}</code><br><span class="soft">${law.title}</span></td>
<td><span class="${TAGS[status]}">${status.replace('-', ' ')}</span>${reason ? markup`<br><span class="soft">${reason}</span>` : undefined}</td>
<td class="number" data-label="Cases">${number(law.cases)}</td>
<td class="number" data-label="Masked">${number(law.masked)}</td>
<td class="number" data-label="Time">${duration(law.ms)}</td>
</tr>
`
}
