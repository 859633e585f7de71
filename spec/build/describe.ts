import { isNode, MARK, marksOf, type Node } from '../lint/marks.ts'
import type { Register } from '../lint/register.ts'

/** What each x-effect means for whoever sends. */
export const EFFECTS: Readonly<Record<'read' | 'idempotent' | 'once', string>> = {
  read: 'changes nothing, may be sent again',
  idempotent: 'may be sent again; the second answer may differ',
  once: 'never send it again unless it surely did not arrive',
}

/**
 * A copy of a bundled contract whose descriptions name what the source document leaves unsaid. A member
 * that refers to a schema says so as well: editors show the text of the member, not of what it refers to.
 */
export function describe(contract: Node, register: Register): Node {
  const copy = (value: unknown, inherited?: string): unknown => {
    if (Array.isArray(value)) return value.map((item) => copy(item, inherited))
    if (!isNode(value)) return value
    const chain = [...chainOf(value, contract)]
    const whole = typeof value[MARK] === 'string' ? value[MARK] : inherited
    const below = Object.entries(value).map(([name, it]) => [name, copyOf(name, it, whole)])
    const notes = new Set([
      ...partNote(value, inherited),
      ...chain.flatMap((node) => notesOf(node, register)),
    ])
    if (notes.size === 0) return Object.fromEntries(below)
    const own = chain.map((node) => node.description).find(Boolean)
    return { ...Object.fromEntries(below), description: [own, ...notes].filter(Boolean).join('\n\n') }
  }
  /** Examples hold values and `properties` holds names, which are no places for notes. */
  const copyOf = (name: string, value: unknown, whole?: string): unknown => {
    if (name === 'examples' || name === 'example') return value
    if (name !== 'properties' || !isNode(value)) return copy(value, whole)
    return Object.fromEntries(Object.entries(value).map(([member, it]) => [member, copy(it, whole)]))
  }
  return copy(contract) as Node
}

/** What stands below an answer of ours is part of it; only what has a type is shown by editors. */
function partNote(node: Node, inherited: string | undefined): string[] {
  const isMember = 'type' in node || '$ref' in node || 'oneOf' in node
  return inherited && isMember ? [`Part of our answer to the open question ${inherited}.`] : []
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
  const errors = isNode(responses)
    ? [`Errors (our answer to the open question errors): ${errorsOf(responses)}.`]
    : []
  const meaning = EFFECTS[effect as keyof typeof EFFECTS]
  return [`Effect: ${effect}, ${meaning}; our answer to the open question ${question}.`, ...errors]
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
