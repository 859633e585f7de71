import type { Behaviour } from '@partner-payments/spec/behaviour'
import {
  type Contract,
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
  type Questions,
} from './contract.ts'
import { guideLink } from './fields.ts'
import { type Assumptions, drawMarks, shortAssumptions } from './marks.ts'
import { describeOperation, errorCodes, hasOwnPage, pagesOfOperations } from './operation-pages.ts'
import { createSamples, requestExamples } from './samples.ts'
import { statements } from './statements.ts'
import { assumptions, expand, paragraphs } from './text.ts'

/**
 * A copy of the contract that marks its assumptions for Redoc, which shows no extensions: each
 * description ends with links to its open questions. Without references, since Redoc shows only one
 * of a reference and what stands beside it.
 */
export function decorate(
  contract: Contract,
  { questions, behaviour }: { questions: Questions; behaviour: Behaviour },
): Contract {
  const copy = addMarks(inline(contract)) as Contract
  copy.info.description = paragraphs(copy.info.description, LEGEND)
  // Redoc takes an address that begins with a variable for a path of its own page.
  copy.servers = contract.servers.filter(({ variables }) => !variables)

  for (const { node, item } of eventsOf(copy)) {
    const marks = assumptions(listMarks(item))
    const description = `The source document states nothing of this event, its headers and body included. ${marks}`
    Object.assign(node, { description })
  }
  const operations = operationsOf(copy, behaviour)
  for (const operation of operations) decorateOperation(operation, behaviour)

  const operationPages = pagesOfOperations(operations)
  const sources = { contract, operationPages, questions, root: '' }
  // Beside each mark, a note shows the assumption in short.
  const texts = shortAssumptions(questions)
  return JSON.parse(markSchemes(copy, questions), (_, value) =>
    typeof value === 'string' ? expandLinks(value, sources, texts) : value,
  )
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

  for (const response of responses) {
    const { status } = response
    if (status < '400') continue
    const codes = errorCodes(operation, behaviour, status)
    const list = codes.map(({ link, when }) => `- ${link}: ${when}`).join('\n')
    const described = response.node as Node
    described.description = paragraphs(described.description, list)
  }

  node['x-badges'] = [{ name: effect, color: COLORS[effect] }]
  node['x-codeSamples'] = createSamples(operation)

  // Redoc has one sample for all examples, so it shows the example that the samples send.
  const media = mediaOf(node.requestBody)
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
 * A copy of a node and of all below it, in which each description ends with the marks of its node.
 *
 * @param inherited The open question of a node above that is assumed as a whole: all of it is
 * assumed too.
 * @param isListed Whether Redoc shows the node in a line of its own.
 */
function addMarks(value: unknown, inherited?: string, isListed = false): unknown {
  if (Array.isArray(value)) return value.map((item) => addMarks(item, inherited, isListed))
  if (!isNode(value)) return value

  const question = inlinedWholeMark(value) ?? inherited
  const { discriminator: _, ...copy } = mapValues(value, (child, key) => {
    if (DATA.has(key) || key.startsWith('x-')) return child
    const isMapOfNodes = LISTS.has(key) && isNode(child)
    if (isMapOfNodes) return mapValues(child, (item) => addMarks(item, question, true))
    return addMarks(child, question, LISTS.has(key))
  })
  const isOperation = Boolean(value.operationId)
  if (isOperation) return copy

  const marks = listMarks(value)
  const isPartOfAssumption = inherited !== undefined && !inlinedWholeMark(value)
  if (isListed && isPartOfAssumption) marks.push({ question: inherited, pointer: [] })

  const texts = [statements(copy, marks, String), guideLink(copy['x-guide'])]
  const description = texts.filter(Boolean).join(' ')
  // Redoc never shows the description of a choice.
  for (const choice of [copy.anyOf, copy.oneOf].flat().filter(isNode) as Node[])
    choice.description = paragraphs(description, choice.description)
  return description ? { ...copy, description } : copy
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
  texts: Assumptions,
): string {
  const expanded = expand(text, sources).replaceAll('{target="_self"}', '')
  return drawMarks(expanded, texts).replaceAll(/(\]\((?!http)[^)#]*)\.md/g, '$1.html')
}
