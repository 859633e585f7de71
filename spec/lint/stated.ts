/** The contract without its assumptions and annotations. */
import { fieldsOf } from '@partner-payments/contract'
import { isMarkedWhole, isNode, marksOf, type Node } from './marks.ts'
import {
  ALIAS_OF,
  followReferences,
  listEntries,
  listOperations,
  type Operation,
  pointerBelow,
  resolveNode,
} from './operations.ts'

/** The JSON pointer of each object of the result in the bundle, for messages. */
export type Pointers = WeakMap<object, string>

/** Keywords that do not constrain a message. */
const ANNOTATIONS = new Set([
  '$ref',
  'title',
  'description',
  'examples',
  'example',
  'deprecated',
  '$comment',
  'links',
])

/** Keywords below which are names, such as those of properties, and not keywords. */
const MAPS = new Set(['properties', 'headers', 'content'])

/** Whether an operation or a delivery as a whole is an assumption. */
export function isAssumedOperation({ path, operation }: Operation): boolean {
  return isMarkedWhole(path) || isMarkedWhole(operation)
}

/**
 * What the contract states of an operation without its assumptions, in the form of
 * `expectedOperation` in facts.ts, so that both can be compared:
 * `{ security, parameters, body, 'response 200': … }`. A marked node is an assumption; only what has
 * no mark is stated.
 *
 * @param pointers Gets the pointer of each node of the result in the contract, for messages.
 */
export function statedOperation(contract: Node, declared: Operation, pointers: Pointers): Node {
  const { path, operation, at } = declared
  const context = { contract, pointers }
  if (isAssumedOperation(declared)) return notePointer(context, {}, at)

  const parameters = [
    ...listStatedParameters(context, path.parameters, at),
    ...listStatedParameters(context, operation.parameters, pointerBelow(at, 'parameters')),
  ]
  const body = readStatedNode(context, operation.requestBody, pointerBelow(at, 'requestBody'))
  const responses = listStatedResponses(context, operation.responses, pointerBelow(at, 'responses'))

  const stated: Record<string, unknown> = { security: requiredSchemes(operation) }
  if (ALIAS_OF in operation) stated['alias-of'] = operation[ALIAS_OF]
  if (parameters.length > 0) stated.parameters = Object.fromEntries(parameters)
  if (body) stated.body = body
  for (const [name, response] of responses) stated[name] = response
  return notePointer(context, stated, at)
}

/**
 * The schema of the body of a success without its assumptions; undefined if the document does not
 * show the body, or if there is none.
 */
export function statedBody(contract: Node, operation: Operation): Node | undefined {
  const unusedPointers: Pointers = new WeakMap()
  const stated = statedOperation(contract, operation, unusedPointers)
  const successName = Object.keys(stated).find((name) => name.startsWith('response '))
  if (successName === undefined) return undefined

  const { content } = fieldsOf(stated[successName])
  const [firstMedia] = Object.values(fieldsOf(content))
  const { schema } = fieldsOf(firstMedia)
  return isNode(schema) ? schema : undefined
}

/**
 * The pointers of all that a contract states as facts: of fields, such as
 * `/components/schemas/User/properties/id`, and of keywords, such as `/components/schemas/Amount/pattern`.
 */
export function listFactPointers(contract: Node): Set<string> {
  // It has the methods of a WeakMap, and says which nodes it has.
  const pointers = new Map<object, string>()
  for (const operation of listOperations(contract)) statedOperation(contract, operation, pointers)

  const facts = new Set<string>()
  for (const [node, at] of pointers)
    for (const name of Object.keys(node)) facts.add(pointerBelow(at, name))
  return facts
}

interface Context {
  readonly contract: Node
  readonly pointers: Pointers
}

type Entry = [name: string, value: Node]

/** The names of the schemes that an operation requires; `bearer` is the default of the contract. */
function requiredSchemes({ security }: Node): string {
  if (!Array.isArray(security)) return 'bearer'
  const [first] = security
  return Object.keys(first ?? { none: [] }).join(' and ')
}

/**
 * The parameters that are stated, as pairs of a name and what is stated:
 * `['query status', { required: false, schema }]`.
 */
function listStatedParameters(context: Context, parameters: unknown, at: string): Entry[] {
  if (!Array.isArray(parameters)) return []
  const entries: Entry[] = []
  for (const [index, parameter] of parameters.entries()) {
    const stated = readStatedNode(context, parameter, pointerBelow(at, index))
    // It has no name if the parameter, or its name, is an assumption.
    if (stated?.name === undefined) continue
    const { required = false, schema = {}, in: place, name } = stated
    entries.push([`${place} ${name}`, { required, schema }])
  }
  return entries
}

/**
 * The responses that are stated, as pairs of a name and what is stated. The name is `response 200`,
 * or `response ?` if only the status is assumed.
 */
function listStatedResponses(context: Context, responses: unknown, at: string): Entry[] {
  const entries: Entry[] = []
  for (const [status, response] of listEntries(responses)) {
    const stated = readStatedNode(context, response, pointerBelow(at, status))
    if (!stated) continue

    const node = resolveNode(context.contract, response)
    const isStatusAssumed = marksOf(node).some(({ keyword }) => keyword === 'status')
    const name = isStatusAssumed ? 'response ?' : `response ${status}`
    // The document says of a response without content that it has no body, which is a fact too.
    const noContent = 'content' in node ? {} : { content: {} }
    entries.push([name, { headers: {}, ...stated, ...noContent }])
  }
  return entries
}

/**
 * What a node states as facts: its keywords, and those of the node that its `$ref` refers to, without
 * all that a mark makes an assumption. Undefined if a mark makes one of the two nodes an assumption
 * as a whole.
 *
 * @param at The pointer of the node.
 */
function readStatedNode(context: Context, value: unknown, at: string): Node | undefined {
  if (!isNode(value) || isMarkedWhole(value)) return undefined
  const stated = readStatedKeywords(context, value, at)
  const isReference = '$ref' in value
  if (!isReference) return notePointer(context, keepStatedNames(stated), at)

  const target = followReferences(context.contract, value, at)
  const statedTarget = readStatedNode(context, target.node, target.at)
  if (!statedTarget) return undefined

  const hasKeywordsBesideReference = Object.keys(stated).length > 0
  if (!hasKeywordsBesideReference) return statedTarget
  return notePointer(context, keepStatedNames({ ...statedTarget, ...stated }), at)
}

/**
 * The keywords of a node that are facts, each without what is assumed in it. An assumption has a
 * mark (`x-open-question`) that names the keyword. Descriptions and examples are left out, since
 * facts.yaml has none.
 */
function readStatedKeywords(context: Context, node: Node, at: string): Node {
  const markedKeywords = new Set(marksOf(node).map(({ keyword }) => keyword))
  const stated: Record<string, unknown> = {}
  for (const [keyword, value] of Object.entries(node)) {
    const isAnnotation = ANNOTATIONS.has(keyword) || keyword.startsWith('x-')
    if (isAnnotation || markedKeywords.has(keyword)) continue
    stated[keyword] = readStatedKeyword(context, keyword, value, pointerBelow(at, keyword))
  }
  return stated
}

/**
 * The value of one keyword without what is assumed in it: nodes with a mark are left out of a list or
 * a map such as `properties`. Undefined if the value is such a node itself.
 */
function readStatedKeyword(context: Context, keyword: string, value: unknown, at: string): unknown {
  if (Array.isArray(value)) {
    const items = value.map((item, index) =>
      isNode(item) ? readStatedNode(context, item, pointerBelow(at, index)) : item,
    )
    return items.filter((item) => item !== undefined)
  }

  // The keys of `properties` are names of fields, not keywords.
  if (MAPS.has(keyword)) return readStatedChildren(context, value, at)
  return isNode(value) ? readStatedNode(context, value, at) : value
}

/** The children of a map such as `properties`, without those that are assumptions. */
function readStatedChildren(context: Context, value: unknown, at: string): Node {
  const stated: Record<string, Node> = {}
  for (const [name, child] of listEntries(value)) {
    const statedChild = readStatedNode(context, child, pointerBelow(at, name))
    if (statedChild) stated[name] = statedChild
  }
  return notePointer(context, stated, at)
}

/** A node whose `required` lists only properties that are facts, sorted. */
function keepStatedNames(stated: Node): Node {
  const { required, properties } = stated
  if (!Array.isArray(required)) return stated
  const names = Object.keys(isNode(properties) ? properties : {})
  const statedNames = required.filter((name) => names.includes(name)).sort()
  return { ...stated, required: statedNames }
}

/** Notes where a node of the result comes from, and returns that node. */
function notePointer(context: Context, node: Node, at: string): Node {
  context.pointers.set(node, at)
  return node
}
