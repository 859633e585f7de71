import type { Resource, State } from '@partner-payments/spec/behaviour'
import { stepsOf } from '@partner-payments/validator'
import { behaviour } from './behaviour.ts'
import { fieldsOf, type Json, stringAt, valueAt } from './json.ts'

/** A kind of record, and where responses show it. */
export interface Kind {
  readonly name: string
  readonly resource: Resource
  /**
   * By operationId, the pointer to the record in a response; one that ends in `/*` is that of a
   * list.
   */
  readonly places: Readonly<Record<string, string>>
}

/** A record in a response. */
export interface Shown {
  readonly kind: Kind
  readonly id: string
  readonly fields: Json
  /** Its pointer in the body of the response. */
  readonly at: string
}

/** Records that are not the whole body of a response. */
const INSIDE: Readonly<Record<string, string>> = { getUser: '/user', createTransfer: '/data' }
/** Actions of a resource that show no record of it. */
const SHOW_NOTHING: ReadonlySet<string> = new Set(['delete', 'impersonate'])

const resources = Object.entries<Resource>(behaviour.resources)
const declared: readonly Kind[] = resources.map(([name, resource]) => ({
  name,
  resource,
  places: placesOf(resource),
}))
const user = { ...behaviour.resources.user, owner: 'partner', operations: {}, states: {} } as const
const partner: Kind = { name: 'partner', resource: user, places: {} }

/** The declared resources, and the customers and partners that responses about users show. */
const kinds: readonly Kind[] = [
  ...declared,
  { name: 'customer', resource: user, places: { getUser: '/customers/*' } },
  partner,
]

function placesOf({ operations }: Resource): Kind['places'] {
  const places: Record<string, string> = {}
  for (const [action, id] of Object.entries(operations)) {
    if (SHOW_NOTHING.has(action)) continue
    const list = behaviour.lists[id]
    places[id] = list ? `${list.items}/*` : (INSIDE[id] ?? '')
  }
  return places
}

/** The action of an operation on records of a kind, such as `create`; undefined if it has none. */
export function actionOf({ resource }: Kind, operation: string | undefined): string | undefined {
  for (const action in resource.operations)
    if (resource.operations[action] === operation) return action
  return undefined
}

/** The same, where the payment of a record counts as an action on it. */
export function actionOn(kind: Kind, operation: string | undefined): string | undefined {
  return actionOf(kind, operation) ?? (operation === 'createTransfer' ? 'pay' : undefined)
}

/** What is declared of a state; undefined if nothing is. */
export function stateOf({ resource }: Kind, state: unknown): State | undefined {
  return resource.states?.[String(state)]
}

/** The kind of the records that an operation acts on. */
export function kindOf(operation: string | undefined): Kind | undefined {
  return kinds.find((it) => actionOf(it, operation) !== undefined)
}

/** The records that a response shows. What has another shape than the contract's is no record. */
export function recordsIn(operation: string, body: unknown, signedIn: string | undefined): Shown[] {
  const records = kinds.flatMap((kind) => recordsAt(kind, kind.places[operation], body))
  const hasUser = records.some(({ kind }) => kind.name === 'user')
  if (signedIn === undefined || !hasUser) return records
  // A response about users shows fields of the partner beside them.
  const { partner_id, created_at } = fieldsOf(body)
  return [...records, { kind: partner, id: signedIn, fields: { partner_id, created_at }, at: '' }]
}

function recordsAt(kind: Kind, place: string | undefined, body: unknown): Shown[] {
  if (place === undefined) return []
  if (!place.endsWith('/*')) return shownAt(kind, valueAt(body, place), place)

  const list = place.slice(0, -'/*'.length)
  const items = valueAt(body, list)
  if (!Array.isArray(items)) return []
  return items.flatMap((item, i) => shownAt(kind, item, `${list}/${i}`))
}

/** The record at a place, or none. */
function shownAt(kind: Kind, value: unknown, at: string): Shown[] {
  const id = stringAt(value, '/id')
  if (id === undefined || id === '') return []
  return [{ kind, id, fields: fieldsOf(value), at }]
}

/** The name of the first field of a pointer. */
export function fieldName(pointer: string): string {
  return stepsOf(pointer)[0] ?? ''
}
