import {
  type Declared,
  type Event,
  joinMarks,
  marksOf,
  type Operation,
  readContract,
  stepsOf,
  valueAt,
} from '@partner-payments/contract'
import type { Behaviour } from '@partner-payments/spec/behaviour'
import { isNode, mergeContracts } from '@partner-payments/spec/build'

export type { Question, Register as Questions } from '@partner-payments/spec/build'

export type { Declared, Event, Operation }
export { isNode }

/**
 * What the builder reads of the bundled contract; the rest of a node is carried along untouched.
 */
export type Node = { [key: string]: unknown }

export type Contract = Node & {
  info: Node
  servers: (Node & { url: string; variables?: Record<string, { default: string }> })[]
  security: Node[]
  tags: { name: string; description: string; 'x-displayName': string }[]
  paths: Record<string, Node>
  webhooks: Record<string, Node>
  components: Record<string, Record<string, Node>>
}

/** A mark of the inlined contract, with the place of its node in the bundle. */
export type PlacedMark = { question: string; keyword?: string; pointer: readonly string[] }

/** The operations that the service takes, in the order of the contract. */
export function operationsOf(contract: Contract, behaviour: Behaviour): readonly Operation[] {
  return readContract({ document: contract, behaviour }).operations
}

/** The events that the service sends. */
export function eventsOf(contract: Contract): readonly Event[] {
  return readContract({ document: contract, behaviour: {} }).events
}

/** Operations and events, for readers of what both have. */
export function declaredIn(contract: Contract): readonly Declared[] {
  const { operations, events } = readContract({ document: contract, behaviour: {} })
  return [...operations, ...events]
}

/** Whether it is an event, which has a name in place of a path. */
export function isEvent({ path }: Declared): boolean {
  return !path.startsWith('/')
}

/** A copy of a node with other values. */
export function mapValues(node: Node, change: (value: unknown, key: string) => unknown): Node {
  return Object.fromEntries(Object.entries(node).map(([key, value]) => [key, change(value, key)]))
}

/** Parameters of a query that the samples send: the others depend on what is in a list. */
export const QUERY = ['status', 'limit']

/** The examples of its parameters, by name. */
export function parameterExamples({ parameters }: Declared): Record<string, string> {
  return Object.fromEntries(parameters.map(({ name, example }) => [name, String(example)]))
}

/** Where the reference shows an operation. */
export function referenceLink({ id, tag }: Declared): string {
  return `reference.html#/${tag.replaceAll(' ', '-')}/${id.toLowerCase()}`
}

/** The page of an event. */
export function eventPath(name: string): string {
  return `/events/${name.replace('.', '-')}.md`
}

/** The section of the reference that shows the short paths. */
const SHORT = {
  name: 'short paths',
  'x-displayName': 'Short paths',
  description: `Shorter forms of five paths, which a guide for partners gives. It is not known whether the service serves
them. [How to call them](guides/what-is-not-known.html#short-paths).`,
}

/**
 * The contract with the short paths of its guide in a section of their own, for pages that show
 * both documents.
 */
export function withShortPaths(contract: Contract, guide: Contract): Contract {
  const copy = structuredClone(guide)
  for (const { node } of declaredIn(copy)) Object.assign(node, { tags: [SHORT.name] })
  return { ...mergeContracts(contract, copy), tags: [...contract.tags, SHORT] }
}

/** The node that a local `$ref` names. Throws where there is none. */
export function requireComponent(contract: Contract, ref: string): Node {
  const target = valueAt(contract, ref)
  if (!isNode(target)) throw new Error(`"${ref}" names nothing in the contract`)
  return target
}

/**
 * A copy of the contract without references: each `$ref` is replaced by its target, joined with the
 * keywords beside the `$ref`. `x-marks` of a node has its marks and those of its target, each with its
 * place in the contract: `{ question: 'paging', keyword: 'pattern', pointer: […] }`.
 */
export function inline(contract: Contract): Contract {
  const { securitySchemes } = contract.components
  return copyInlined({ ...contract, components: { securitySchemes } }, []) as Contract

  /** A copy of a node and of all below it. `pointer` is where the node is in the contract. */
  function copyInlined(value: unknown, pointer: readonly string[]): unknown {
    if (Array.isArray(value))
      return value.map((item, index) => copyInlined(item, [...pointer, String(index)]))
    if (!isNode(value)) return value

    const { $ref, ...besideRef } = value
    const copy = mapValues(besideRef, (child, key) => copyInlined(child, [...pointer, key]))
    const target = typeof $ref === 'string' ? copyComponent($ref) : {}
    return joinWithTarget(copy, target, placeMarks(besideRef, pointer))
  }

  /** A copy of a component. That of an object has its name as title. */
  function copyComponent(ref: string): Node {
    const steps = stepsOf(ref)
    const component = copyInlined(requireComponent(contract, ref), steps) as Node
    return component.type === 'object' ? { ...component, title: steps.at(-1) } : component
  }
}

/** The marks of a node, each with the place of the node. */
function placeMarks(node: Node, pointer: readonly string[]): PlacedMark[] {
  return marksOf(node).map(({ id, ...mark }) => ({ question: id, ...mark, pointer }))
}

/**
 * What stands beside a reference and the target as one node, with the marks and the assumed
 * sentences of both.
 */
function joinWithTarget(besideRef: Node, target: Node, marksBesideRef: PlacedMark[]): Node {
  const joined: Node = { ...target, ...besideRef }
  if (target['x-assumed']) joined['x-assumed'] = joinSentences(besideRef, target)

  const marks = joinMarks(storedMarks(target), marksBesideRef)
  if (marks.length > 0) joined['x-marks'] = marks
  return joined
}

/**
 * The assumed sentences of two nodes, by the id of the question that each rests on. If both nodes have
 * a sentence for a question, it gets the two, or one if they are the same.
 */
function joinSentences(node: Node, target: Node): Node {
  const sentences = new Map(assumedSentences(node))
  for (const [question, sentence] of assumedSentences(target)) {
    const sentenceOfNode = sentences.get(question)
    const hasOther = sentenceOfNode !== undefined && sentenceOfNode !== sentence
    sentences.set(question, hasOther ? `${sentenceOfNode} ${sentence}` : sentence)
  }
  return Object.fromEntries(sentences)
}

/** The assumed sentences of a node, each with the id of its open question. */
export function assumedSentences(node: Node): [question: string, sentence: string][] {
  const sentences = node['x-assumed']
  if (!isNode(sentences)) return []
  return Object.entries(sentences).map(([question, sentence]) => [question, String(sentence)])
}

/** Leaves out marks of the meaning of a node which stand behind one of its assumed sentences. */
export function withoutMarksOfSentences(marks: readonly PlacedMark[], node: Node): PlacedMark[] {
  const questions = new Set(assumedSentences(node).map(([question]) => question))
  return marks.filter(({ question, keyword }) => keyword !== 'meaning' || !questions.has(question))
}

/** The schemes of credentials that an operation takes: its own, or else those of the contract. */
export function securitySchemesOf(contract: Contract, operation: Node): (Node | undefined)[] {
  const requirements = [operation.security ?? contract.security].flat().filter(isNode)
  const names = requirements.flatMap(Object.keys)
  return names.map((name) => contract.components.securitySchemes?.[name])
}

/**
 * The marks of the schema that a parameter or a body has. Pages do not tell a body from its schema: if
 * the whole schema is assumed, the mark becomes one of the `content` of the body.
 */
function schemaMarks(holder: Node): PlacedMark[] {
  const isParameter = Boolean(holder.in)
  if (isParameter) return listMarks(holder.schema)

  const marks: PlacedMark[] = []
  for (const mark of listMarks(mediaOf(holder).schema)) {
    // The mark of a `discriminator` says that a request may have other alternatives than those shown.
    // `bodyMarks` adds it where a page speaks of that.
    if (mark.keyword === 'discriminator') continue
    marks.push(isOfWholeNode(mark) ? { ...mark, keyword: 'content' } : mark)
  }
  return marks
}

/** What a body has in its one media type: a schema, and examples. */
export function mediaOf(body: unknown): Node {
  const [media] = isNode(body) && isNode(body.content) ? Object.values(body.content) : []
  return isNode(media) ? media : {}
}

/** The assumptions that `inline` stored in a node, without those of its schema. */
export function storedMarks(node: unknown): PlacedMark[] {
  return isNode(node) && Array.isArray(node['x-marks']) ? node['x-marks'] : []
}

/** The marks of one node, without those below it. The contract must be one that `inline` has made. */
export function listMarks(node: unknown): PlacedMark[] {
  return isNode(node) ? joinMarks(schemaMarks(node), storedMarks(node)) : []
}

/** The open question of a node that is assumed as a whole. */
export function inlinedWholeMark(node: unknown): string | undefined {
  return storedMarks(node).find(isOfWholeNode)?.question
}

/** Whether a mark says that a node is assumed as a whole, not one keyword of it. */
export function isOfWholeNode({ keyword }: PlacedMark): boolean {
  return !keyword
}

const ASPECTS: Readonly<Record<string, string>> = {
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

/** What a reader calls the part of a node that a mark speaks of. */
export function aspectOf({ keyword }: PlacedMark): string | undefined {
  if (!keyword) return undefined
  return ASPECTS[keyword] ?? keyword
}
