import type { Result } from '../engine/result.ts'
import { fragmentOf } from './html-fragment.ts'
import { type Markup, markup } from './markup.ts'
import { type Judgement, judgedRules, maskingsOf } from './rule-results.ts'
import { count, duration, number } from './text.ts'

const TAGS = { failed: 'tag bad', 'not-assessed': 'tag plain', passed: 'tag good' } as const

/** Each rule: those that are broken, and to be opened those that were not assessed, with the reason, and that passed. */
export function rulesSection(result: Result): Markup {
  const judged = judgedRules(result)
  const of = (status: Judgement['status']) => judged.filter((it) => it.status === status)
  return markup`<section aria-labelledby="rules">
<h2 id="rules">Rules</h2>
${of('failed').length === 0 ? markup`<p>None is broken.</p>` : tableOf(of('failed'))}
${foldOf('not assessed', of('not-assessed'))}
${foldOf('passed', of('passed'))}
</section>`
}

function foldOf(words: string, judged: readonly Judgement[]): Markup | undefined {
  if (judged.length === 0) return undefined
  return markup`<details><summary>${count(judged.length, 'rule')} ${words}</summary>${tableOf(judged)}</details>
`
}

function tableOf(judged: readonly Judgement[]): Markup {
  return markup`<div class="scroll"><table class="stack">
<thead><tr><th>Rule</th><th>Result</th><th class="number">Cases</th><th class="number">Masked</th><th class="number">Time</th></tr></thead>
<tbody>${judged.map(rowOf)}</tbody>
</table></div>`
}

function rowOf({ rule, status, reason, findings }: Judgement): Markup {
  const [first] = findings
  const name = first
    ? markup`<a href="#${fragmentOf('finding', first.id)}">${rule.rule}</a>`
    : markup`${rule.rule}`
  const maskings = maskingsOf(rule)
  return markup`<tr id="${fragmentOf('rule', rule.rule)}">
<td><code>${name}</code><br><span class="soft">${rule.title}</span></td>
<td class="result"><span class="${TAGS[status]}">${status.replace('-', ' ')}</span>${noteOf(reason)}${noteOf(maskings && `masked: ${maskings}`)}</td>
<td class="number" data-label="Cases">${number(rule.cases)}</td>
<td class="number" data-label="Masked">${number(rule.inconclusive)}</td>
<td class="number" data-label="Time">${duration(rule.ms)}</td>
</tr>
`
}

function noteOf(text: string | undefined): Markup | undefined {
  return text ? markup`<br><span class="soft">${text}</span>` : undefined
}
