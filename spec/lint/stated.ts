/** The contract without its assumptions and annotations. */
import type { UserContext } from '@redocly/openapi-core'
import { isNode, isOurs, marksOf, type Node } from './marks.ts'

type Location = UserContext['location']

/** The source of each node, for messages. */
export type Origins = WeakMap<object, Location>

/** Keywords that do not constrain a message. */
const ANNOTATIONS = new Set(['title', 'description', 'examples', 'example', 'deprecated', '$comment'])

/** Reads the contract across files and avoids circular references. */
export function reader(ctx: UserContext, origins: Origins) {
  function resolve(value: unknown, location: Location): { node: Node; location: Location } {
    if (isNode(value) && typeof value.$ref === 'string') {
      const target = ctx.resolve({ $ref: value.$ref }, location.source.absoluteRef)
      // A Redocly rule reports an unresolvable reference; it is ignored here.
      return target.location && isNode(target.node) ? target : { node: {}, location }
    }
    return { node: isNode(value) ? value : {}, location }
  }

  /** The schema without its assumptions; undefined if the whole schema is one. */
  function schema(value: unknown, location: Location): Node | undefined {
    if (!isNode(value)) return {}
    if (isOurs(value)) return undefined
    const target = '$ref' in value ? resolve(value, location) : undefined
    const base = target ? schema(target.node, target.location) : {}
    if (!base) return undefined
    const siblings = own(value, location)
    if (target && Object.keys(siblings).length === 0) return base
    const stated = { ...base, ...siblings }
    origins.set(stated, location)
    return stated
  }

  function own(value: Node, location: Location): Node {
    const marks = new Set(marksOf(value).map(({ keyword }) => keyword))
    const facts = Object.entries(value).filter(
      ([keyword]) =>
        keyword !== '$ref' && !marks.has(keyword) && !ANNOTATIONS.has(keyword) && !keyword.startsWith('x-'),
    )
    const stated: Record<string, unknown> = {}
    for (const [keyword, it] of facts) stated[keyword] = keywordOf(keyword, it, location.child([keyword]))
    if (Array.isArray(stated.required)) stated.required = requiredOf(stated)
    return stated
  }

  function keywordOf(keyword: string, value: unknown, location: Location): unknown {
    if (keyword === 'items') return schema(value, location)
    if (keyword === 'properties' && isNode(value)) return propertiesOf(value, location)
    if (!['oneOf', 'anyOf', 'allOf'].includes(keyword) || !Array.isArray(value)) return value
    return value.map((branch, index) => schema(branch, location.child([index]))).filter(Boolean)
  }

  function propertiesOf(properties: Node, location: Location): Node {
    const entries = Object.entries(properties).map(
      ([name, value]) => [name, schema(value, location.child([name]))] as const,
    )
    const stated = Object.fromEntries(entries.filter(([, value]) => value !== undefined))
    origins.set(stated, location)
    return stated
  }

  return { resolve, schema }
}

/** The required properties that are facts, sorted. */
function requiredOf(stated: Node): string[] {
  const names = Object.keys(isNode(stated.properties) ? stated.properties : {})
  return (stated.required as string[]).filter((name) => names.includes(name)).sort()
}
