import { isNode, marksOf, type Node } from '../lint/marks.ts'
import type { Register } from '../lint/register.ts'

const EFFECTS: Readonly<Record<string, string>> = {
  read: 'may be sent again',
  idempotent: 'may be sent again',
  once: 'never send it again unless it surely did not arrive',
}

/**
 * A copy of a bundled contract whose descriptions name what the source document leaves unsaid. A member
 * that refers to a schema says so as well: editors show the text of the member, not of what it refers to.
 */
export function describe(contract: Node, register: Register): Node {
  const copy = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(copy)
    if (!isNode(value)) return value
    const members = Object.fromEntries(Object.entries(value).map(([name, it]) => [name, copy(it)]))
    const chain = [...chainOf(value, contract)]
    const notes = new Set(chain.flatMap((node) => notesOf(node, register)))
    if (notes.size === 0) return members
    const own = chain.map((node) => node.description).find(Boolean)
    return { ...members, description: [own, ...notes].filter(Boolean).join('\n\n') }
  }
  return copy(contract) as Node
}

/** A node and the schemas that it refers to, one after the other. */
function* chainOf(node: Node, contract: Node): Generator<Node> {
  yield node
  const name = String(node.$ref ?? '').match(/^#\/components\/schemas\/(.+)$/)?.[1]
  const schemas = (contract.components as Node).schemas as Readonly<Record<string, Node>>
  const target = name && schemas[name]
  if (target) yield* chainOf(target, contract)
}

function notesOf(node: Node, register: Register): string[] {
  const marks = marksOf(node)
  const rest = marks.filter(({ keyword }) => keyword !== 'x-effect')
  const effect = marks.find(({ keyword }) => keyword === 'x-effect')
  const answers = rest.map(({ id, keyword }) => answerNote(id, keyword, register))
  return effect
    ? [...operationNotes(node, `${effect.id} (${register[effect.id]?.basis})`), ...answers]
    : answers
}

function operationNotes({ 'x-effect': effect, responses }: Node, question: string): string[] {
  const errors = isNode(responses) ? [`Errors: ${errorsOf(responses)}.`] : []
  return [
    `Effect: ${effect}, ${EFFECTS[String(effect)]}; our answer to the open question ${question}.`,
    ...errors,
  ]
}

function errorsOf(responses: Node): string {
  return Object.keys(responses)
    .filter((status) => status >= '400')
    .join(', ')
}

function answerNote(id: string, keyword: string | undefined, register: Register): string {
  const entry = register[id]
  const what = keyword ? `"${keyword}" is` : 'This is'
  return `${what} our answer to the open question ${id} (${entry?.basis}): ${entry?.answer}`
}
