import type { Resource } from '@partner-payments/spec/behaviour'
import type { Context } from '../../engine/context.ts'
import { type Node, nodeOf, valueAt } from '../../model/document.ts'

/** The resources that spec/behaviour declares. */
export function declaredResources({ behaviour }: Pick<Context, 'behaviour'>): readonly Resource[] {
  return Object.values(behaviour.resources ?? {})
}

/** The resource whose records an operation creates. */
export function createdBy(context: Pick<Context, 'behaviour'>, id: string | undefined): Resource | undefined {
  return declaredResources(context).find(({ operations }) => operations.create === id)
}

/** The record in a response or an event: the body, or the object in it that has the same id or the only id. */
export function recordIn(body: unknown, { id = '/id' }: Pick<Resource, 'id'>): Node {
  const own = valueAt(body, id)
  const parts = Object.values(nodeOf(body))
  const isRecord = (it: unknown) =>
    valueAt(it, id) !== undefined && valueAt(it, id) === (own ?? valueAt(it, id))
  return nodeOf(parts.find(isRecord) ?? body)
}

/** The id of a record that a body shows; undefined where it shows none. */
export function recordIdIn(body: unknown, resource: Pick<Resource, 'id'>): string | undefined {
  const id = valueAt(recordIn(body, resource), resource.id ?? '/id')
  return typeof id === 'string' || typeof id === 'number' ? String(id) : undefined
}
