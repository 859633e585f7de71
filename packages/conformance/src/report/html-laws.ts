import type { Result } from '../engine/result.ts'
import { fragmentOf } from './html-fragment.ts'
import { type Judged, judgedLaws, maskingsOf } from './laws.ts'
import { type Markup, markup } from './markup.ts'
import { count, duration, number } from './text.ts'

const TAGS = { broken: 'tag bad', 'not-assessed': 'tag plain', held: 'tag good' } as const

/** Each law: those that are broken, and to be opened those that were not assessed, with the reason, and that held. */
export function lawsSection(result: Result): Markup {
  const judged = judgedLaws(result)
  const of = (status: Judged['status']) => judged.filter((it) => it.status === status)
  return markup`<section aria-labelledby="laws">
<h2 id="laws">Laws</h2>
${of('broken').length === 0 ? markup`<p>None is broken.</p>` : tableOf(of('broken'))}
${foldOf('not assessed', of('not-assessed'))}
${foldOf('held', of('held'))}
</section>`
}

function foldOf(words: string, judged: readonly Judged[]): Markup | undefined {
  if (judged.length === 0) return undefined
  return markup`<details><summary>${count(judged.length, 'law')} ${words}</summary>${tableOf(judged)}</details>
`
}

function tableOf(judged: readonly Judged[]): Markup {
  return markup`<div class="scroll"><table class="stack">
<thead><tr><th>Law</th><th>Result</th><th class="number">Cases</th><th class="number">Masked</th><th class="number">Time</th></tr></thead>
<tbody>${judged.map(rowOf)}</tbody>
</table></div>`
}

function rowOf({ law, status, reason, findings }: Judged): Markup {
  const [first] = findings
  const name = first
    ? markup`<a href="#${fragmentOf('finding', first.id)}">${law.law}</a>`
    : markup`${law.law}`
  const maskings = maskingsOf(law)
  return markup`<tr id="${fragmentOf('law', law.law)}">
<td><code>${name}</code><br><span class="soft">${law.title}</span></td>
<td class="result"><span class="${TAGS[status]}">${status.replace('-', ' ')}</span>${noteOf(reason)}${noteOf(maskings && `masked: ${maskings}`)}</td>
<td class="number" data-label="Cases">${number(law.cases)}</td>
<td class="number" data-label="Masked">${number(law.masked)}</td>
<td class="number" data-label="Time">${duration(law.ms)}</td>
</tr>
`
}

function noteOf(text: string | undefined): Markup | undefined {
  return text ? markup`<br><span class="soft">${text}</span>` : undefined
}
