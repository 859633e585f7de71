import { ASSUMED, isNode, MARK, type Mark, marksOf, type Node } from '../lint/marks.ts'
import { ENUM_DESCRIPTIONS } from '../lint/prose.ts'
import type { Register } from '../lint/register.ts'

/** What each x-effect means for whoever sends. */
export const EFFECTS: Readonly<Record<'read' | 'idempotent' | 'once', string>> = {
  read: 'changes nothing, so you may send it again',
  idempotent: 'you may send it again; the second response may differ',
  once: 'do not send it again unless you know that the first request did not arrive',
}

/**
 * A copy of a bundled contract whose descriptions name its assumptions and the meaning of each enum value. A property
 * that refers to a schema says so as well: editors show the text of the property, not of what it refers to.
 */
export function describe(contract: Node, register: Register): Node {
  const copy = (value: unknown, inherited?: string): unknown => {
    if (Array.isArray(value)) return value.map((item) => copy(item, inherited))
    if (!isNode(value)) return value
    const chain = [...chainOf(value, contract)]
    const whole = typeof value[MARK] === 'string' ? value[MARK] : inherited
    const below = Object.entries(value).map(([name, it]) => [name, copyOf(name, it, whole)])
    const notes = new Set([
      ...chain.flatMap(valuesOf),
      ...partNote(value, inherited),
      ...chain.flatMap((node) => notesOf(node, register)),
    ])
    if (notes.size === 0) return Object.fromEntries(below)
    const own = chain.map((node) => node.description).find(Boolean)
    return { ...Object.fromEntries(below), description: [own, ...notes].filter(Boolean).join('\n\n') }
  }
  /** Examples hold values and `properties` holds names, which are no places for notes. */
  const copyOf = (name: string, value: unknown, whole?: string): unknown => {
    if (name === 'examples' || name === 'example' || name.startsWith('x-')) return value
    if (name !== 'properties' || !isNode(value)) return copy(value, whole)
    return Object.fromEntries(Object.entries(value).map(([member, it]) => [member, copy(it, whole)]))
  }
  return copy(contract) as Node
}

/** What the values of an enum mean, as a list. */
function valuesOf(node: Node): string[] {
  const meanings = node[ENUM_DESCRIPTIONS]
  if (!isNode(meanings)) return []
  return [
    Object.entries(meanings)
      .map(([value, meaning]) => `- \`${value || '""'}\`: ${meaning}`)
      .join('\n'),
  ]
}

/** What stands below an assumption is part of it; only what has a type is shown by editors. */
function partNote(node: Node, inherited: string | undefined): string[] {
  const isProperty = 'type' in node || '$ref' in node || 'oneOf' in node
  return inherited && isProperty ? [`Part of the assumption ${inherited}.`] : []
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
  const rest = marksOf(node).filter(({ keyword }) => keyword !== 'x-effect')
  const notes = [...Map.groupBy(rest, ({ id }) => id)].map(([id, marks]) =>
    assumptionNote(id, marks, node, register),
  )
  return 'x-effect' in node ? [...operationNotes(node, register), ...notes] : notes
}

function operationNotes(node: Node, register: Register): string[] {
  const meaning = EFFECTS[node['x-effect'] as keyof typeof EFFECTS]
  const question = marksOf(node).find(({ keyword }) => keyword === 'x-effect')?.id ?? 'effects'
  return [
    `Effect: ${node['x-effect']}, ${meaning}. ${nameOf(question, register)}.`,
    ...(isNode(node.responses)
      ? [`Errors: ${errorsOf(node.responses)}. ${nameOf('errors', register)}.`]
      : []),
  ]
}

function errorsOf(responses: Node): string {
  return Object.keys(responses)
    .filter((status) => status >= '400')
    .join(', ')
}

/** Names the keywords that are assumed, and the assumption, unless the description says it already. */
function assumptionNote(id: string, marks: readonly Mark[], node: Node, register: Register): string {
  const keywords = marks.map(({ keyword }) => keyword).filter((it) => it && it !== 'meaning')
  const of = keywords.length > 0 ? ` of ${keywords.join(', ')}` : ''
  const isSaid = isNode(node[ASSUMED]) && id in node[ASSUMED]
  return `${nameOf(id, register)}${of}${isSaid ? '' : `: ${register[id]?.assumption}`}`
}

function nameOf(id: string, register: Register): string {
  return `Assumption ${id} (${register[id]?.basis})`
}
