import type { Behaviour } from '@partner-payments/spec/behaviour'
import { NOT_SHOWN } from '@partner-payments/spec/build'
import { isNode, type Operation } from './contract.ts'
import type { Basis, Question, Questions } from './marks.ts'
import type { Page } from './pages.ts'
import type { Place } from './places.ts'
import { prose } from './text.ts'

/** What each basis of an assumption means. */
const BASES: Record<Basis, string> = {
  standard: 'Follows a named standard. Not yet confirmed against the service.',
  assumed: 'Our assumption. It is reasonable, and may be wrong.',
  open: 'No assumption. The contract allows what the document shows.',
}

interface Input {
  readonly questions: Questions
  readonly places: Map<string, Place[]>
  readonly behaviour: Behaviour
}

/** The register as a page: every open question with its assumption, its basis and where it is used. */
export function questionsPage({ questions, places, behaviour }: Input): Page {
  const entries = Object.entries(questions)
  const rests = restingOn(behaviour)
  const bases = (Object.keys(BASES) as Basis[]).map((basis) => {
    const count = entries.filter(([, question]) => question.basis === basis).length
    return `- **${basis}** (${count}): ${BASES[basis]}`
  })
  const text = [
    '# Open questions',
    `The document that describes the service leaves ${entries.length} questions open. The contract makes an assumption for each, where it can. Nothing on this page is a fact about the service.`,
    bases.join('\n'),
    '<QuestionFilter />',
    ...entries.map(([id, question]) => article(id, question, places.get(id) ?? [], rests.get(id) ?? [])),
  ].join('\n\n')
  const options = { outline: false }
  return { path: 'open-questions.md', title: 'Open questions', summary: 'Where the document is silent.', section: 'questions', text, options }
}

function article(id: string, question: Question, places: readonly Place[], rests: readonly string[]): string {
  const { basis, norm, source, settled, unmarked } = question
  const operations = [...new Set(places.flatMap((place) => place.operations))]
  const resources = [...new Set(operations.map(({ node }) => node.tags[0]))]
  const rows = [
    norm && `**Standard.** ${prose(norm)}`,
    `**The document is silent in** ${prose(source.section)}${remarks(source.marks)}.`,
    `**What would settle it.** ${prose(settled)}`,
    unmarked ? `**Used** nowhere: ${prose(unmarked)}` : usage(places, operations),
    rests.length > 0 && `**Rules.** ${rests.join(', ')}.`,
  ]
  return `<section class="question" data-basis="${basis}" data-resources="${resources.join(' ')}">

## ${prose(question.question)} {#${id}}

<p><span class="basis ${basis}">${basis}</span> <code>${id}</code></p>

**Assumption.** ${prose(assumptionOf(question))}

${rows.filter(Boolean).join('\n\n')}

</section>`
}

/** The one place that reads what the contract assumes. */
function assumptionOf(question: Question): string {
  return question.answer
}

function remarks(marks: readonly number[] | undefined): string {
  if (!marks) return ', without saying so'
  return `, where it says “not shown” (${marks.length === 1 ? 'remark' : 'remarks'} ${marks.join(', ')} of ${NOT_SHOWN})`
}

function usage(places: readonly Place[], operations: readonly Operation[]): string {
  const labels = new Set(places.map(({ label, aspect }) => `\`${label}\`${aspect ? ` ${aspect}` : ''}`))
  const links = operations.map(({ node, path }) =>
    path.startsWith('/') ? `[\`${node.operationId}\`](operations/${node.operationId}.md)` : `\`${path}\``,
  )
  return `<details><summary>Used in ${labels.size} places, shown in ${links.length} operations and events</summary>\n\n${[...labels].join(', ')}\n\n${links.join(', ')}\n\n</details>`
}

/** Links to the resources and errors whose rules rest on each open question, by its id. */
function restingOn({ resources = {}, refusals = {} }: Behaviour): Map<string, string[]> {
  const links = [
    ...Object.entries(resources).map(([name, it]) => ({ it, link: `[${it.title}](behaviour/${name}.md)` })),
    ...Object.entries(refusals).map(([code, it]) => ({ it, link: `[\`${code}\`](behaviour/errors.md#${code})` })),
  ]
  const uses = links.flatMap(({ it, link }) => [...questionsIn(it)].map((question) => ({ question, link })))
  return new Map([...Map.groupBy(uses, ({ question }) => question)].map(([id, all]) => [id, all.map(({ link }) => link)]))
}

function questionsIn(value: unknown, found = new Set<string>()): Set<string> {
  if (isNode(value) && typeof value.question === 'string') found.add(value.question)
  const children = Array.isArray(value) ? value : isNode(value) ? Object.values(value) : []
  for (const child of children) questionsIn(child, found)
  return found
}
