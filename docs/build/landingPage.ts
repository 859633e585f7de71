import { EFFECTS } from '@partner-payments/spec/build'
import { answerBadge } from './answerBadge.ts'
import { type Contract, eventsOf, type Operation, operationsOf, referenceLink, resolve } from './contract.ts'
import type { Guide } from './guides.ts'
import { type Basis, ownMarks, type Questions } from './marks.ts'
import { escapeHtml, page } from './page.ts'
import { BASES } from './questionsPage.ts'

type Input = { contract: Contract; questions: Questions; guides: Guide[]; style: string }

/** The first page: what this is, who it is for, the operations, and how facts and assumptions are marked. */
export function landingPage({ contract, questions, guides, style }: Input): string {
  const operations = operationsOf(contract)
  const main = `<section class="hero"><div class="page">
<h1>Pix payments for partners</h1>
<p class="lead">Sign in, read a payment code, look up a key, send a transfer, make QR codes, receive events.
${operations.length} operations, and one contract that knows which of its statements are facts.</p>
<p class="actions"><a class="button" href="guides/getting-started.html">Get started</a>
<a class="button plain" href="reference.html">Reference</a>
<a class="button plain" href="openapi.json" download>Download openapi.json</a></p>
</div></section>
<div class="page">
${factsAndAnswers(contract, questions)}
<section aria-labelledby="readers"><h2 id="readers">Where to begin</h2><ul class="cards">${READERS.map(card).join('\n')}</ul></section>
<section aria-labelledby="operations"><h2 id="operations">The ${operations.length} operations</h2>
<div class="resources">${contract.tags.map((tag) => resource(tag, contract)).join('\n')}</div>
<p>A guide for partners gives <a href="guides/short-paths.html">shorter paths</a> to five of them. It is not known whether the service serves these.</p></section>
<section aria-labelledby="guides"><h2 id="guides">Guides</h2><ul class="cards">${guides.map(guideCard).join('\n')}</ul></section>
</div>`
  return page({ title: 'Pix payments for partners', root: '', current: 'home', style, main })
}

function factsAndAnswers(contract: Contract, questions: Questions): string {
  const count = (basis: Basis) =>
    Object.values(questions).filter((question) => question.basis === basis).length
  const bases = (Object.keys(BASES) as Basis[]).map(
    (basis) =>
      `<li><span class="basis basis-${basis}">${basis}</span> <b>${count(basis)}</b> ${BASES[basis]}</li>`,
  )
  return `<section class="split" aria-labelledby="facts">
<div><h2 id="facts">Facts and assumptions</h2>
<p>One document describes the service, and it leaves things unsaid. What it states carries <b>no mark</b> here.
Where it is silent, the contract has <b>assumptions</b>. Every page marks them, with a link to the open question.</p>
<ul class="bases">${bases.join('')}</ul>
<p><a href="open-questions.html">All ${Object.keys(questions).length} open questions</a></p></div>
<figure class="specimen"><dl>
${SPECIMENS.map((name) => specimen(name, contract, questions)).join('\n')}
</dl><figcaption>Two facts, and between them an assumption.</figcaption></figure>
</section>`
}

const SPECIMENS = ['dict_key', 'owner_type', 'owner_trade_name']

/** A member as the contract has it, so that no text of this page can make an answer look like a fact. */
function specimen(name: string, contract: Contract, questions: Questions): string {
  const node = resolve(contract, `#/components/schemas/KeyCheck/properties/${name}`)
  const text = escapeHtml(String(node.description ?? (node.enum as string[]).join(', ')))
  const badges = ownMarks(node).map(({ question }) => `<br>${answerBadge(question, questions, '')}`)
  return `<div><dt><code>${name}</code> ${node.type}</dt><dd>${text}${badges.join('')}</dd></div>`
}

type Card = { href: string; title: string; text: string }

const READERS: Card[] = [
  {
    href: 'guides/getting-started.html',
    title: 'You call the service',
    text: 'From nothing to a paid key in a few commands, against a mock on your own machine.',
  },
  {
    href: 'guides/using-the-client.html',
    title: 'You write the code',
    text: 'A client in TypeScript, which signs in by itself and never repeats a request that may have paid.',
  },
  {
    href: 'guides/webhooks.html',
    title: 'You receive events',
    text: 'Register a URL, verify signatures, and deduplicate events.',
  },
  {
    href: 'open-questions.html',
    title: 'You know the service',
    text: 'Each open question names the observation that would settle it. One look may close it.',
  },
]

function card({ href, title, text }: Card): string {
  return `<li><a class="card" href="${href}"><b>${escapeHtml(title)}</b><span>${escapeHtml(text)}</span></a></li>`
}

function guideCard({ name, title, summary }: Guide): string {
  return card({ href: `guides/${name}.html`, title, text: summary })
}

function resource({ name, description }: Contract['tags'][number], contract: Contract): string {
  const ofTag = ({ node }: Operation) => node.tags[0] === name
  const events = eventsOf(contract).filter(ofTag)
  return `<section class="resource"><h3>${name}</h3><p>${escapeHtml(description)}</p>
<ul>${operationsOf(contract).filter(ofTag).map(operationLine).join('')}</ul>
${events.length > 0 ? `<p>Events, all <a class="answer" href="open-questions.html#event-kinds">assumed</a></p><ul>${events.map(eventLine).join('')}</ul>` : ''}
</section>`
}

function operationLine(operation: Operation): string {
  const { method, path, node } = operation
  const effect = node['x-effect'] === 'once' ? ` <span class="once" title="${EFFECTS.once}">once</span>` : ''
  return `<li><a href="${referenceLink(operation)}" title="${escapeHtml(path)}"><span class="method ${method}">${method}</span> <span class="summary">${escapeHtml(node.summary)}</span></a>${effect}<code>${node.operationId}</code></li>`
}

function eventLine(event: Operation): string {
  return `<li><a href="${referenceLink(event)}"><span class="summary">${escapeHtml(event.node.summary)}</span></a><code>${event.path}</code></li>`
}
