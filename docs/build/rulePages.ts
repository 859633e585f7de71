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
<h2>Run it alone</h2>
<pre><code>partner-payments-check --target "$TARGET" --only ${rule.id}</code></pre>
${formerOf(rule)}</article>
</div>`
  return page({ title: rule.id, root: '../', current: 'rules', style, main })
}

function entry({ id }: RulePage, current: RulePage): string {
  const here = id === current.id ? ' aria-current="page"' : ''
  return `<li><a href="${id}.html"${here}>${id}</a></li>`
}

/** Reports and links may still name a rule that was merged into this one. */
function formerOf({ former }: RulePage): string {
  if (former.length === 0) return ''
  return `<p>It replaces ${former.map((id) => `<code>${id}</code>`).join(', ')}; <code>--only</code> takes these ids too.</p>\n`
}

/** All rules by phase, and the ids that rules had before. */
export function rulesPage({ rules, style }: { rules: RulePage[]; style: string }): string {
  const main = `<div class="page">
<h1>Rules of the checker</h1>
<p class="lead">A finding names the rule that failed. The page of the rule says what it checks, shows a request with a right and a
wrong response, and says what to do. A badge marks what rests on an assumption: a difference from it is a deviation.</p>
${Object.entries(PHASES)
  .map(([phase, text]) =>
    section(
      phase,
      text,
      rules.filter((rule) => rule.phase === phase),
    ),
  )
  .join('\n')}
${formerIds(rules)}
</div>`
  return page({ title: 'Rules of the checker', root: '../', current: 'rules', style, main })
}

function formerIds(rules: RulePage[]): string {
  const rows = rules
    .flatMap(({ id, former }) => former.map((old) => ({ old, id })))
    .sort((a, b) => a.old.localeCompare(b.old))
    .map(
      ({ old, id }) =>
        `<tr><td id="${old}"><code>${old}</code></td><td><a href="${id}.html">${id}</a></td></tr>`,
    )
  return `<section aria-labelledby="former-ids"><h2 id="former-ids">Former ids</h2>
<p>These rules were merged. <code>--only</code> and links still take their ids.</p>
<table><thead><tr><th>Former id</th><th>Rule</th></tr></thead><tbody>${rows.join('\n')}</tbody></table></section>`
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
