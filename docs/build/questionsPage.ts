import type { Behaviour } from '@partner-payments/spec/behaviour'
import { NOT_SHOWN } from '@partner-payments/spec/build'
import { behaviourLinks } from './behaviour/links.ts'
import { type Operation, referenceLink } from './contract.ts'
import type { Basis, Question, Questions } from './marks.ts'
import { escapeHtml, page } from './page.ts'
import type { Place } from './places.ts'

/** What each basis of an assumption means. */
export const BASES: Record<Basis, string> = {
  standard: 'Follows a named standard. Not yet confirmed against the service.',
  assumed: 'Our assumption. It is reasonable, and may be wrong.',
  open: 'No assumption. The contract allows what the document shows.',
}

type Input = { questions: Questions; places: Map<string, Place[]>; behaviour: Behaviour; style: string }

/** The register as a page: every open question with the assumption, its basis and where it is used. */
export function questionsPage({ questions, places, behaviour, style }: Input): string {
  const rules = behaviourLinks(behaviour)
  const entries = Object.entries(questions)
  const main = `<div class="page">
<h1>Open questions</h1>
<p class="lead">The document that describes the service leaves ${entries.length} questions open.
The contract makes an assumption for each, where it can. Nothing on this page is a fact about the service.</p>
${filter(entries)}
<div class="questions">
${entries.map(([id, question]) => article(id, question, places.get(id) ?? [], rules.get(id) ?? [])).join('\n')}
</div>
</div>`
  return page({ title: 'Open questions', root: '', current: 'questions', style, main })
}

/** Radio buttons that the style sheet reads: the page filters without a script. */
function filter(entries: [string, Question][]): string {
  const option = (value: string, count: number, text: string) => `<label>
<input type="radio" name="basis" value="${value}"${value === 'all' ? ' checked' : ''}>
<span class="basis basis-${value}">${value}</span> <b>${count}</b> <span class="hint">${text}</span></label>`
  const options = Object.entries(BASES).map(([basis, text]) =>
    option(basis, entries.filter(([, question]) => question.basis === basis).length, text),
  )
  return `<fieldset class="filter"><legend>Show by basis</legend>
${[option('all', entries.length, 'Every open question.'), ...options].join('\n')}
</fieldset>`
}

function article(id: string, question: Question, places: Place[], rules: readonly string[]): string {
  const { basis, norm, source, settled, unmarked } = question
  return `<article class="question" id="${id}" data-basis="${basis}">
<h2><a class="anchor" href="#${id}">${escapeHtml(question.question)}</a></h2>
<p class="meta"><span class="basis basis-${basis}">${basis}</span> <code>${id}</code></p>
<p class="reply"><b>Assumption.</b> ${escapeHtml(question.assumption)}</p>
<dl>
${norm ? row('Norm', escapeHtml(norm)) : ''}
${row('The document is silent in', `${escapeHtml(source.section)}${remarks(source.marks)}`)}
${row('What would settle it', escapeHtml(settled))}
${row('Used in', unmarked ? `Nowhere: ${escapeHtml(unmarked)}` : usage(places))}
${rules.length > 0 ? row('Rules', rules.join(', ')) : ''}
</dl>
</article>`
}

function row(term: string, text: string): string {
  return `<div><dt>${term}</dt><dd>${text}</dd></div>`
}

function remarks(marks: readonly number[] | undefined): string {
  if (!marks) return ', without saying so'
  return `, where it says “not shown” (${marks.length === 1 ? 'remark' : 'remarks'} ${marks.join(', ')} of ${NOT_SHOWN})`
}

const MANY = 6

function usage(places: Place[]): string {
  const labels = new Set(
    places.map(({ label, aspect }) => `<code>${escapeHtml(label)}</code>${aspect ? ` ${aspect}` : ''}`),
  )
  const operations = [...new Set(places.flatMap((place) => place.operations))]
  const links = operations.map((operation) => operationLink(operation)).join(', ')
  const lines = [[...labels].join(', '), links && `Shown in ${links}`].filter(Boolean)
  const text = lines.map((line) => `<p>${line}.</p>`).join('')
  return labels.size + operations.length > 2 * MANY
    ? `<details><summary>${labels.size} places, shown in ${operations.length} operations and events</summary>${text}</details>`
    : text
}

function operationLink(operation: Operation): string {
  return `<a href="${referenceLink(operation)}">${operation.node.operationId}</a>`
}
