import type { Guide } from './guides.ts'
import { escapeHtml, page } from './page.ts'

/** The page of one guide, with the list of all beside it and the neighbours below. */
export function guidePage({
  guide,
  guides,
  style,
}: {
  guide: Guide
  guides: Guide[]
  style: string
}): string {
  const at = guides.indexOf(guide)
  const main = `<div class="with-side">
<nav class="side" aria-label="Guides"><p>Guides</p><ol>${guides.map((other) => entry(other, guide)).join('')}</ol></nav>
<article class="guide">
<h1>${escapeHtml(guide.title)}</h1>
<p class="lead">${escapeHtml(guide.summary)}</p>
${guide.html}
<nav class="neighbours" aria-label="Other guides">${neighbour('Before', guides[at - 1])}${neighbour('Next', guides[at + 1])}</nav>
</article>
</div>`
  return page({ title: guide.title, root: '../', current: 'guides', style, main })
}

function entry({ name, title }: Guide, current: Guide): string {
  const here = name === current.name ? ' aria-current="page"' : ''
  return `<li><a href="${name}.html"${here}>${escapeHtml(title)}</a></li>`
}

function neighbour(label: string, guide: Guide | undefined): string {
  return guide
    ? `<a href="${guide.name}.html"><small>${label}</small>${escapeHtml(guide.title)}</a>`
    : '<span></span>'
}
