import type { Behaviour } from '@partner-payments/spec/behaviour'
import { NOT_SHOWN } from '@partner-payments/spec/build'
import {
  aspectOf,
  type Contract,
  type Declared,
  declaredIn,
  inline,
  isEvent,
  type PlacedMark,
  type Question,
  type Questions,
  securitySchemesOf,
  storedMarks,
} from './contract.ts'
import { paragraphs, prose } from './text.ts'

type Observation = NonNullable<Question['observed']>

/** What each basis of an assumption means. */
const BASES = {
  observed: 'A running service showed it. The source document does not state it, so it is no fact.',
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
  const usesByQuestion = findUses(contract)
  const rules = listRules(behaviour, declaredIn(contract))
  const bases = Object.entries(BASES).map(([basis, text]) => {
    const count = entries.filter(([, question]) => question.basis === basis).length
    return `- **${basis}** (${count}): ${text}`
  })
  const sections = entries.map(([id, question]) => {
    const uses = usesByQuestion.get(id) ?? []
    const rulesOfQuestion = rules.filter((rule) => rule.questions.has(id))
    return writeQuestion(id, question, uses, rulesOfQuestion)
  })
  return paragraphs(
    '# Open questions',
    `The source document leaves ${entries.length} questions open. The contract makes an assumption for each, where it can. Nothing on this page is a fact about the service. The document says “not shown” in ${NOT_SHOWN} remarks, which are numbered from its beginning.`,
    bases.join('\n'),
    '<QuestionFilter />',
    sections,
  )
}

/**
 * The section of one open question: the assumption of the contract, on what that rests (its basis),
 * what would settle it, and where the contract uses it.
 *
 * @param uses The places of the contract with a mark that names the question.
 * @param rules The resources and error codes whose entries name it.
 */
function writeQuestion(
  id: string,
  question: Question,
  uses: readonly Use[],
  rules: readonly Rule[],
): string {
  const { basis, norm, observed, source, settled, unmarked } = question
  const resources = listResources(uses, rules).join(' ')
  const parts = [
    `<section class="question" data-basis="${basis}" data-resources="${resources}">`,
    `## ${prose(question.question)} {#${id}}`,
    `<p><span class="basis ${basis}">${basis}</span> <code>${id}</code></p>`,
    `**${observed ? 'Observed' : 'Assumption'}.** ${prose(question.assumption)}`,
  ]
  if (observed) parts.push(describeObservation(observed))
  if (norm) parts.push(`**Standard.** ${prose(norm)}`)
  parts.push(
    `**The source document is silent in** ${prose(source.section)}${describeRemarks(source.marks)}.`,
    `**What would settle it.** ${prose(settled)}`,
    unmarked ? `**Used** nowhere: ${prose(unmarked)}` : describeUses(uses),
  )
  if (rules.length > 0) parts.push(`**Rules.** ${rules.map(({ link }) => link).join(', ')}.`)
  parts.push('</section>')
  return paragraphs(parts)
}

function describeObservation({ service, date, evidence }: Observation): string {
  return `**Seen** at ${prose(service)} on ${date}: ${prose(evidence)}.`
}

/** The tags of the operations that use a question, and of the rules that rest on it, each once. */
function listResources(uses: readonly Use[], rules: readonly Rule[]): string[] {
  const tags = new Set<string>()
  for (const { operation } of uses) if (operation) tags.add(operation.tag)
  for (const rule of rules) for (const tag of rule.tags) tags.add(tag)
  return [...tags]
}

function describeRemarks(marks: readonly number[] | undefined): string {
  if (!marks) return ', without saying so'
  const noun = marks.length === 1 ? 'remark' : 'remarks'
  return `, where it says “not shown” (${noun} ${marks.join(', ')} of ${NOT_SHOWN})`
}

/** Where a question is used, as a list that unfolds: places of the contract, then operations. */
function describeUses(uses: readonly Use[]): string {
  const labels = new Set<string>()
  const links = new Set<string>()
  for (const { label, operation } of uses) {
    labels.add(label)
    if (operation) links.add(writeLink(operation))
  }
  const list = paragraphs([...labels].join(', '), [...links].join(', '))
  return `<details><summary>Where it is used</summary>\n\n${list}\n\n</details>`
}

function writeLink(operation: Declared): string {
  const { path, id } = operation
  return isEvent(operation) ? `\`${path}\`` : `{{operation:${id}}}`
}

/** A place of the contract that makes an assumption, as an operation shows it. */
interface Use {
  readonly question: string
  readonly label: string
  readonly isLink: boolean
  readonly operation?: Declared
}

/**
 * Where the contract makes the assumption of each question: the places with a mark that names the
 * question, by its id.
 */
export function findUses(contract: Contract): Map<string, Use[]> {
  const inlinedContract = inline(contract)
  const operations = declaredIn(contract)
  const uses = findUsesOutside(inlinedContract)
  for (const operation of declaredIn(inlinedContract))
    uses.push(...findUsesOf(operation, inlinedContract, operations))
  return Map.groupBy(uses, ({ question }) => question)
}

/** The uses outside of operations and events, such as those of the servers. */
function findUsesOutside(inlinedContract: Contract): Use[] {
  return collectUses({ ...inlinedContract, paths: {}, webhooks: {}, components: {} }, [])
}

/**
 * The uses of open questions in an operation or an event: in itself, in what its path has for all
 * methods, and in the credentials that it takes.
 *
 * @param operations All operations: a label names a place by the id of one, such as `listUsers 200`.
 */
function findUsesOf(
  operation: Declared,
  inlinedContract: Contract,
  operations: readonly Declared[],
): Use[] {
  // `item` is the path of the operation, with all of its methods.
  const { node, item } = operation
  const itemWithoutMethods = { 'x-marks': item['x-marks'], parameters: item.parameters }
  const nodes = [node, itemWithoutMethods, securitySchemesOf(inlinedContract, node)]
  return collectUses(nodes, operations).map((use) => ({ ...use, operation }))
}

/**
 * The uses of open questions at and below a node: one for each mark, with a label that names its place
 * and what is assumed there, such as `` `Key.id` form ``.
 */
function collectUses(value: unknown, operations: readonly Declared[]): Use[] {
  if (typeof value !== 'object' || value === null) return []

  const uses: Use[] = storedMarks(value).map((mark) => ({
    question: mark.question,
    label: labelMark(mark, operations),
    isLink: mark.pointer.includes('links'),
  }))
  for (const child of Object.values(value)) uses.push(...collectUses(child, operations))
  return uses
}

function labelMark(mark: PlacedMark, operations: readonly Declared[]): string {
  const place = `\`${namePlace(mark.pointer, operations)}\``
  const aspect = aspectOf(mark)
  return aspect ? `${place} ${aspect}` : place
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

/**
 * The name of a place of the contract, without the words of OpenAPI. Of
 * `components/schemas/Key/properties/id`, it is `Key.id`, and of `paths/<path>/get/responses/200`,
 * `getKey 200`.
 */
function namePlace(pointer: readonly string[], operations: readonly Declared[]): string {
  const [section] = pointer
  if (section === 'info') return 'the contract itself'
  if (section === 'servers') return 'the address of the service'
  if (section === 'components') return withoutSyntax(pointer.slice(2)).join('.')

  // `paths` or `webhooks`, then the path or the name of an event, then the method.
  const [, pathOrEvent = '', declaredMethod, ...steps] = pointer
  const operation = operations.find(
    ({ path, method }) => path === pathOrEvent && method.toLowerCase() === declaredMethod,
  )
  return [operation?.id ?? pathOrEvent, ...withoutSyntax(steps)].join(' ')
}

/** The steps of a pointer that are names and no words of OpenAPI. */
function withoutSyntax(steps: readonly string[]): string[] {
  const isIndex = (step: string) => /^[0-9]$/.test(step)
  return steps.filter((step) => !SYNTAX.has(step) && !isIndex(step))
}

/** A resource or an error code: the questions that it rests on, and the tags of its operations. */
interface Rule {
  readonly link: string
  readonly tags: readonly string[]
  readonly questions: ReadonlySet<string>
}

/** A code that as many operations share is one of all, and belongs to no tag. */
const OPERATIONS_OF_SHARED_CODE = 9

/**
 * The resources and error codes of spec/behaviour as links, each with the open questions that its
 * entry names. The tags are those of the operations that it is about; an error code that many
 * operations share has none.
 */
function listRules(
  { resources = {}, refusals = {} }: Behaviour,
  operations: readonly Declared[],
): Rule[] {
  const rules: Rule[] = []
  for (const [name, resource] of Object.entries(resources)) {
    const link = `[${resource.title}](/behaviour/${name}.md)`
    rules.push({ link, tags: [resource.tag], questions: findQuestions(resource) })
  }
  for (const [code, refusal] of Object.entries(refusals)) {
    const ids = (refusal.responses ?? []).flatMap((response) => response.operations)
    const isShared = ids.length >= OPERATIONS_OF_SHARED_CODE
    const tags = isShared ? [] : listTags(ids, operations)
    rules.push({ link: `{{error:${code}}}`, tags, questions: findQuestions(refusal) })
  }
  return rules
}

function listTags(ids: readonly string[], operations: readonly Declared[]): string[] {
  const named = operations.filter(({ id }) => ids.includes(id))
  return named.map(({ tag }) => tag)
}

/** The ids of the open questions that a value names at any depth. */
function findQuestions(value: unknown): Set<string> {
  const matches = JSON.stringify(value).matchAll(/"question":"([^"]+)"/g)
  return new Set(Array.from(matches, ([, id = '']) => id))
}
