import type { Behaviour } from '@partner-payments/spec/behaviour'
import {
  type Contract,
  type Event,
  eventsOf,
  inline,
  inlinedWholeMark,
  isNode,
  listMarks,
  mapValues,
  mediaOf,
  type Node,
  type Operation,
  operationsOf,
  type PlacedMark,
  type Questions,
} from './contract.ts'
import { guideLink } from './fields.ts'
import { type Assumptions, drawMarks, shortAssumptions } from './marks.ts'
import { describeOperation, errorCodes, hasOwnPage, pagesOfOperations } from './operation-pages.ts'
import { createSamples, requestExamples } from './samples.ts'
import { statements } from './statements.ts'
import { assumptions, expand, paragraphs } from './text.ts'

/**
 * A copy of the contract for Redoc, which draws the reference from it. Redoc does not show the marks
 * of assumptions (`x-open-question`), so each description ends with links to its open questions. The
 * copy has no references: of a `$ref` and what stands beside it, Redoc would show only one.
 */
export function decorate(
  contract: Contract,
  { questions, behaviour }: { questions: Questions; behaviour: Behaviour },
): Contract {
  const copy = addMarks(inline(contract)) as Contract
  copy.info.description = paragraphs(copy.info.description, LEGEND)
  // Redoc takes an address that begins with a variable for a path of its own page.
  copy.servers = contract.servers.filter(({ variables }) => !variables)

  for (const event of eventsOf(copy)) decorateEvent(event)
  const operations = operationsOf(copy, behaviour)
  for (const operation of operations) decorateOperation(operation, behaviour)

  const operationPages = pagesOfOperations(operations)
  const sources = { contract, operationPages, questions, root: '' }
  // Beside each mark, a note shows the assumption in short.
  const notes = shortAssumptions(questions)
  return JSON.parse(markSchemes(copy, questions), (_, value) =>
    typeof value === 'string' ? expandLinks(value, sources, notes) : value,
  )
}

/** Changes the description of the event in place: all of it is assumed. */
function decorateEvent({ node, item }: Event): void {
  const marks = assumptions(listMarks(item))
  const description = `The source document states nothing of this event, its headers and body included. ${marks}`
  Object.assign(node, { description })
}

/**
 * Changes the operation in place, for Redoc: adds its assumptions and error codes to descriptions,
 * its effect as a badge, and its samples.
 */
function decorateOperation(operation: Operation, behaviour: Behaviour): void {
  const { id, effect, responses } = operation
  const node = operation.node as Node
  const form = `[Try it](/operations/${id}.md#try-it)`
  node.description = describeOperation(operation, hasOwnPage(operation) ? form : '')
  node['x-badges'] = [{ name: effect, color: COLORS[effect] }]
  node['x-codeSamples'] = createSamples(operation)
  keepSentExample(operation)

  const codes = errorCodes(operation, behaviour)
  for (const { status, node: response } of responses) {
    const isError = status >= '400'
    if (!isError) continue
    const codesOfStatus = codes.filter(({ statuses }) => statuses.includes(status))
    const list = codesOfStatus.map(({ link, when }) => `- ${link}: ${when}`).join('\n')
    Object.assign(response, { description: paragraphs(response.description, list) })
  }
}

/** Removes the examples of the request that the samples do not send: Redoc has one sample for all. */
function keepSentExample(operation: Operation): void {
  const media = mediaOf(operation.node.requestBody)
  const sent = requestExamples(operation).find(({ isSample }) => isSample)
  if (sent && isNode(media.examples)) media.examples = { [sent.name]: media.examples[sent.name] }
}

/** The colour of the badge that says whether an operation may be sent twice. */
const COLORS = { read: 'green', idempotent: 'blue', once: 'red' }

const LEGEND = `**Marks.** Point at a mark, or select *Show assumptions* at the top, to see its
[open questions](/open-questions.md). A blue mark was observed on a running service. An orange
mark is our assumption. A blue-green one follows a named standard, not yet
confirmed against the service. A purple one makes no assumption. The words in brackets name the parts that are assumed.`

/** Keywords that hold data or names rather than statements of the contract. */
const DATA = new Set(['example', 'examples', 'enum', 'default', 'const', 'required', 'links'])

/**
 * Keywords whose children Redoc lists line by line. Each says so where it is part of something
 * assumed.
 */
const LISTS = new Set(['properties', 'parameters', 'headers'])

/**
 * A copy of a node and of all below it, in which each description ends with the marks of its node: the
 * links to the open questions about it.
 *
 * @param inherited The open question of a node above that is assumed as a whole, so that this one is
 * assumed too.
 * @param isListed Whether Redoc shows the node in a line of its own, such as a property.
 */
function addMarks(value: unknown, inherited?: string, isListed = false): unknown {
  if (Array.isArray(value)) return value.map((item) => addMarks(item, inherited, isListed))
  if (!isNode(value)) return value

  const wholeQuestion = inlinedWholeMark(value)
  const copy = addMarksToChildren(value, wholeQuestion ?? inherited)
  // `decorateOperation` writes the marks of an operation.
  const isOperation = Boolean(value.operationId)
  if (isOperation) return copy

  const marks = listMarks(value)
  // A line of an object that is assumed as a whole shows that question, unless it has its own.
  const showsInherited = isListed && inherited !== undefined && wholeQuestion === undefined
  if (showsInherited) marks.push({ question: inherited, pointer: [] })
  return describeMarks(copy, marks)
}

/**
 * A copy of a node in which all below it has its marks. Leaves out `discriminator`.
 *
 * @param question The open question of the node, or of one above, that is assumed as a whole.
 */
function addMarksToChildren(node: Node, question: string | undefined): Node {
  const { discriminator: _, ...others } = node
  return mapValues(others, (child, key) => {
    const isData = DATA.has(key) || key.startsWith('x-')
    if (isData) return child

    // `properties` and `headers` have their children by name, `parameters` has them in an array.
    const isListed = LISTS.has(key)
    if (isListed && isNode(child)) return mapValues(child, (item) => addMarks(item, question, true))
    return addMarks(child, question, isListed)
  })
}

/**
 * A copy of a node whose description ends with its marks. If the node is a choice, each alternative
 * gets this description before its own, in place: Redoc never shows the description of a choice.
 */
function describeMarks(node: Node, marks: readonly PlacedMark[]): Node {
  const texts = [statements(node, marks, String), guideLink(node['x-guide'])]
  const description = texts.filter(Boolean).join(' ')
  for (const alternative of [node.anyOf, node.oneOf].flat().filter(isNode) as Node[])
    alternative.description = paragraphs(description, alternative.description)
  return description ? { ...node, description } : node
}

/**
 * The contract as JSON, in which the name of a security scheme says that it is assumed or observed.
 * Redoc names a scheme without its description.
 */
function markSchemes(copy: Contract, questions: Questions): string {
  let text = JSON.stringify(copy, (key, value) => (key === 'x-marks' ? undefined : value))
  for (const [name, scheme] of Object.entries(copy.components.securitySchemes ?? {})) {
    const question = inlinedWholeMark(scheme)
    if (!question) continue
    const word = questions[question]?.basis === 'observed' ? 'observed' : 'assumed'
    text = text.replaceAll(`"${name}":`, `"${name} (${word})":`)
  }
  return text
}

/**
 * A text of the contract for Redoc: its directives and marks become links, which lead to the HTML
 * of the pages.
 */
function expandLinks(
  text: string,
  sources: Parameters<typeof expand>[1],
  notes: Assumptions,
): string {
  const expanded = expand(text, sources).replaceAll('{target="_self"}', '')
  return drawMarks(expanded, notes).replaceAll(LINK_TO_MARKDOWN, '$1.html')
}

/** Up to the extension: `](/guides/errors` of `](/guides/errors.md#retries)`. */
const LINK_TO_MARKDOWN = /(\]\((?!http)[^)#]*)\.md/g
