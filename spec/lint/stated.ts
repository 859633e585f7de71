/** The contract without its assumptions and annotations. */
import { isNode, isOurs, marksOf, type Node } from './marks.ts'
import { ALIAS_OF, below, entriesOf, type Operation, resolvedAt } from './operations.ts'

/** The JSON pointer of each object of the result in the bundle, for messages. */
export type Origins = WeakMap<object, string>

type Entry = readonly [name: string, stated: unknown]

/** Keywords that do not constrain a message. */
const ANNOTATIONS = new Set(['title', 'description', 'examples', 'example', 'deprecated', '$comment'])

/** The unmarked part of an operation, in the same form as `expected` in facts.ts. */
export function statedOperation(contract: Node, { path, operation, at }: Operation, origins: Origins): Node {
  const parameters = [
    ...parametersOf(path.parameters, at),
    ...parametersOf(operation.parameters, below(at, 'parameters')),
  ]
  const body = bodyOf(operation.requestBody, below(at, 'requestBody'))
  const stated = Object.fromEntries([
    ['security', securityOf(operation)],
    ...(ALIAS_OF in operation ? [['alias-of', operation[ALIAS_OF]] as const] : []),
    ...(parameters.length > 0 ? [['parameters', Object.fromEntries(parameters)] as const] : []),
    ...(body ? [['body', body] as const] : []),
    ...responsesOf(operation.responses, below(at, 'responses')),
  ])
  origins.set(stated, at)
  return stated

  function parametersOf(value: unknown, base: string): Entry[] {
    if (!Array.isArray(value)) return []
    return value.flatMap((item, index) => {
      const { node, at } = resolvedAt(contract, item, below(base, index))
      if (isOurs(node)) return []
      const schema = schemaOf(node.schema, below(at, 'schema')) ?? {}
      return [[`${node.in} ${node.name}`, { required: node.required === true, schema }] as const]
    })
  }

  function bodyOf(value: unknown, at: string): Node | undefined {
    if (!isNode(value) || isOurs(value)) return undefined
    return { required: value.required === true, ...contentOf(value, at) }
  }

  /** The schema of each media type; empty if the content is an assumption. */
  function contentOf(holder: Node, at: string): Node {
    if (marksOf(holder).some(({ keyword }) => keyword === 'content')) return {}
    const content = entriesOf(holder.content).map(([type, media]) => {
      const place = below(at, 'content', type, 'schema')
      return [type, schemaOf(isNode(media) ? media.schema : undefined, place)] as const
    })
    return { content: Object.fromEntries(content) }
  }

  function headersOf(holder: Node, base: string): Node {
    const headers = entriesOf(holder.headers).flatMap(([name, header]) => {
      const { node, at } = resolvedAt(contract, header, below(base, 'headers', name))
      return isOurs(node) ? [] : [[name, schemaOf(node.schema, below(at, 'schema'))] as const]
    })
    return headers.length > 0 ? { headers: Object.fromEntries(headers) } : {}
  }

  function responsesOf(value: unknown, base: string): Entry[] {
    return entriesOf(value).flatMap(([status, item]) => {
      const { node, at } = resolvedAt(contract, item, below(base, status))
      if (isOurs(node)) return []
      const marks = new Set(marksOf(node).map(({ keyword }) => keyword))
      const name = `response ${marks.has('status') ? '?' : status}`
      return [[name, { ...contentOf(node, at), ...headersOf(node, at) }] as const]
    })
  }

  /** The schema without its assumptions; undefined if the whole schema is one. */
  function schemaOf(value: unknown, at: string): Node | undefined {
    if (!isNode(value)) return {}
    if (isOurs(value)) return undefined
    const target = '$ref' in value ? resolvedAt(contract, value, at) : undefined
    const base = target ? schemaOf(target.node, target.at) : {}
    if (!base) return undefined
    const siblings = ownOf(value, at)
    if (target && Object.keys(siblings).length === 0) return base
    const stated = { ...base, ...siblings }
    origins.set(stated, at)
    return stated
  }

  function ownOf(value: Node, at: string): Node {
    const marks = new Set(marksOf(value).map(({ keyword }) => keyword))
    const isFact = (keyword: string) =>
      keyword !== '$ref' && !marks.has(keyword) && !ANNOTATIONS.has(keyword) && !keyword.startsWith('x-')
    const facts = Object.entries(value).filter(([keyword]) => isFact(keyword))
    const stated: Record<string, unknown> = {}
    for (const [keyword, it] of facts) stated[keyword] = keywordOf(keyword, it, below(at, keyword))
    if (Array.isArray(stated.required)) stated.required = requiredOf(stated)
    return stated
  }

  function keywordOf(keyword: string, value: unknown, at: string): unknown {
    if (keyword === 'items') return schemaOf(value, at)
    if (keyword === 'properties' && isNode(value)) return propertiesOf(value, at)
    if (!['oneOf', 'anyOf', 'allOf'].includes(keyword) || !Array.isArray(value)) return value
    return value.map((branch, index) => schemaOf(branch, below(at, index))).filter(Boolean)
  }

  function propertiesOf(properties: Node, at: string): Node {
    const all = Object.entries(properties).map(([name, it]) => [name, schemaOf(it, below(at, name))] as const)
    const stated = Object.fromEntries(all.filter(([, value]) => value !== undefined))
    origins.set(stated, at)
    return stated
  }
}

function securityOf(operation: Node): string {
  const [first] = Array.isArray(operation.security) ? operation.security : [{ bearer: [] }]
  return Object.keys(first ?? { none: [] }).join(' and ')
}

/** The required properties that are facts, sorted. */
function requiredOf(stated: Node): string[] {
  const names = Object.keys(isNode(stated.properties) ? stated.properties : {})
  return (stated.required as string[]).filter((name) => names.includes(name)).sort()
}
