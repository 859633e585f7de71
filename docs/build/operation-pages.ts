import { deprecationText, type Example } from '@partner-payments/contract'
import type { Behaviour } from '@partner-payments/spec/behaviour'
import { EFFECTS, splitDescription } from '@partner-payments/spec/build'
import {
  assumedSentences,
  type Contract,
  isOfWholeNode,
  listMarks,
  mediaOf,
  type Node,
  type Operation,
  type PlacedMark,
  referenceLink,
  securitySchemesOf,
  withoutMarksOfSentences,
} from './contract.ts'
import { type Field, fieldList, fieldsOfOperation } from './fields.ts'
import { createSamples, requestExamples, type Sample } from './samples.ts'
import { withShortStrings } from './short-strings.ts'
import { assumptions, codeBlock, jsonBlock, paragraphs, prose, table, withCode } from './text.ts'

const REQUEST_LABELS = ['required', 'optional'] as const
const RESPONSE_LABELS = ['', 'may be missing'] as const

/**
 * The page of an operation as Markdown: when to call it, the fields of request and response beside
 * examples, and its errors. The contract must be one without `$ref` (see `inline`).
 */
export function operationPage(
  operation: Operation,
  contract: Contract,
  behaviour: Behaviour,
): string {
  const { id, summary, method, path } = operation
  const reference = `[All operations on one page](/${referenceLink(operation)}){target="_self"}`
  return paragraphs(
    `# ${summary} <small>${id}</small>`,
    endpoint(method, path),
    SECTIONS,
    describeOperation(operation, reference),
    tryIt(id),
    '## Request',
    requestSection(operation, contract),
    '## Response',
    responseSection(operation),
    errorTable(operation, behaviour),
  )
}

/** The outline, which stands in the page because the samples take the place of the right column. */
const SECTIONS = `<nav class="sections" aria-label="On this page">

[Try it](#try-it) [Request](#request) [Response](#response) [Errors](#errors)

</nav>`

function tryIt(id: string): string {
  return `<TryIt id="${id}" />\n\n<noscript>“Try it” needs JavaScript.</noscript>`
}

/**
 * The section of the request: its credentials, parameters and body on one side, and on the other the
 * samples that send it. Samples of other examples unfold.
 */
function requestSection(operation: Operation, contract: Contract): string {
  const { node } = operation
  const { parameters, request } = fieldsOfOperation(operation)
  const fields = [
    describeAuthorization(contract, node),
    section('Parameters', parameters, REQUEST_LABELS),
    section(`Body ${assumptions(bodyMarks(node.requestBody))}`, request, REQUEST_LABELS),
  ]

  const blocks = [sampleGroup(createSamples(operation))]
  for (const { name, summary, samples, isSample } of requestExamples(operation))
    if (!isSample) blocks.push(unfoldable(summary ?? name, sampleGroup(samples)))
  return beside(fields, blocks)
}

/**
 * The section of the success: its status, body and headers on one side, and on the other its examples,
 * of which all but the first unfold.
 */
function responseSection(operation: Operation): string {
  const { response, headers } = fieldsOfOperation(operation)
  const { status, success } = operation
  const { description } = success.node
  const marks = listMarks(success.node)
  const fields = [
    `${describeStatus(status, marks)} ${prose(description)} ${assumptions(marks)}`,
    section('Body', response, RESPONSE_LABELS),
    section('Headers', headers, RESPONSE_LABELS),
  ]

  const [first, ...others] = responseExamples(operation)
  const blocks = [first ? jsonBlock(first.value) : 'The response has no body.']
  for (const { name, summary, value } of others)
    blocks.push(unfoldable(summary ?? name, jsonBlock(value)))
  return beside(fields, blocks)
}

/** The status of a success, which stays a fact where a mark says that its body is assumed. */
function describeStatus(status: number | string, marks: readonly PlacedMark[]): string {
  const isAssumed = marks.some(isOfWholeNode)
  if (marks.length === 0 || isAssumed) return `**${status}**`
  return `**${status}** (a fact)`
}

/**
 * The examples of a success. The one with the name of the request that the samples send comes first:
 * it is the response to that. Examples of lists have their long strings cut.
 */
function responseExamples(operation: Operation): Example[] {
  const sent = requestExamples(operation).find(({ isSample }) => isSample)?.name
  const examples = operation.success.body?.examples ?? []
  const ofSample = examples.filter(({ name }) => name === sent)
  const others = examples.filter(({ name }) => name !== sent)
  const ordered = [...ofSample, ...others]
  if (operation.role !== 'list') return ordered
  return ordered.map((example) => ({ ...example, value: withShortStrings(example.value) }))
}

export function endpoint(method: string, path: string): string {
  return `<p class="endpoint"><span class="method ${method.toLowerCase()}">${method}</span> <code>${path}</code></p>`
}

/** Two columns, one above the other on a narrow screen. */
export function beside(left: readonly unknown[], right: readonly unknown[]): string {
  return paragraphs('<div class="beside"><div>', left, '</div><div>', right, '</div></div>')
}

/** A list of fields below a title; nothing if there are no fields. */
export function section(
  title: string,
  fields: readonly Field[],
  labels: readonly [string, string],
): string {
  if (fields.length === 0) return ''
  return paragraphs(`**${title.trim()}**`, fieldList(fields, labels))
}

/** A text below a title that unfolds it. */
function unfoldable(title: string, text: string): string {
  return `:::: details ${title}\n\n${text}\n\n::::`
}

/**
 * The marks of a body as a whole: of what is assumed about it, and of whether it may have other
 * alternatives than those shown (the mark of the `discriminator`).
 */
function bodyMarks(body: unknown): PlacedMark[] {
  const others = listMarks(mediaOf(body).schema).filter(
    ({ keyword }) => keyword === 'discriminator',
  )
  return [...listMarks(body), ...others]
}

/** The paragraphs about the credentials that an operation takes. */
function describeAuthorization(contract: Contract, node: Node): string {
  const texts = securitySchemesOf(contract, node).map((scheme) => {
    const marks = assumptions(listMarks(scheme))
    return `**Authorization.** ${prose(scheme?.description)} ${marks}`
  })
  return texts.join('\n\n')
}

/**
 * What an operation does, as Markdown: the stated description, each assumption as a statement of
 * its own, and whether a request may be sent again.
 *
 * @param link A link to show first.
 */
export function describeOperation(operation: Operation, link = ''): string {
  const { node, item, aliasOf, effect, deprecation } = operation
  const parts = [link, withCode(splitDescription(operation.description).stated)]
  if (deprecation) parts.push(`**${deprecationText(deprecation)}**`)

  const statements = assumedSentences(node).map(
    ([question, sentence]) => `- ${prose(sentence)} {{assumption:${question}}}`,
  )
  if (statements.length > 0) parts.push(NOT_STATED, statements.join('\n'))

  if (aliasOf)
    parts.push(
      `A short path of {{operation:${aliasOf}}}. It is not known whether the service serves it.`,
    )

  const marks = withoutMarksOfSentences([...listMarks(node), ...listMarks(item)], node)
  parts.push(`**Effect: ${effect}.** ${EFFECTS[effect]}. ${assumptions(marks)}`)
  return paragraphs(parts)
}

const NOT_STATED = 'The source document states what has no mark. It does not state:'

/**
 * The address of the page about each operation, by its id. The short paths share a section of a
 * guide.
 */
export function pagesOfOperations(operations: readonly Operation[]): ReadonlyMap<string, string> {
  const pages = new Map<string, string>()
  for (const operation of operations) {
    const { id } = operation
    pages.set(id, hasOwnPage(operation) ? `/operations/${id}.md` : PAGE_OF_SHORT_PATHS)
  }
  return pages
}

const PAGE_OF_SHORT_PATHS = '/guides/what-is-not-known.md#short-paths'

/** Whether an operation has a page of its own, with a form to send it. A short path has neither. */
export function hasOwnPage({ aliasOf }: Operation): boolean {
  return aliasOf === undefined
}

/** An error code that an operation can return. */
interface OperationError {
  readonly link: string
  readonly statuses: readonly string[]
  /** When it is returned. */
  readonly when: string
}

/**
 * The error codes that an operation can return, each with its statuses, as far as the operation
 * declares them. A short path has the codes of its operation.
 */
export function errorCodes(operation: Operation, { refusals = {} }: Behaviour): OperationError[] {
  const id = operation.aliasOf ?? operation.id
  const declaredStatuses = operation.responses.map(({ status }) => status)
  const codes: OperationError[] = []
  for (const [code, { when, responses = [] }] of Object.entries(refusals)) {
    const responsesOfOperation = responses.filter(({ operations }) => operations.includes(id))
    const statuses = responsesOfOperation
      .map(({ status }) => String(status))
      .filter((status) => declaredStatuses.includes(status))
    if (statuses.length > 0) codes.push({ link: `{{error:${code}}}`, statuses, when: prose(when) })
  }
  return codes
}

/**
 * The table of the error codes of an operation, by status. That of a payment also says which ones
 * prove that nothing was paid.
 */
function errorTable(operation: Operation, behaviour: Behaviour): string {
  const errors = operation.responses.filter(({ status }) => Number(status) >= 400)
  const marks = errors.flatMap(({ node }) => listMarks(node)).filter(isOfWholeNode)
  const intro = `## Errors\n\nThe source document states none of them. ${assumptions(marks)}`
  const codes = errorCodes(operation, behaviour).toSorted(compareStatuses)

  const isPayment = operation.id === 'createTransfer'
  if (!isPayment) return table(intro, ERROR_COLUMNS, codes.map(errorRow))

  const rows = codes.map((code) => [...errorRow(code), code.statuses.map(provesUnpaid).join(', ')])
  return table(`${intro} ${ABOUT_PROOF}`, [...ERROR_COLUMNS, 'Proves unpaid'], rows)
}

const ERROR_COLUMNS = ['Status', 'Code', 'When']

function errorRow({ statuses, link, when }: OperationError): string[] {
  return [statuses.join(', '), link, when]
}

function compareStatuses(one: OperationError, other: OperationError): number {
  return one.statuses.join(', ').localeCompare(other.statuses.join(', '))
}

const ABOUT_PROOF =
  'The last column says whether a refusal [with problem details](/guides/errors.md#when-a-transfer-returns-an-error) proves that nothing was paid. After a `409`, an earlier request may have paid. {{assumption:transfer-repeat}}'

/**
 * Whether a refused payment proves that nothing was paid, by its status, as the client reads it.
 */
function provesUnpaid(status: string): string {
  const isUnknown = Number(status) >= 500 || status === '409'
  return isUnknown ? 'no' : 'yes'
}

/** Samples of which the reader chooses one by its language. */
function sampleGroup(samples: readonly Sample[]): string {
  const blocks = samples.map(({ lang, source }) => codeBlock(source, LANGUAGES[lang], lang))
  return `::: code-group\n\n${blocks.join('\n\n')}\n\n:::`
}

const LANGUAGES: Record<string, string> = { curl: 'sh', TypeScript: 'ts', Python: 'python' }
