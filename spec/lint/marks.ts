import {
  ASSUMED,
  fieldsOf,
  isObject as isNode,
  MARK,
  type Mark,
  marksOf,
  type Json as Node,
  pointerOf,
  valueAt,
  wholeMark,
} from '@partner-payments/contract'
import { didYouMean } from './suggest.ts'

/** A node is an object of the contract in a source file. */
export { ASSUMED, isNode, MARK, type Mark, marksOf, type Node }

/** What a mark can name although it is no keyword of OpenAPI. */
const BEYOND_KEYWORDS = ['presence', 'meaning', 'status']

/** Whether the node is an assumption as a whole. */
export function isMarkedWhole(node: Node): boolean {
  return wholeMark(node) !== undefined
}

/** An invalid mark, with its pointer below the node. */
interface MarkError {
  readonly message: string
  readonly at: string
}

/**
 * What is wrong with the mark of a node, and where; undefined if it is right. A mark names the open
 * questions whose assumptions the node has: `x-open-question: id` for the whole node, or
 * `{ pattern: id }` for single keywords.
 */
export function markError(node: Node): MarkError | undefined {
  if (ASSUMED in node && !isNode(node[ASSUMED])) {
    return {
      message: `"${ASSUMED}" must map ids of questions to sentences; write them below it.`,
      at: pointerOf('', ASSUMED),
    }
  }

  const mark = node[MARK]
  const isOfWholeNode = typeof mark === 'string'
  if (mark === undefined || isOfWholeNode) return undefined
  if (isNode(mark)) return keywordError(node, Object.keys(mark))
  return {
    message: `"${MARK}" must be the id of a question, or map keywords to ids; correct it.`,
    at: pointerOf('', MARK),
  }
}

/**
 * The error of a mark such as `{ pattern: 'ids' }` of a node that has no `pattern`, for the first such
 * keyword; undefined if the node has all of them.
 */
function keywordError(node: Node, markedKeywords: readonly string[]): MarkError | undefined {
  const keywords = [...Object.keys(node), ...BEYOND_KEYWORDS]
  const absent = markedKeywords.find((keyword) => !keywords.includes(keyword))
  if (absent === undefined) return undefined

  const next = didYouMean(absent, keywords, '; mark a keyword that it has.')
  return {
    message: `The mark names the keyword "${absent}", which the node does not have${next}`,
    at: pointerOf(`/${MARK}`, absent),
  }
}

/** On an enum: the meaning of each value. Redoc shows it as a table. */
export const ENUM_DESCRIPTIONS = 'x-enumDescriptions'

/** On an enum: the JSON pointer to the spec/behaviour entries that explain its values. */
export const ENUM_FROM = 'x-enum-from'

export interface Sentences {
  readonly stated: string[]
  readonly assumed: string[]
  /** What a running service showed. */
  readonly observed: string[]
}

/**
 * The sentences about a node by where they come from: `stated` by the document (`description`),
 * `observed` at a running service, or `assumed`. The last two stand below `x-assumed`, each below the
 * id of its open question.
 *
 * @param isObserved Whether a running service showed the answer to a question. Default: never.
 */
export function listSentences(
  node: Node,
  isObserved: (question: string) => boolean = () => false,
): Sentences {
  const assumed: unknown[] = []
  const observed: unknown[] = []
  for (const [question, sentence] of Object.entries(fieldsOf(node[ASSUMED]))) {
    if (isObserved(question)) observed.push(sentence)
    else assumed.push(sentence)
  }
  return {
    stated: listTexts([node.description]),
    assumed: listTexts(assumed),
    observed: listTexts(observed),
  }
}

function listTexts(values: readonly unknown[]): string[] {
  const texts = values.filter((value) => typeof value === 'string')
  return texts.map((text) => text.trim()).filter(Boolean)
}

/**
 * The meaning of each value of an enum: `{ pending: 'The amount is set aside.', … }`. They are its
 * `x-enumDescriptions`; or, with `x-enum-from: /resources/transfer/states`, they are those of the
 * entries of spec/behaviour at that pointer.
 */
export function readMeanings(schema: Node, behaviour: Node): Node {
  const pointer = schema[ENUM_FROM]
  if (typeof pointer !== 'string') return fieldsOf(schema[ENUM_DESCRIPTIONS])

  const entries = fieldsOf(valueAt(behaviour, pointer))
  const values = Array.isArray(schema.enum) ? schema.enum.map(String) : []
  const meanings: Record<string, unknown> = {}
  for (const value of values) meanings[value] = readMeaning(entries[value])
  return meanings
}

/** The text of a spec/behaviour entry about a state or an error code. */
export function readMeaning(entry: unknown): string | undefined {
  const { meaning, when } = fieldsOf(entry)
  return [meaning, when].find((text) => typeof text === 'string')
}
