import type { Directives } from '../markdown.ts'
import { type Markdown, markdown } from '../markdown.ts'
import { escapeHtml, page } from '../page.ts'
import { errorCatalogue } from './error-catalogue.ts'
import { resourcePage } from './resource-page.ts'
import type { BehaviourInput } from './source.ts'

interface PagesInput extends BehaviourInput {
  readonly directives: Directives
  readonly style: string
}

/** The pages of behaviour/: an overview, a page for each resource, and the error catalogue. */
export async function behaviourPages({
  directives,
  style,
  ...input
}: PagesInput): Promise<[string, string][]> {
  const render = await markdown(directives)
  const resources = Object.entries(input.behaviour.resources ?? {})
  const links = resources.map(([name, { title, summary }]) => ({ name, title, summary }))
  const pages = resources.map(([name, resource]): [string, string] => {
    const text = resourcePage(name, resource, input)
    return [
      `${name}.html`,
      withSide({ name, title: resource.title, lead: resource.summary, text, links, render, style }),
    ]
  })
  const errors = {
    name: 'errors',
    title: 'Errors',
    lead: ERRORS,
    text: errorCatalogue(input),
    links,
    render,
    style,
  }
  return [
    ['behaviour/index.html', overview(links, style)],
    ['behaviour/errors.html', withSide(errors)],
    ...pages.map(([name, html]): [string, string] => [`behaviour/${name}`, html]),
  ]
}

const ERRORS = 'All error codes: what leads to each, and what to do.'

interface Link {
  readonly name: string
  readonly title: string
  readonly summary: string
}

interface Side {
  readonly name: string
  readonly title: string
  readonly lead: string
  readonly text: string
  readonly links: readonly Link[]
  readonly render: Markdown
  readonly style: string
}

function withSide({ name, title, lead, text, links, render, style }: Side): string {
  const entries = [...links, { name: 'errors', title: 'Errors' }].map((it) => {
    const here = it.name === name ? ' aria-current="page"' : ''
    return `<li><a href="${it.name}.html"${here}>${escapeHtml(it.title)}</a></li>`
  })
  const main = `<div class="with-side">
<nav class="side" aria-label="Resources"><p>Resources</p><ol>${entries.join('')}</ol></nav>
<article class="guide">
<h1>${escapeHtml(title)}</h1>
<p class="lead">${escapeHtml(lead)}</p>
${render(text)}
</article>
</div>`
  return page({ title, root: '../', current: name === 'errors' ? 'errors' : 'resources', style, main })
}

function overview(links: readonly Link[], style: string): string {
  const cards = [...links, { name: 'errors', title: 'Errors', summary: ERRORS }].map(
    ({ name, title, summary }) =>
      `<li><a class="card" href="${name}.html"><b>${escapeHtml(title)}</b><span>${escapeHtml(summary)}</span></a></li>`,
  )
  const main = `<div class="page">
<h1>Resources</h1>
<p class="lead">What the service keeps, which states it has, and which rules hold beyond a single request.</p>
<ul class="cards">${cards.join('\n')}</ul>
</div>`
  return page({ title: 'Resources', root: '../', current: 'resources', style, main })
}
