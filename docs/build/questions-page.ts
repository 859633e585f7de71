import type { Behaviour } from '@partner-payments/spec/behaviour'
import { NOT_SHOWN } from '@partner-payments/spec/build'
import { isNode, type Operation } from './contract.ts'
import type { Basis, Question, Questions } from './marks.ts'
import type { Page } from './page.ts'
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
  const rests = restingOn(behaviour, tagsOf(places))
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
  return {
    path: 'open-questions.md',
    title: 'Open questions',
    summary: 'Where the document is silent.',
    section: 'questions',
    text,
    options,
  }
}

function article(id: string, question: Question, places: readonly Place[], rests: readonly Rule[]): string {
  const { basis, norm, source, settled, unmarked } = question
  const operations = [...new Set(places.flatMap((place) => place.operations))]
  const tags = [...operations.map(({ node }) => node.tags[0]), ...rests.flatMap((rule) => rule.tags)]
  const rows = [
    norm && `**Standard.** ${prose(norm)}`,
    `**The document is silent in** ${prose(source.section)}${remarks(source.marks)}.`,
    `**What would settle it.** ${prose(settled)}`,
    unmarked ? `**Used** nowhere: ${prose(unmarked)}` : usage(places, operations),
    rests.length > 0 && `**Rules.** ${rests.map(({ link }) => link).join(', ')}.`,
  ]
  return `<section class="question" data-basis="${basis}" data-resources="${[...new Set(tags)].join(' ')}">

## ${prose(question.question)} {#${id}}

<p><span class="basis ${basis}">${basis}</span> <code>${id}</code></p>

**Assumption.** ${prose(assumptionOf(question))}

${rows.filter(Boolean).join('\n\n')}

</section>`
}

/** The one place that reads what the contract assumes. */
function assumptionOf(question: Question): string {
  return question.assumption
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
  return `<details><summary>Where it is used</summary>\n\n${[...labels].join(', ')}\n\n${links.join(', ')}\n\n</details>`
}

/** A resource or an error code, and the tags of its operations. */
interface Rule {
  readonly link: string
  readonly tags: readonly string[]
}

/** The resources and error codes whose rules rest on each open question, by its id. */
function restingOn(
  { resources = {}, refusals = {} }: Behaviour,
  tags: Map<string, string>,
): Map<string, Rule[]> {
  const ofOperations = (ids: readonly string[]) =>
    ids.length < MANY ? ids.flatMap((id) => tags.get(id) ?? []) : []
  const rules = [
    ...Object.entries(resources).map(([name, it]) => ({
      it,
      rule: { link: `[${it.title}](behaviour/${name}.md)`, tags: [it.tag] },
    })),
    ...Object.entries(refusals).map(([code, it]) => ({
      it,
      rule: {
        link: `[\`${code}\`](behaviour/errors.md#${code})`,
        tags: ofOperations((it.responses ?? []).flatMap(({ operations }) => operations)),
      },
    })),
  ]
  const uses = rules.flatMap(({ it, rule }) => [...questionsIn(it)].map((question) => ({ question, rule })))
  return new Map(
    [...Map.groupBy(uses, ({ question }) => question)].map(([id, all]) => [id, all.map(({ rule }) => rule)]),
  )
}

/** A code that more operations share is one of all. */
const MANY = 9

/** The tag of each operation that some question is shown in. */
function tagsOf(places: Map<string, Place[]>): Map<string, string> {
  const operations = [...places.values()].flat().flatMap((place) => place.operations)
  return new Map(operations.map(({ node }) => [node.operationId, node.tags[0]]))
}

function questionsIn(value: unknown, found = new Set<string>()): Set<string> {
  if (isNode(value) && typeof value.question === 'string') found.add(value.question)
  const children = Array.isArray(value) ? value : isNode(value) ? Object.values(value) : []
  for (const child of children) questionsIn(child, found)
  return found
}
