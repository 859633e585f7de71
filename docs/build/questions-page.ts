import type { Behaviour } from '@partner-payments/spec/behaviour'
import { NOT_SHOWN } from '@partner-payments/spec/build'
import {
  aspectOf,
  type Contract,
  eventsOf,
  inline,
  isNode,
  type Operation,
  operationsOf,
  type Question,
  type Questions,
  storedMarks,
} from './contract.ts'
import { paragraphs, prose } from './text.ts'

/** What each basis of an assumption means. */
const BASES = {
  standard: 'Follows a named standard. Not yet confirmed against the service.',
  assumed: 'Our assumption. It is reasonable, and may be wrong.',
  open: 'No assumption. The contract allows what the source document shows.',
} as const

/**
 * The register as a page: every open question with its assumption, its basis and where it is used.
 */
export function questionsPage(
  contract: Contract,
  questions: Questions,
  behaviour: Behaviour,
): string {
  const entries = Object.entries(questions)
  const uses = usesOf(contract)
  const rules = rulesOf(behaviour, operationsOf(contract))
  const bases = Object.entries(BASES).map(([basis, text]) => {
    const count = entries.filter(([, question]) => question.basis === basis).length
    return `- **${basis}** (${count}): ${text}`
  })
  return paragraphs(
    '# Open questions',
    `The source document leaves ${entries.length} questions open. The contract makes an assumption for each, where it can. Nothing on this page is a fact about the service. The document says “not shown” in ${NOT_SHOWN} remarks, which are numbered from its beginning.`,
    bases.join('\n'),
    '<QuestionFilter />',
    entries.map(([id, question]) =>
      article(
        id,
        question,
        uses.get(id) ?? [],
        rules.filter((rule) => rule.questions.has(id)),
      ),
    ),
  )
}

function article(
  id: string,
  question: Question,
  uses: readonly Use[],
  rules: readonly Rule[],
): string {
  const { basis, norm, source, settled, unmarked } = question
  const tags = [
    ...uses.flatMap((use) => use.operation?.node.tags ?? []),
    ...rules.flatMap((rule) => rule.tags),
  ]
  return paragraphs(
    `<section class="question" data-basis="${basis}" data-resources="${[...new Set(tags)].join(' ')}">`,
    `## ${prose(question.question)} {#${id}}`,
    `<p><span class="basis ${basis}">${basis}</span> <code>${id}</code></p>`,
    `**Assumption.** ${prose(question.assumption)}`,
    norm && `**Standard.** ${prose(norm)}`,
    `**The source document is silent in** ${prose(source.section)}${remarks(source.marks)}.`,
    `**What would settle it.** ${prose(settled)}`,
    unmarked ? `**Used** nowhere: ${prose(unmarked)}` : usage(uses),
    rules.length > 0 && `**Rules.** ${rules.map(({ link }) => link).join(', ')}.`,
    '</section>',
  )
}

function remarks(marks: readonly number[] | undefined): string {
  if (!marks) return ', without saying so'
  return `, where it says “not shown” (${marks.length === 1 ? 'remark' : 'remarks'} ${marks.join(', ')} of ${NOT_SHOWN})`
}

function usage(uses: readonly Use[]): string {
  const labels = new Set(uses.map(({ label }) => label))
  const links = uses.map(({ operation: { path, node } = {} }) =>
    path?.startsWith('/') ? `{{operation:${node?.operationId}}}` : path && `\`${path}\``,
  )
  const list = paragraphs([...labels].join(', '), [...new Set(links)].filter(Boolean).join(', '))
  return `<details><summary>Where it is used</summary>\n\n${list}\n\n</details>`
}

/** A place of the contract that makes an assumption, as an operation shows it. */
interface Use {
  readonly question: string
  readonly label: string
  readonly isLink: boolean
  readonly operation?: Operation
}

/** Where the contract makes the assumption of each question. */
export function usesOf(contract: Contract): Map<string, Use[]> {
  const whole = inline(contract)
  const byOperation = [...operationsOf(whole), ...eventsOf(whole)].flatMap((operation) => {
    const { node, item } = operation
    const security = [node.security ?? whole.security].flat().filter(isNode).flatMap(Object.keys)
    const schemes = security.map((name) => whole.components.securitySchemes?.[name])
    const shown = [node, { 'x-marks': item['x-marks'], parameters: item.parameters }, schemes]
    return usesIn(shown, operationsOf(contract)).map((use) => ({ ...use, operation }))
  })
  const rest = usesIn({ ...whole, paths: {}, webhooks: {}, components: {} }, [])
  return Map.groupBy([...rest, ...byOperation], ({ question }) => question)
}

function usesIn(value: unknown, operations: readonly Operation[]): Use[] {
  if (typeof value !== 'object' || value === null) return []
  const own = storedMarks(value).map((mark) => {
    const aspect = aspectOf(mark)
    const label = `\`${labelOf(mark.pointer, operations)}\`${aspect ? ` ${aspect}` : ''}`
    return { question: mark.question, label, isLink: mark.pointer.includes('links') }
  })
  return [...own, ...Object.values(value).flatMap((it) => usesIn(it, operations))]
}

const SYNTAX = new Set([
  'properties',
  'items',
  'schema',
  'oneOf',
  'anyOf',
  'allOf',
  'responses',
  'links',
])

function labelOf(
  [home = '', name = '', ...rest]: readonly string[],
  operations: readonly Operation[],
): string {
  const steps = rest.filter((step) => !SYNTAX.has(step) && !/^[0-9]$/.test(step))
  if (home === 'components') return steps.join('.')
  if (home === 'info') return 'the contract itself'
  const operation = operations.find(({ path, method }) => path === name && method === rest[0])
  return [operation?.node.operationId ?? name, ...steps.slice(1)].join(' ')
}

type Rule = ReturnType<typeof rulesOf>[number]

/**
 * The resources and the error codes: the questions that each rests on, and the tags of its
 * operations.
 */
function rulesOf({ resources = {}, refusals = {} }: Behaviour, operations: readonly Operation[]) {
  const tagsOf = (ids: readonly string[]) =>
    operations.filter(({ node }) => ids.includes(node.operationId)).map(({ node }) => node.tags[0])
  return [
    ...Object.entries(resources).map(([name, it]) => {
      return { it, link: `[${it.title}](/behaviour/${name}.md)`, tags: [it.tag] }
    }),
    ...Object.entries(refusals).map(([code, it]) => {
      const ids = (it.responses ?? []).flatMap(({ operations }) => operations)
      // A code that more operations share is one of all.
      return { it, link: `{{error:${code}}}`, tags: ids.length < 9 ? tagsOf(ids) : [] }
    }),
  ].map(({ it, ...rule }) => ({ ...rule, questions: questionsIn(it) }))
}

function questionsIn(value: unknown): Set<string> {
  const found = [...JSON.stringify(value).matchAll(/"question":"([^"]+)"/g)]
  return new Set(found.map(([, id = '']) => id))
}
