/** The contract without its assumptions and annotations. */
import { isMarkedWhole, isNode, marksOf, type Node } from './marks.ts'
import {
  ALIAS_OF,
  entriesOf,
  type Operation,
  pointerBelow,
  resolved,
  resolvedAt,
} from './operations.ts'

/** The JSON pointer of each object of the result in the bundle, for messages. */
export type Origins = WeakMap<object, string>

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

/** Keywords whose value has names, not keywords. */
const MAPS = new Set(['properties', 'headers', 'content'])

/** Whether an operation or a delivery as a whole is an assumption. */
export function isAssumedOperation({ path, operation }: Operation): boolean {
  return isMarkedWhole(path) || isMarkedWhole(operation)
}

/** The unmarked part of an operation, in the same form as `expected` in facts.ts. */
export function statedOperation(contract: Node, declared: Operation, origins: Origins): Node {
  const { path, operation, at } = declared
  const context = { contract, origins }
  if (isAssumedOperation(declared)) return located(context, {}, at)

  const parameters = [
    ...parametersOf(context, path.parameters, at),
    ...parametersOf(context, operation.parameters, pointerBelow(at, 'parameters')),
  ]
  const body = factsOf(context, operation.requestBody, pointerBelow(at, 'requestBody'))
  const responses = responsesOf(context, operation.responses, pointerBelow(at, 'responses'))
  const stated = {
    security: securityOf(operation),
    ...(ALIAS_OF in operation && { 'alias-of': operation[ALIAS_OF] }),
    ...(parameters.length > 0 && { parameters: Object.fromEntries(parameters) }),
    ...(body && { body }),
    ...Object.fromEntries(responses),
  }
  return located(context, stated, at)
}

/**
 * The schema of a success without its assumptions; `undefined` if the document does not show the
 * body, or if there is none.
 */
export function statedBody(contract: Node, operation: Operation): Node | undefined {
  const stated = statedOperation(contract, operation, new WeakMap())
  const [, success] = entriesOf(stated).find(([name]) => name.startsWith('response ')) ?? []
  if (!isNode(success)) return undefined

  const [, media] = entriesOf(success.content)[0] ?? []
  return isNode(media) && isNode(media.schema) ? media.schema : undefined
}

interface Context {
  readonly contract: Node
  readonly origins: Origins
}

type Entry = [name: string, value: Node]

/** The names of the schemes that an operation requires; `bearer` is the default of the contract. */
function securityOf({ security }: Node): string {
  if (!Array.isArray(security)) return 'bearer'
  const [first] = security
  return Object.keys(first ?? { none: [] }).join(' and ')
}

/** The parameters that are facts, by `query status` or `path id`. */
function parametersOf(context: Context, parameters: unknown, at: string): Entry[] {
  if (!Array.isArray(parameters)) return []
  const entries: Entry[] = []
  for (const [index, parameter] of parameters.entries()) {
    const facts = factsOf(context, parameter, pointerBelow(at, index))
    if (facts?.name === undefined) continue
    const { required = false, schema = {}, in: place, name } = facts
    entries.push([`${place} ${name}`, { required, schema }])
  }
  return entries
}

/**
 * The responses that are facts, by `response 200`, or `response ?` if only the status is assumed.
 */
function responsesOf(context: Context, responses: unknown, at: string): Entry[] {
  const entries: Entry[] = []
  for (const [status, response] of entriesOf(responses)) {
    const facts = factsOf(context, response, pointerBelow(at, status))
    if (!facts) continue

    const node = resolved(context.contract, response)
    const isStatusAssumed = marksOf(node).some(({ keyword }) => keyword === 'status')
    const isEmpty = !('content' in node)
    entries.push([
      `response ${isStatusAssumed ? '?' : status}`,
      { headers: {}, ...facts, ...(isEmpty && { content: {} }) },
    ])
  }
  return entries
}

/** The facts of a node and of what it refers to; undefined if one of them is an assumption. */
function factsOf(context: Context, value: unknown, at: string): Node | undefined {
  if (!isNode(value) || isMarkedWhole(value)) return undefined
  const own = ownFactsOf(context, value, at)
  if (!('$ref' in value)) return withRequiredFacts(context, own, at)

  const target = resolvedAt(context.contract, value, at)
  const referred = factsOf(context, target.node, target.at)
  if (!referred || Object.keys(own).length === 0) return referred
  return withRequiredFacts(context, { ...referred, ...own }, at)
}

/** The unmarked keywords of a node. */
function ownFactsOf(context: Context, node: Node, at: string): Node {
  const marked = new Set(marksOf(node).map(({ keyword }) => keyword))
  const facts: Record<string, unknown> = {}
  for (const [keyword, value] of Object.entries(node)) {
    const isAnnotation = ANNOTATIONS.has(keyword) || keyword.startsWith('x-')
    if (isAnnotation || marked.has(keyword)) continue
    facts[keyword] = keywordOf(context, keyword, value, pointerBelow(at, keyword))
  }
  return facts
}

function keywordOf(context: Context, keyword: string, value: unknown, at: string): unknown {
  if (Array.isArray(value)) {
    const items = value.map((item, index) =>
      isNode(item) ? factsOf(context, item, pointerBelow(at, index)) : item,
    )
    return items.filter((item) => item !== undefined)
  }

  if (MAPS.has(keyword)) return mapOf(context, value, at)
  return isNode(value) ? factsOf(context, value, at) : value
}

/** The facts of each named child. */
function mapOf(context: Context, value: unknown, at: string): Node {
  const facts: Record<string, Node> = {}
  for (const [name, child] of entriesOf(value)) {
    const own = factsOf(context, child, pointerBelow(at, name))
    if (own) facts[name] = own
  }
  return located(context, facts, at)
}

/** `required` lists the properties that are facts, sorted. */
function withRequiredFacts(context: Context, facts: Node, at: string): Node {
  const { required, properties } = facts
  if (!Array.isArray(required)) return located(context, facts, at)
  const names = Object.keys(isNode(properties) ? properties : {})
  const stated = required.filter((name) => names.includes(name)).sort()
  return located(context, { ...facts, required: stated }, at)
}

/** Notes where a node of the result comes from. */
function located(context: Context, node: Node, at: string): Node {
  context.origins.set(node, at)
  return node
}
