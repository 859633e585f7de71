import { escapeHtml, page } from './page.ts'
import { PHASES, type RulePage } from './rules.ts'

/** The page of one rule, with those of its phase beside it. */
export function rulePage({
  rule,
  rules,
  style,
}: {
  rule: RulePage
  rules: RulePage[]
  style: string
}): string {
  const beside = rules.filter(({ phase }) => phase === rule.phase)
  const main = `<div class="with-side">
<nav class="side" aria-label="Rules"><p><a href="index.html">All rules</a></p><p>${escapeHtml(rule.phase)}</p><ol>${beside.map((other) => entry(other, rule)).join('')}</ol></nav>
<article class="guide">
<h1><code>${rule.id}</code></h1>
<p class="lead">${escapeHtml(rule.summary)}</p>
${rule.html}
</article>
</div>`
  return page({ title: rule.id, root: '../', current: 'rules', style, main })
}

function entry({ id }: RulePage, current: RulePage): string {
  const here = id === current.id ? ' aria-current="page"' : ''
  return `<li><a href="${id}.html"${here}>${id}</a></li>`
}

/** All rules by phase, each with what it asks. */
export function rulesPage({ rules, style }: { rules: RulePage[]; style: string }): string {
  const main = `<div class="page">
<h1>Rules of the checker</h1>
<p class="lead">What a running service is held to. A finding names the rule that it breaks, and its page says why the rule is there
and what to do. Where a rule rests on an answer of ours, its page wears the mark, and what departs from it is a deviation.</p>
${Object.entries(PHASES)
  .map(([phase, text]) =>
    section(
      phase,
      text,
      rules.filter((rule) => rule.phase === phase),
    ),
  )
  .join('\n')}
</div>`
  return page({ title: 'Rules of the checker', root: '../', current: 'rules', style, main })
}

/** Nothing of a phase that has no rules yet. */
function section(phase: string, text: string, rules: RulePage[]): string {
  if (rules.length === 0) return ''
  const id = phase.replaceAll(' ', '-')
  const cards = rules.map(
    (rule) =>
      `<li><a class="card" href="${rule.id}.html"><b>${rule.id}</b><span>${escapeHtml(rule.summary)}</span></a></li>`,
  )
  return `<section aria-labelledby="${id}"><h2 id="${id}">${escapeHtml(phase)}</h2><p>${text}</p><ul class="cards">${cards.join('\n')}</ul></section>`
}
