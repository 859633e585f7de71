import type { Behaviour } from '@partner-payments/spec/behaviour'
import { EFFECTS } from '@partner-payments/spec/build'
import {
  type Contract,
  isNode,
  type Mark,
  marksIn,
  mediaOf,
  type Node,
  type Operation,
  referenceLink,
} from './contract.ts'
import { type Field, fieldList, fieldsOfOperation, successOf } from './fields.ts'
import { examplesIn, requestExamples, type Sample, samplesOf } from './samples.ts'
import { assumptions, codeBlock, jsonBlock, paragraphs, prose, table, withCode } from './text.ts'

const REQUEST_LABELS = ['required', 'optional'] as const
const RESPONSE_LABELS = ['', 'may be missing'] as const

/**
 * The page of an operation of an inlined contract: when to call it, the fields of request and
 * response beside examples, and its errors.
 */
export function operationPage(
  operation: Operation,
  contract: Contract,
  behaviour: Behaviour,
): string {
  const { node, method, path } = operation
  const examples = requestExamples(operation)
  const others = examples.filter(({ isSample }) => !isSample)
  const { parameters, request, response, headers } = fieldsOfOperation(operation)
  const [status, success] = successOf(operation)
  const sent = examples.find(({ isSample }) => isSample)?.name
  // That of the request that the samples send comes first.
  const isOther = ({ name }: { name: string }) => Number(name !== sent)
  const [first, ...rest] = examplesIn(success).sort((a, b) => isOther(a) - isOther(b))
  return paragraphs(
    `# ${node.summary} <small>${node.operationId}</small>`,
    endpoint(method, path),
    about(operation, `[All operations on one page](/${referenceLink(operation)}){target="_self"}`),
    isInSandbox(operation) &&
      `<TryIt id="${node.operationId}" />\n\n<noscript>“Try it” needs JavaScript.</noscript>`,
    '## Request',
    beside(
      [
        authorization(contract, node),
        section('Parameters', parameters, REQUEST_LABELS),
        section(`Body ${assumptions(bodyMarks(node.requestBody))}`, request, REQUEST_LABELS),
      ],
      [
        sampleGroup(samplesOf(operation)),
        others.map(({ name, summary, samples }) => folded(summary ?? name, sampleGroup(samples))),
      ],
    ),
    '## Response',
    beside(
      [
        `**${status}** ${prose(success.description)} ${assumptions(marksIn(success))}`,
        section('Body', response, RESPONSE_LABELS),
        section('Headers', headers, RESPONSE_LABELS),
      ],
      [
        first ? jsonBlock(first.value) : 'The response has no body.',
        rest.map(({ name, summary, value }) => folded(summary ?? name, jsonBlock(value))),
      ],
    ),
    errorTable(operation, behaviour),
  )
}

export function endpoint(method: string, path: string): string {
  return `<p class="endpoint"><span class="method ${method}">${method.toUpperCase()}</span> <code>${path}</code></p>`
}

/** Two columns, one above the other on a narrow screen. */
export function beside(left: readonly unknown[], right: readonly unknown[]): string {
  return paragraphs('<div class="beside"><div>', left, '</div><div>', right, '</div></div>')
}

export function section(
  title: string,
  fields: readonly Field[],
  labels: readonly [string, string],
): string {
  return fields.length > 0 ? paragraphs(`**${title.trim()}**`, fieldList(fields, labels)) : ''
}

function folded(title: string, text: string): string {
  return `:::: details ${title}\n\n${text}\n\n::::`
}

/** The assumptions about a body as a whole, other alternatives than those shown included. */
function bodyMarks(body: unknown): Mark[] {
  const others = marksIn(mediaOf(body).schema).filter(({ keyword }) => keyword === 'discriminator')
  return [...marksIn(body), ...others]
}

/** The credentials that an operation takes. */
function authorization(contract: Contract, node: Node): string {
  const names = [node.security ?? contract.security].flat().filter(isNode).flatMap(Object.keys)
  const schemes = names.map((name) => contract.components.securitySchemes?.[name] ?? {})
  return schemes
    .map((it) => `**Authorization.** ${prose(it.description)} ${assumptions(marksIn(it))}`)
    .join('\n\n')
}

/**
 * What the page and the reference say of an operation before its fields: its assumptions are
 * statements of their own.
 */
export function about({ node, item }: Operation, link = ''): string {
  const [description = ''] = String(node.description ?? '').split(/(?:Refused \(a|A)ssumed\)?:/)
  const statements = Object.entries(isNode(node['x-assumed']) ? node['x-assumed'] : {})
  const alias = node['x-alias-of']
  const effect = node['x-effect']
  const marks = [...marksIn(node), ...marksIn(item)]
  const isStated = (question: string) => statements.some(([id]) => id === question)
  const rest = marks.filter(({ question, keyword }) => keyword !== 'meaning' || !isStated(question))
  return paragraphs(
    link,
    withCode(description.trim()),
    statements.length > 0 && [
      'Assumed:',
      statements.map(([id, text]) => `- ${prose(text)} {{assumption:${id}}}`).join('\n'),
    ],
    alias &&
      `A short path of {{operation:${alias}}}. It is not known whether the service serves it.`,
    `**Effect: ${effect}.** ${EFFECTS[effect]}. ${assumptions(rest)}`,
  )
}

/** Whether the form can send it: the development server passes no short path on. */
export function isInSandbox({ node }: Operation): boolean {
  return !node['x-alias-of']
}

/** The codes of an operation's error responses, all or those with one status. */
export function errorCodes({ node }: Operation, { refusals = {} }: Behaviour, only?: string) {
  const id = String(node['x-alias-of'] ?? node.operationId)
  return Object.entries(refusals).flatMap(([code, { when, responses = [] }]) => {
    const statuses = responses
      .filter((it) => it.operations.includes(id) && it.status in node.responses)
      .map(({ status }) => String(status))
    const isAsked = only ? statuses.includes(only) : statuses.length > 0
    return isAsked ? [{ link: `{{error:${code}}}`, statuses, when: prose(when) }] : []
  })
}

function errorTable(operation: Operation, behaviour: Behaviour): string {
  const errors = Object.entries(operation.node.responses).filter(([status]) => status >= '400')
  const marks = errors.flatMap(([, response]) =>
    marksIn(response).filter(({ keyword }) => !keyword),
  )
  return table(
    `## Errors\n\nAll of them are assumed. ${assumptions(marks)}`,
    ['Status', 'Code', 'When'],
    errorCodes(operation, behaviour)
      .map(({ link, statuses, when }) => [statuses.join(', '), link, when])
      .sort(([a = ''], [b = '']) => a.localeCompare(b)),
  )
}

function sampleGroup(samples: readonly Sample[]): string {
  const blocks = samples.map(({ lang, source }) => codeBlock(source, LANGUAGES[lang], lang))
  return `::: code-group\n\n${blocks.join('\n\n')}\n\n:::`
}

const LANGUAGES: Record<string, string> = { curl: 'sh', TypeScript: 'ts', Python: 'python' }
