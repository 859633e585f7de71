import { type Contract, type Effect, type OperationNode, resolve } from './contract.ts'
import { ownMarks, type Questions, wholeMark } from './marks.ts'
import { answerTag, pill, pills } from './pills.ts'

type Words = { color: string; text: string }

/** Whether an operation may be sent twice, in words, and the colour of its badge. */
const EFFECTS: Record<Effect, Words> = {
  read: { color: 'green', text: 'Changes nothing. Send it as often as you need.' },
  idempotent: { color: 'blue', text: 'May be sent again: a second request changes nothing more.' },
  once: {
    color: 'red',
    text: 'Never send it again on doubt: a second request may act a second time, or be refused and so hide that the first one worked.',
  },
}

/** Says above an operation what Redoc shows only in tabs or not at all: its effect, and the statuses that are ours. */
export function explainOperation(node: OperationNode, contract: Contract, questions: Questions): void {
  const effect = node['x-effect']
  if (!effect) throw new Error(`${node.operationId} has no x-effect`)
  const marks = Map.groupBy(ownMarks(node), ({ keyword }) => keyword === 'x-effect')
  const words = `**Effect: ${effect}.** ${EFFECTS[effect].text} ${pills(marks.get(true) ?? [], questions)}`
  const lines = [
    node.description,
    pills(marks.get(false) ?? [], questions),
    words,
    statuses(node, contract, questions),
  ]
  node.description = lines.filter(Boolean).join('\n\n')
  node['x-badges'] = [{ name: effect, color: EFFECTS[effect].color }]
}

/** An event is our answer as a whole. */
export function explainEvent(node: OperationNode, id: string, questions: Questions): void {
  node.description = `The whole of this event is ours, headers and body included. ${pill(id, undefined, questions)}`
  node['x-badges'] = [answerTag(questions[id]?.basis)]
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
  return lines.length > 0 ? `**Statuses that are our answer:** ${lines.join(' · ')}` : ''
}
