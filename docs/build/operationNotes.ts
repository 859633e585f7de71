import type { Behaviour } from '@partner-payments/spec/behaviour'
import { EFFECTS } from '@partner-payments/spec/build'
import {
  type Contract,
  type Effect,
  type Operation,
  type OperationNode,
  operationsOf,
  referenceLink,
  resolve,
} from './contract.ts'
import { ownMarks, type Questions, wholeMark } from './marks.ts'
import { basisTag, pill, pills } from './pills.ts'

/** The colour of the badge that says whether an operation may be sent twice. */
const COLORS: Record<Effect, string> = { read: 'green', idempotent: 'blue', once: 'red' }

/**
 * Says above an operation what Redoc shows only in tabs or not at all: its effect, the statuses that are assumed, the marks
 * of its path, its error codes, and the operation whose path it shortens.
 */
export function explainOperation(
  { node, path }: Pick<Operation, 'node' | 'path'>,
  contract: Contract,
  { questions, behaviour }: { questions: Questions; behaviour: Behaviour },
): void {
  const effect = node['x-effect']
  if (!effect) throw new Error(`${node.operationId} has no x-effect`)
  const marks = Map.groupBy(ownMarks(node), ({ keyword }) => keyword === 'x-effect')
  const words = `**Effect: ${effect}**, ${EFFECTS[effect]}. ${pills(marks.get(true) ?? [], questions)}`
  const lines = [
    node.description,
    node['x-alias-of'] ? '' : `[Try it](try.html?operation=${node.operationId})`,
    [aliasNote(node, contract), pills(ownMarks(contract.paths[path] ?? {}), questions)].join(' ').trim(),
    pills(marks.get(false) ?? [], questions),
    words,
    statuses(node, contract, questions),
    errorCodes(node.operationId, behaviour),
  ]
  node.description = lines.filter(Boolean).join('\n\n')
  node['x-badges'] = [{ name: effect, color: COLORS[effect] }]
}

function aliasNote({ 'x-alias-of': id }: OperationNode, contract: Contract): string {
  const aliased = operationsOf(contract).find(({ node }) => node.operationId === id)
  if (!aliased) return ''
  return `A short path of [${id}](${referenceLink(aliased)}), \`${aliased.path}\`. It is not known whether the service serves it.`
}

/** The codes that the operation's error responses show, each with a link to the error catalogue. */
function errorCodes(operation: string, { refusals = {} }: Behaviour): string {
  const links = Object.entries(refusals)
    .filter(([, { responses = [] }]) => responses.some((it) => it.operations.includes(operation)))
    .map(([code]) => `[\`${code}\`](behaviour/errors.html#${code})`)
  return links.length > 0 ? `**Error codes:** ${links.join(' · ')}` : ''
}

/** An event is an assumption as a whole. */
export function explainEvent(node: OperationNode, id: string, questions: Questions): void {
  node.description = `The whole of this event is assumed, headers and body included. ${pill(id, undefined, questions)}`
  node['x-badges'] = [basisTag(questions[id]?.basis)]
}

function statuses(node: OperationNode, contract: Contract, questions: Questions): string {
  const ours = Object.entries(node.responses).flatMap(([status, response]) => {
    const shared = typeof response.$ref === 'string' ? resolve(contract, response.$ref) : response
    const question = wholeMark(shared)
    return question ? [{ status, question }] : []
  })
  const groups = Map.groupBy(ours, ({ question }) => question)
  const lines = [...groups].map(
    ([id, group]) => `${group.map(({ status }) => status).join(', ')} ${pill(id, undefined, questions)}`,
  )
  return lines.length > 0 ? `**Assumed statuses:** ${lines.join(' · ')}` : ''
}
