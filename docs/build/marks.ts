import { marksOf as marksIn } from '@partner-payments/spec/build'
import { type Contract, isNode, type Node } from './contract.ts'

export type { Basis, Question, Register as Questions } from '@partner-payments/spec/build'

/** An assumption of the contract: a whole node, or one `keyword` of it. */
export type Mark = { pointer: string[]; keyword?: string; question: string }

/** Every assumption of the contract, in reading order. */
export function marksOf(contract: Contract): Mark[] {
  return collect(contract, [])
}

/** The marks of one node, without those of the nodes below it. */
export function ownMarks(node: Node, pointer: string[] = []): Mark[] {
  return marksIn(node).map(({ id, keyword }) => ({ pointer, question: id, ...(keyword && { keyword }) }))
}

/** The open question of a node that is assumed as a whole. */
export function wholeMark(node: Node | undefined): string | undefined {
  const mark = node?.['x-open-question']
  return typeof mark === 'string' ? mark : undefined
}

/** What a reader calls the part of a node that a mark speaks of. */
export function aspectOf({ keyword }: Mark): string | undefined {
  return keyword && (ASPECTS[keyword] ?? keyword)
}

const ASPECTS: Record<string, string> = {
  enum: 'values',
  pattern: 'form',
  format: 'form',
  minLength: 'bounds',
  maxLength: 'bounds',
  minimum: 'bounds',
  maximum: 'bounds',
  maxItems: 'bounds',
  content: 'body',
  discriminator: 'other types',
  presence: 'optional',
  'x-effect': 'effect',
}

function collect(value: unknown, pointer: string[]): Mark[] {
  if (typeof value !== 'object' || value === null) return []
  const below = Object.entries(value).flatMap(([key, child]) => collect(child, [...pointer, key]))
  return isNode(value) ? [...ownMarks(value, pointer), ...below] : below
}
