import { fieldsOf } from '@partner-payments/contract'
import {
  ASSUMED,
  ENUM_DESCRIPTIONS,
  isNode,
  MARK,
  type Mark,
  marksOf,
  type Node,
} from '../lint/marks.ts'
import { followChain, listEntries } from '../lint/operations.ts'
import { describeBasis, isObserved, type Register } from '../lint/register.ts'

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
  return copyDescribed(contract) as Node

  /**
   * A copy of a node and of all below it, with the extended descriptions.
   *
   * @param inherited The open question of a node above that is assumed as a whole: all of it is
   * assumed too.
   */
  function copyDescribed(value: unknown, inherited?: string): unknown {
    if (Array.isArray(value)) return value.map((item) => copyDescribed(item, inherited))
    if (!isNode(value)) return value

    const question = typeof value[MARK] === 'string' ? value[MARK] : inherited
    const copy: Record<string, unknown> = {}
    for (const [name, child] of Object.entries(value)) copy[name] = copyChild(name, child, question)

    // The node itself, and the schemas that its `$ref` leads to.
    const nodeAndTargets = [...followChain(contract, value)]
    const notes = [
      ...nodeAndTargets.flatMap(listEnumValues),
      ...noteOfPart(value, inherited, register),
      ...operationNotes(value, register),
      ...assumptionNotes(nodeAndTargets, register),
    ]
    if (notes.length === 0) return copy

    const description = nodeAndTargets.map((node) => node.description).find(Boolean)
    copy.description = [description, ...notes].filter(Boolean).join('\n\n')
    return copy
  }

  /**
   * A copy of the value of one keyword or name of a node.
   *
   * @param question The open question of the node, if it is assumed as a whole.
   */
  function copyChild(name: string, value: unknown, question?: string): unknown {
    // Their children are values, not schemas.
    if (name === 'examples' || name === 'example' || name.startsWith('x-')) return value
    if (name !== 'properties' || !isNode(value)) return copyDescribed(value, question)

    // Its children have names, not keywords: a property may be called `example`.
    const properties: Record<string, unknown> = {}
    for (const [field, property] of Object.entries(value))
      properties[field] = copyDescribed(property, question)
    return properties
  }
}

/** The meanings of enum values as a list. */
function listEnumValues(node: Node): string[] {
  const meanings = listEntries(node[ENUM_DESCRIPTIONS])
  if (meanings.length === 0) return []
  return [meanings.map(([value, meaning]) => `- \`${value || '""'}\`: ${meaning}`).join('\n')]
}

/** Everything below an assumption is part of it. Editors only show nodes with a type. */
function noteOfPart(node: Node, inherited: string | undefined, register: Register): string[] {
  const isShown = 'type' in node || '$ref' in node || 'oneOf' in node
  if (!inherited || !isShown) return []
  return [`Part of the ${wordForAnswer(inherited, register).toLowerCase()} ${inherited}.`]
}

/**
 * Two sentences for an operation: what happens if it is sent twice (`x-effect`), and the statuses
 * of its errors. Empty for any other node.
 */
function operationNotes(node: Node, register: Register): string[] {
  if (!(EFFECT in node)) return []
  const meaningOfEffect = EFFECTS[node[EFFECT] as keyof typeof EFFECTS]
  const errors = listEntries(node.responses)
    .map(([status]) => status)
    .filter((status) => Number(status) >= 400)
  return [
    `Effect: ${node[EFFECT]}. ${meaningOfEffect}. ${nameWithWord(questionOfEffect(node), register)}.`,
    `Errors: ${errors.join(', ')}. ${nameWithWord('errors', register)}.`,
  ]
}

/** The question `effects` is about the effects of all operations without one of their own. */
function questionOfEffect(operation: Node): string {
  const mark = marksOf(operation).find(({ keyword }) => keyword === EFFECT)
  return mark ? mark.id : 'effects'
}

/**
 * A note on each question that marks a node or its targets. Questions whose assumption the
 * description already states are only named, in one line; of the others, the note has the text.
 *
 * @param chain The node, and what its `$ref` leads to.
 */
function assumptionNotes(chain: readonly Node[], register: Register): string[] {
  const marks = chain.flatMap(marksOf).filter(({ keyword }) => keyword !== EFFECT)
  const hasSentence = (id: string) => chain.some((node) => id in fieldsOf(node[ASSUMED]))

  const namesWithSentence: Record<Word, string[]> = { Assumption: [], Observation: [] }
  const notes: string[] = []
  for (const [id, marksOfQuestion] of Map.groupBy(marks, (mark) => mark.id)) {
    const name = nameWithBasis(id, register) + describeAspects(marksOfQuestion)
    const word = wordForAnswer(id, register)
    if (hasSentence(id)) namesWithSentence[word].push(name)
    else notes.push(`${word} ${name}: ${register[id]?.assumption}`)
  }
  return [
    ...listQuestions('Assumption', namesWithSentence.Assumption),
    ...listQuestions('Observation', namesWithSentence.Observation),
    ...notes,
  ]
}

/** One line with the names of the questions. */
function listQuestions(word: Word, names: readonly string[]): string[] {
  if (names.length === 0) return []
  const title = names.length > 1 ? `${word}s` : word
  return [`${title} ${names.join('; ')}.`]
}

type Word = 'Assumption' | 'Observation'

/** What a statement is that the document does not make. */
function wordForAnswer(id: string, register: Register): Word {
  return isObserved(id, register) ? 'Observation' : 'Assumption'
}

/** The keywords that are assumed, unless the whole node or only its meaning is. */
function describeAspects(marks: readonly Mark[]): string {
  const keywords = marks.map(({ keyword }) => keyword)
  const aspects = new Set(keywords.filter((keyword) => keyword && keyword !== 'meaning'))
  return aspects.size > 0 ? ` for ${[...aspects].join(', ')}` : ''
}

/** Such as `Assumption paging (assumed)`. */
function nameWithWord(id: string, register: Register): string {
  return `${wordForAnswer(id, register)} ${nameWithBasis(id, register)}`
}

/** A question with its basis, such as `paging (assumed)`. */
function nameWithBasis(id: string, register: Register): string {
  return `${id} (${describeBasis(id, register)})`
}
