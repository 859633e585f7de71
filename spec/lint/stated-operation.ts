import type { UserContext } from '@redocly/openapi-core'
import { isNode, isOurs, marksOf, type Node } from './marks.ts'
import { ALIAS_OF } from './operations.ts'
import { type Origins, reader } from './stated.ts'

type Location = UserContext['location']
type Reader = ReturnType<typeof reader>
type Entry = readonly [name: string, stated: unknown]

/** The unmarked part of an operation, in the same form as `expected` in facts.ts. */
export function statedOperation(
  path: Node,
  operation: Node,
  at: Location,
  ctx: UserContext,
  origins: Origins,
): Node {
  const read = reader(ctx, origins)
  const shared = at.child(['..', 'parameters'])
  const parameters = [
    ...parametersOf(path.parameters, shared, read),
    ...parametersOf(operation.parameters, at, read),
  ]
  const body = bodyOf(operation.requestBody, at.child(['requestBody']), read)
  const stated = Object.fromEntries([
    ['security', securityOf(operation)],
    ...(ALIAS_OF in operation ? [['alias-of', operation[ALIAS_OF]] as const] : []),
    ...(parameters.length > 0 ? [['parameters', Object.fromEntries(parameters)] as const] : []),
    ...(body ? [['body', body] as const] : []),
    ...responsesOf(operation.responses, at.child(['responses']), read),
  ])
  origins.set(stated, at)
  return stated
}

function securityOf(operation: Node): string {
  const [first] = Array.isArray(operation.security) ? operation.security : [{ bearer: [] }]
  return Object.keys(first ?? { none: [] }).join(' and ')
}

function parametersOf(value: unknown, at: Location, read: Reader): Entry[] {
  if (!Array.isArray(value)) return []
  return value.flatMap((item) => {
    const { node, location } = read.resolve(item, at)
    if (isOurs(node)) return []
    const schema = read.schema(node.schema, location.child(['schema'])) ?? {}
    return [[`${node.in} ${node.name}`, { required: node.required === true, schema }] as const]
  })
}

function bodyOf(value: unknown, at: Location, read: Reader): Node | undefined {
  if (!isNode(value) || isOurs(value)) return undefined
  return { required: value.required === true, ...contentOf(value, at, read) }
}

/** The schema of each media type; empty if the content is an assumption. */
function contentOf(holder: Node, at: Location, read: Reader): Node {
  if (marksOf(holder).some(({ keyword }) => keyword === 'content')) return {}
  const content = Object.entries(isNode(holder.content) ? holder.content : {}).map(([type, media]) => {
    const place = at.child(['content', type, 'schema'])
    return [type, read.schema(isNode(media) ? media.schema : undefined, place)] as const
  })
  return { content: Object.fromEntries(content) }
}

function headersOf(holder: Node, at: Location, read: Reader): Node {
  const headers = Object.entries(isNode(holder.headers) ? holder.headers : {}).flatMap(([name, header]) => {
    const { node, location } = read.resolve(header, at.child(['headers', name]))
    return isOurs(node) ? [] : [[name, read.schema(node.schema, location.child(['schema']))] as const]
  })
  return headers.length > 0 ? { headers: Object.fromEntries(headers) } : {}
}

function responsesOf(value: unknown, at: Location, read: Reader): Entry[] {
  if (!isNode(value)) return []
  return Object.entries(value).flatMap(([status, item]) => {
    const { node, location } = read.resolve(item, at.child([status]))
    if (isOurs(node)) return []
    const marks = new Set(marksOf(node).map(({ keyword }) => keyword))
    const name = `response ${marks.has('status') ? '?' : status}`
    return [[name, { ...contentOf(node, location, read), ...headersOf(node, location, read) }] as const]
  })
}
