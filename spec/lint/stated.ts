/** The contract without its assumptions and annotations. */
import { isNode, isOurs, marksOf, type Node } from './marks.ts'
import { ALIAS_OF, below, entriesOf, type Operation, resolved, resolvedAt } from './operations.ts'

/** The JSON pointer of each object of the result in the bundle, for messages. */
export type Origins = WeakMap<object, string>

/** Keywords that do not constrain a message. */
const ANNOTATIONS = new Set(
  '$ref title description examples example deprecated $comment links'.split(' '),
)

/** Keywords whose value has names, not keywords. */
const MAPS = new Set(['properties', 'headers', 'content'])

/** The unmarked part of an operation, in the same form as `expected` in facts.ts. */
export function statedOperation(
  contract: Node,
  { path, operation, at }: Operation,
  origins: Origins,
): Node {
  const parameters = [
    ...parametersOf(path.parameters, at),
    ...parametersOf(operation.parameters, below(at, 'parameters')),
  ]
  const body = factsOf(operation.requestBody, below(at, 'requestBody'))
  const result = {
    security: securityOf(operation),
    ...(ALIAS_OF in operation && { 'alias-of': operation[ALIAS_OF] }),
    ...(parameters.length > 0 && { parameters: Object.fromEntries(parameters) }),
    ...(body && { body }),
    ...Object.fromEntries(responsesOf(operation.responses, below(at, 'responses'))),
  }
  origins.set(result, at)
  return result

  function parametersOf(value: unknown, base: string) {
    if (!Array.isArray(value)) return []
    return value.flatMap((item, index) => {
      const {
        required = false,
        schema = {},
        in: place,
        name,
      } = factsOf(item, below(base, index)) ?? {}
      return name === undefined ? [] : [[`${place} ${name}`, { required, schema }]]
    })
  }

  function responsesOf(value: unknown, base: string) {
    return entriesOf(value).flatMap(([status, item]) => {
      const node = resolved(contract, item)
      const facts = factsOf(item, below(base, status))
      if (!facts) return []
      const isAssumed = marksOf(node).some(({ keyword }) => keyword === 'status')
      const isEmpty = !('content' in node)
      return [
        [
          `response ${isAssumed ? '?' : status}`,
          { headers: {}, ...facts, ...(isEmpty && { content: {} }) },
        ],
      ]
    })
  }

  /** The facts of a node and of what it refers to; undefined if one of them is an assumption. */
  function factsOf(value: unknown, at: string): Node | undefined {
    if (!isNode(value) || isOurs(value)) return undefined
    const target = '$ref' in value ? resolvedAt(contract, value, at) : undefined
    const base = target ? factsOf(target.node, target.at) : {}
    const marks = new Set(marksOf(value).map(({ keyword }) => keyword))
    const isFact = (keyword: string) =>
      !marks.has(keyword) && !ANNOTATIONS.has(keyword) && !keyword.startsWith('x-')
    const own = Object.entries(value).flatMap(([keyword, it]) =>
      isFact(keyword) ? [[keyword, keywordOf(keyword, it, below(at, keyword))]] : [],
    )
    if (!base || (target && own.length === 0)) return base
    const facts: Node = { ...base, ...Object.fromEntries(own) }
    return located(
      Array.isArray(facts.required) ? { ...facts, required: requiredOf(facts) } : facts,
      at,
    )
  }

  function keywordOf(keyword: string, value: unknown, at: string): unknown {
    if (Array.isArray(value))
      return value
        .map((it, i) => (isNode(it) ? factsOf(it, below(at, i)) : it))
        .filter((it) => it !== undefined)
    if (!MAPS.has(keyword)) return isNode(value) ? factsOf(value, at) : value
    const facts = entriesOf(value).map(
      ([name, it]) => [name, factsOf(it, below(at, name))] as const,
    )
    return located(Object.fromEntries(facts.filter(([, it]) => it !== undefined)), at)
  }

  function located(node: Node, at: string): Node {
    origins.set(node, at)
    return node
  }
}

function securityOf(operation: Node): string {
  const [first] = Array.isArray(operation.security) ? operation.security : [{ bearer: [] }]
  return Object.keys(first ?? { none: [] }).join(' and ')
}

/** The required properties that are facts, sorted. */
function requiredOf({ properties, required }: Node): string[] {
  const names = Object.keys(isNode(properties) ? properties : {})
  return (required as string[]).filter((name) => names.includes(name)).sort()
}
