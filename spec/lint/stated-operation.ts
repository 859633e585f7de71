import type { UserContext } from '@redocly/openapi-core'
import { isNode, isOurs, marksOf, type Node } from './marks.ts'
import { type Origins, reader } from './stated.ts'

type Location = UserContext['location']
type Reader = ReturnType<typeof reader>
type Entry = readonly [name: string, stated: unknown]

/** What the contract states of an operation without a mark, in the form of `expected` in facts.ts. */
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
    ...(parameters.length > 0 ? [['parameters', Object.fromEntries(parameters)] as const] : []),
    ...(body ? [['body', body] as const] : []),
    ...answersOf(operation.responses, at.child(['responses']), read),
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
  return contentOf(value, at, read)
}

function contentOf(holder: Node, at: Location, read: Reader): Node | undefined {
  const media = isNode(holder.content) ? holder.content['application/json'] : undefined
  if (!isNode(media)) return undefined
  return read.schema(media.schema, at.child(['content', 'application/json', 'schema']))
}

function answersOf(value: unknown, at: Location, read: Reader): Entry[] {
  if (!isNode(value)) return []
  return Object.entries(value).flatMap(([status, item]) => {
    const { node, location } = read.resolve(item, at.child([status]))
    if (isOurs(node)) return []
    const ours = new Set(marksOf(node).map(({ keyword }) => keyword))
    return [[`answer ${ours.has('status') ? '?' : status}`, answerOf(node, location, ours, read)] as const]
  })
}

function answerOf(node: Node, location: Location, ours: ReadonlySet<string | undefined>, read: Reader): Node {
  if (ours.has('content')) return {}
  return { body: contentOf(node, location, read) ?? 'none' }
}
