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

/** Keywords below which are names, such as those of properties, and not keywords. */
const MAPS = new Set(['properties', 'headers', 'content'])

/** Whether an operation or a delivery as a whole is an assumption. */
export function isAssumedOperation({ path, operation }: Operation): boolean {
  return isMarkedWhole(path) || isMarkedWhole(operation)
}

/** The unmarked part of an operation, in the same form as `expected` in facts.ts. */
export function statedOperation(contract: Node, declared: Operation, origins: Origins): Node {
  const { path, operation, at } = declared
  const context = { contract, origins }
  if (isAssumedOperation(declared)) return keepOrigin(context, {}, at)

  const parameters = [
    ...statedParameters(context, path.parameters, at),
    ...statedParameters(context, operation.parameters, pointerBelow(at, 'parameters')),
  ]
  const body = readFacts(context, operation.requestBody, pointerBelow(at, 'requestBody'))
  const responses = statedResponses(context, operation.responses, pointerBelow(at, 'responses'))
  const stated = {
    security: requiredSchemes(operation),
    ...(ALIAS_OF in operation && { 'alias-of': operation[ALIAS_OF] }),
    ...(parameters.length > 0 && { parameters: Object.fromEntries(parameters) }),
    ...(body && { body }),
    ...Object.fromEntries(responses),
  }
  return keepOrigin(context, stated, at)
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
function requiredSchemes({ security }: Node): string {
  if (!Array.isArray(security)) return 'bearer'
  const [first] = security
  return Object.keys(first ?? { none: [] }).join(' and ')
}

/** The parameters that are facts, by `query status` or `path id`. */
function statedParameters(context: Context, parameters: unknown, at: string): Entry[] {
  if (!Array.isArray(parameters)) return []
  const entries: Entry[] = []
  for (const [index, parameter] of parameters.entries()) {
    const facts = readFacts(context, parameter, pointerBelow(at, index))
    if (facts?.name === undefined) continue
    const { required = false, schema = {}, in: place, name } = facts
    entries.push([`${place} ${name}`, { required, schema }])
  }
  return entries
}

/**
 * The responses that are facts, by `response 200`, or `response ?` if only the status is assumed.
 */
function statedResponses(context: Context, responses: unknown, at: string): Entry[] {
  const entries: Entry[] = []
  for (const [status, response] of entriesOf(responses)) {
    const facts = readFacts(context, response, pointerBelow(at, status))
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
function readFacts(context: Context, value: unknown, at: string): Node | undefined {
  if (!isNode(value) || isMarkedWhole(value)) return undefined
  const facts = unmarkedKeywords(context, value, at)
  if (!('$ref' in value)) return withStatedNames(context, facts, at)

  const target = resolvedAt(context.contract, value, at)
  const factsOfTarget = readFacts(context, target.node, target.at)
  const isReferenceAlone = Object.keys(facts).length === 0
  if (!factsOfTarget || isReferenceAlone) return factsOfTarget
  return withStatedNames(context, { ...factsOfTarget, ...facts }, at)
}

/** The keywords of a node that no mark names, each without the assumptions below it. */
function unmarkedKeywords(context: Context, node: Node, at: string): Node {
  const marked = new Set(marksOf(node).map(({ keyword }) => keyword))
  const facts: Record<string, unknown> = {}
  for (const [keyword, value] of Object.entries(node)) {
    const isAnnotation = ANNOTATIONS.has(keyword) || keyword.startsWith('x-')
    if (isAnnotation || marked.has(keyword)) continue
    facts[keyword] = factsOfKeyword(context, keyword, value, pointerBelow(at, keyword))
  }
  return facts
}

/** The value of a keyword without its assumptions. */
function factsOfKeyword(context: Context, keyword: string, value: unknown, at: string): unknown {
  if (Array.isArray(value)) {
    const items = value.map((item, index) =>
      isNode(item) ? readFacts(context, item, pointerBelow(at, index)) : item,
    )
    return items.filter((item) => item !== undefined)
  }

  if (MAPS.has(keyword)) return factsByName(context, value, at)
  return isNode(value) ? readFacts(context, value, at) : value
}

/** The facts of each named child. */
function factsByName(context: Context, value: unknown, at: string): Node {
  const facts: Record<string, Node> = {}
  for (const [name, child] of entriesOf(value)) {
    const factsOfChild = readFacts(context, child, pointerBelow(at, name))
    if (factsOfChild) facts[name] = factsOfChild
  }
  return keepOrigin(context, facts, at)
}

/** `required` lists the properties that are facts, sorted. */
function withStatedNames(context: Context, facts: Node, at: string): Node {
  const { required, properties } = facts
  if (!Array.isArray(required)) return keepOrigin(context, facts, at)
  const names = Object.keys(isNode(properties) ? properties : {})
  const stated = required.filter((name) => names.includes(name)).sort()
  return keepOrigin(context, { ...facts, required: stated }, at)
}

/** Notes where a node of the result comes from. */
function keepOrigin(context: Context, node: Node, at: string): Node {
  context.origins.set(node, at)
  return node
}
