import type { Resource } from '@partner-payments/spec/behaviour'
import { stepsOf } from '@partner-payments/validator'
import type { Contract } from './contract.ts'
import { fieldsOf, type Json, stringAt, valueAt } from './json.ts'

/** A kind of record, and where responses show it. */
export interface Kind {
  readonly name: string
  readonly resource: Resource
  /** By operationId, the pointer to the record in a response; one that ends in `/*` is that of a list. */
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
const SHOW_NOTHING = ['delete', 'impersonate']

/** The declared resources, and the customers and partners, which no resource declares. */
export function kindsOf({ behaviour }: Contract): readonly Kind[] {
  const { resources = {}, lists = {} } = behaviour
  const declared = Object.entries(resources).map(([name, resource]) => {
    const places = Object.entries(resource.operations).flatMap(([action, id]) =>
      SHOW_NOTHING.includes(action) ? [] : [[id, lists[id] ? `${lists[id].items}/*` : (INSIDE[id] ?? '')]],
    )
    return { name, resource, places: Object.fromEntries(places) }
  })
  const user = declared.find(({ name }) => name === 'user')?.resource
  const {
    status: _,
    states: __,
    ...plain
  } = user ?? { title: '', summary: '', tag: '', owner: 'partner' as const }
  const customer: Kind = {
    name: 'customer',
    resource: { ...plain, operations: {} },
    places: { getUser: '/customers/*' },
  }
  const partner: Kind = { name: 'partner', resource: { ...plain, operations: {} }, places: {} }
  return [...declared, customer, partner]
}

/** The action of an operation on records of a kind, such as `create`; undefined if it has none. */
export function actionOf({ resource }: Kind, operation: string | undefined): string | undefined {
  return Object.entries(resource.operations).find(([, id]) => id === operation)?.[0]
}

/** The records that the body of a response shows. What has another shape than the contract's is no record. */
export function recordsIn(kinds: readonly Kind[], operation: string, body: unknown): Shown[] {
  return kinds.flatMap((kind) => {
    const place = kind.places[operation]
    if (place === undefined) return []
    const isList = place.endsWith('/*')
    const at = isList ? place.slice(0, -2) : place
    const value = valueAt(body, at)
    if (!isList) return shownAt(kind, value, at)
    return Array.isArray(value) ? value.flatMap((it, i) => shownAt(kind, it, `${at}/${i}`)) : []
  })
}

/** What responses about users show of the partner that asks. */
export function partnerIn(
  kinds: readonly Kind[],
  { partner, body }: { partner: string; body: unknown },
): Shown[] {
  const kind = kinds.find(({ name }) => name === 'partner')
  const { partner_id, created_at } = fieldsOf(body)
  return kind ? [{ kind, id: partner, fields: { partner_id, created_at }, at: '' }] : []
}

function shownAt(kind: Kind, value: unknown, at: string): Shown[] {
  const id = stringAt(value, kind.resource.id ?? '/id')
  return id === undefined || id === '' ? [] : [{ kind, id, fields: fieldsOf(value), at }]
}

/** The name of the first field of a pointer. */
export function fieldName(pointer: string): string {
  return stepsOf(pointer)[0] ?? ''
}
