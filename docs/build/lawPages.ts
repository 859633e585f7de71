import { type LawPage, PHASES } from './laws.ts'
import { escapeHtml, page } from './page.ts'

/** The page of one law, with those of its phase beside it. */
export function lawPage({ law, laws, style }: { law: LawPage; laws: LawPage[]; style: string }): string {
  const beside = laws.filter(({ phase }) => phase === law.phase)
  const main = `<div class="with-side">
<nav class="side" aria-label="Laws"><p><a href="index.html">All laws</a></p><p>${escapeHtml(law.phase)}</p><ol>${beside.map((other) => entry(other, law)).join('')}</ol></nav>
<article class="guide">
<h1><code>${law.id}</code></h1>
<p class="lead">${escapeHtml(law.summary)}</p>
${law.html}
</article>
</div>`
  return page({ title: law.id, root: '../', current: 'laws', style, main })
}

function entry({ id }: LawPage, current: LawPage): string {
  const here = id === current.id ? ' aria-current="page"' : ''
  return `<li><a href="${id}.html"${here}>${id}</a></li>`
}

/** All laws by phase, each with what it asks. */
export function lawsPage({ laws, style }: { laws: LawPage[]; style: string }): string {
  const main = `<div class="page">
<h1>Laws of the checker</h1>
<p class="lead">What a running service is held to. A finding names the law that it breaks, and its page says why the law is there
and what to do. Where a law rests on an answer of ours, its page wears the mark, and what departs from it is a discovery.</p>
${Object.entries(PHASES)
  .map(([phase, text]) =>
    section(
      phase,
      text,
      laws.filter((law) => law.phase === phase),
    ),
  )
  .join('\n')}
</div>`
  return page({ title: 'Laws of the checker', root: '../', current: 'laws', style, main })
}

/** Nothing of a phase that has no laws yet. */
function section(phase: string, text: string, laws: LawPage[]): string {
  if (laws.length === 0) return ''
  const id = phase.replaceAll(' ', '-')
  const cards = laws.map(
    (law) =>
      `<li><a class="card" href="${law.id}.html"><b>${law.id}</b><span>${escapeHtml(law.summary)}</span></a></li>`,
  )
  return `<section aria-labelledby="${id}"><h2 id="${id}">${escapeHtml(phase)}</h2><p>${text}</p><ul class="cards">${cards.join('\n')}</ul></section>`
}
