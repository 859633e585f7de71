import type { Result } from '../engine/result.ts'
import { type OperationShare, operationShares, percent, type Share, sharesOf, unseenOf } from './coverage.ts'
import { type Markup, markup } from './markup.ts'
import { number } from './text.ts'

/** How much of the contract was seen: all of it, by operation, and what was not. */
export function coverageSection(result: Result): Markup {
  return markup`<section aria-labelledby="coverage">
<h2 id="coverage">Coverage</h2>
<div class="scroll"><table class="stack">
<thead><tr><th>What</th><th class="number">Seen</th><th></th></tr></thead>
<tbody>${sharesOf(result).map(shareRow)}</tbody>
</table></div>
<h3>By operation</h3>
<div class="scroll"><table class="stack">
<thead><tr><th>Operation</th><th class="number">Requests</th><th class="number">Successes</th><th class="number">Statuses and media types</th><th></th></tr></thead>
<tbody>${operationShares(result.coverage).map(operationRow)}</tbody>
</table></div>
${[...unseenOf(result.coverage)].map(([title, all]) => unseenList(title, all))}
</section>`
}

function shareRow(share: Share): Markup {
  return markup`<tr><td>${share.name}</td><td class="number" data-label="Seen">${figureOf(share)}</td><td class="bar">${barOf(share)}</td></tr>
`
}

function operationRow({ operation, requests, successes, rows }: OperationShare): Markup {
  return markup`<tr>
<td><code>${operation}</code></td>
<td class="number" data-label="Requests">${number(requests)}</td>
<td class="number" data-label="Successes">${number(successes)}</td>
<td class="number" data-label="Statuses and media types">${figureOf(rows)}</td>
<td class="bar">${barOf(rows)}</td>
</tr>
`
}

function figureOf({ seen, all }: Share): string {
  return all === 0 ? 'none to see' : `${number(seen)} of ${number(all)}`
}

function barOf(share: Share): Markup | undefined {
  const part = percent(share)
  if (part === undefined) return undefined
  return markup`<meter min="0" max="100" value="${part}" aria-label="${share.name}: ${part} %"></meter>`
}

function unseenList(title: string, all: readonly string[]): Markup {
  return markup`<details><summary>${title}: ${number(all.length)}</summary><ul>${all.map((it) => markup`<li><code>${it}</code></li>`)}</ul></details>
`
}
