import {
  ASSUMED,
  ENUM_DESCRIPTIONS,
  isNode,
  MARK,
  type Mark,
  marksOf,
  type Node,
} from '../lint/marks.ts'
import { chainOf, entriesOf } from '../lint/operations.ts'
import type { Register } from '../lint/register.ts'

const EFFECT = 'x-effect'

/** The meaning of each x-effect for the client. */
export const EFFECTS: Readonly<Record<'read' | 'idempotent' | 'once', string>> = {
  read: 'Changes nothing, so you may send it again',
  idempotent: 'You may send it again; the second response may differ',
  once: 'Do not send it again unless you know that the first request did not arrive',
}

/**
 * Copies a bundled contract and adds its assumptions and the meaning of enum values to the
 * descriptions. Also adds them to properties that refer to a schema, since editors show the
 * description of the property, not of the schema.
 */
export function describe(contract: Node, register: Register): Node {
  const copy = (value: unknown, inherited?: string): unknown => {
    if (Array.isArray(value)) return value.map((item) => copy(item, inherited))
    if (!isNode(value)) return value
    const chain = [...chainOf(contract, value)]
    const whole = typeof value[MARK] === 'string' ? value[MARK] : inherited
    const below = Object.entries(value).map(([name, it]) => [name, copyOf(name, it, whole)])
    const notes = [
      ...chain.flatMap(valuesOf),
      ...partNote(value, inherited),
      ...operationNotes(value, register),
      ...assumptionNotes(chain, register),
    ]
    if (notes.length === 0) return Object.fromEntries(below)
    const own = chain.map((node) => node.description).find(Boolean)
    return {
      ...Object.fromEntries(below),
      description: [own, ...notes].filter(Boolean).join('\n\n'),
    }
  }
  /** Keywords whose children are values or names, not schemas. */
  const copyOf = (name: string, value: unknown, whole?: string): unknown => {
    if (name === 'examples' || name === 'example' || name.startsWith('x-')) return value
    if (name !== 'properties' || !isNode(value)) return copy(value, whole)
    return Object.fromEntries(Object.entries(value).map(([field, it]) => [field, copy(it, whole)]))
  }
  return copy(contract) as Node
}

/** The meanings of enum values as a list. */
function valuesOf(node: Node): string[] {
  const items = entriesOf(node[ENUM_DESCRIPTIONS]).map(
    ([value, it]) => `- \`${value || '""'}\`: ${it}`,
  )
  return items.length > 0 ? [items.join('\n')] : []
}

/** Everything below an assumption is part of it. Editors only show nodes with a type. */
function partNote(node: Node, inherited: string | undefined): string[] {
  const isProperty = 'type' in node || '$ref' in node || 'oneOf' in node
  return inherited && isProperty ? [`Part of the assumption ${inherited}.`] : []
}

function operationNotes(node: Node, register: Register): string[] {
  if (!(EFFECT in node)) return []
  const meaning = EFFECTS[node[EFFECT] as keyof typeof EFFECTS]
  const question = marksOf(node).find(({ keyword }) => keyword === EFFECT)?.id ?? 'effects'
  const errors = entriesOf(node.responses).flatMap(([status]) => (status >= '400' ? status : []))
  return [
    `Effect: ${node[EFFECT]}. ${meaning}. Assumption ${nameOf(question, register)}.`,
    `Errors: ${errors.join(', ')}. Assumption ${nameOf('errors', register)}.`,
  ]
}

/**
 * Each assumption once: one line for those that the description already states, and the text of the
 * others.
 */
function assumptionNotes(chain: readonly Node[], register: Register): string[] {
  const marks = chain.flatMap(marksOf).filter(({ keyword }) => keyword !== EFFECT)
  const stated = new Set(
    chain.flatMap((node) => Object.keys(isNode(node[ASSUMED]) ? node[ASSUMED] : {})),
  )
  const names = [...Map.groupBy(marks, ({ id }) => id)].map(
    ([id, all]) => [id, `${nameOf(id, register)}${aspectsOf(all)}`] as const,
  )
  const line = names.filter(([id]) => stated.has(id)).map(([, name]) => name)
  return [
    ...(line.length > 0
      ? [`${line.length > 1 ? 'Assumptions' : 'Assumption'} ${line.join('; ')}.`]
      : []),
    ...names
      .filter(([id]) => !stated.has(id))
      .map(([id, name]) => `Assumption ${name}: ${register[id]?.assumption}`),
  ]
}

function aspectsOf(marks: readonly Mark[]): string {
  const keywords = new Set(
    marks.map(({ keyword }) => keyword).filter((it) => it && it !== 'meaning'),
  )
  return keywords.size > 0 ? ` for ${[...keywords].join(', ')}` : ''
}

function nameOf(id: string, register: Register): string {
  return `${id} (${register[id]?.basis})`
}
