import type { Exchange } from '../wire/exchange.ts'
import type { Contract } from './contract.ts'
import { below, nodeOf } from './document.ts'
import { walk } from './walk.ts'

/**
 * Where the contract of an operation declares a member of this very answer, by its name; without one, or where it
 * declares none, the schema of the answer as a whole.
 */
export function placeOfMember(
  { document }: Contract,
  { view, reply, body }: Exchange,
  member?: string,
): string {
  if (!view) return ''
  const response = document.follow(below(view.pointer, 'responses', reply.status))
  const [type] = Object.keys(nodeOf(response.node.content))
  if (type === undefined) return response.pointer
  const schema = below(response.pointer, 'content', type, 'schema')
  const places: string[] = []
  walk(document, schema, body, (pointer) => places.push(pointer))
  const end = member === undefined ? undefined : below('', 'properties', member)
  return places.find((it) => end !== undefined && it.endsWith(end)) ?? document.follow(schema).pointer
}
