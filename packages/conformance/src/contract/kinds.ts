import type { Operation } from '@partner-payments/contract'
import { stepsOf } from '@partner-payments/contract'
import type { Resource, State, Transition } from '@partner-payments/spec/behaviour'
import { behaviour } from './behaviour.ts'
import { fieldsOf, type Json, stringAt, valueAt } from './json.ts'

/** A kind of record, such as `webhook`, and what spec/behaviour declares of it. */
export interface Kind {
  readonly name: string
  readonly resource: Resource
}

/** A record by its kind and its id: a service may count the records of each kind from 1. */
export interface NamedRecord {
  readonly kind: Pick<Kind, 'name'>
  readonly id: string
}

/** Names a record in one string, to find it again: `webhook 7`. */
export function nameRecord({ kind, id }: NamedRecord): string {
  return `${kind.name} ${id}`
}

/** A record that a response shows. */
export interface ShownRecord {
  readonly kind: Kind
  readonly id: string
  readonly fields: Json
  /** Its pointer in the body of the response, such as `/data/0`; empty for the whole body. */
  readonly at: string
}

const resources = Object.entries<Resource>(behaviour.resources)
/** The declared resources. */
export const declaredKinds: readonly Kind[] = resources.map(([name, resource]) => ({
  name,
  resource,
}))

/** Finds the kind of a declared resource. Throws if spec/behaviour declares no such resource. */
export function requireKind(resource: string): Kind {
  const kind = declaredKinds.find(({ name }) => name === resource)
  if (!kind) throw new Error(`spec/behaviour declares no resource "${resource}"; add it`)
  return kind
}

const user = { ...behaviour.resources.user, owner: 'partner', operations: {}, states: {} } as const

/** What responses about users show beside them: their customers, and the partner. */
const customer: Kind = { name: 'customer', resource: user }
const partner: Kind = { name: 'partner', resource: user }
/** The pointer of the customers in the look-up of a user. */
const CUSTOMERS = '/customers'

/** Finds the action of an operation on records of a kind, such as `create`; undefined if it has none. */
export function findAction({ resource }: Kind, operation: string | undefined): string | undefined {
  for (const action in resource.operations)
    if (resource.operations[action] === operation) return action
  return undefined
}

/** Finds the action of an operation, where the payment of a record counts as one (`pay`). */
export function findActionOrPayment(kind: Kind, operation: string | undefined): string | undefined {
  if (operation === 'createTransfer') return findAction(kind, operation) ?? 'pay'
  return findAction(kind, operation)
}

/**
 * Whether an action such as `delete` ends a record, so that no response shows it any more: each of its
 * transitions leads to a state with `hidden: true`.
 */
export function isEndingAction({ resource }: Kind, action: string | undefined): boolean {
  const { states = {} } = resource
  if (action === undefined) return false

  // The names of the states that the action leads to, such as `['deleted']`.
  const nextStates: string[] = []
  for (const { on = {} } of Object.values(states)) {
    const next = on[action]?.to
    if (next !== undefined) nextStates.push(next)
  }
  // Without declared transitions, a deletion ends a record all the same.
  if (nextStates.length === 0) return action === 'delete'
  return nextStates.every((name) => states[name]?.hidden === true)
}

/**
 * Finds what is declared of a state, such as `ATIVA`; undefined if nothing is, or if an answered
 * contract only says that it was seen.
 */
export function findState({ resource }: Kind, state: unknown): State | undefined {
  const isUnexplained = unexplainedStates.get(resource)?.has(String(state))
  return isUnexplained ? undefined : resource.states?.[String(state)]
}

/** Finds the declared transition of a record that is in a state; undefined if there is none. */
export function findTransition(
  kind: Kind,
  state: unknown,
  action: string | undefined,
): Transition | undefined {
  return action === undefined ? undefined : findState(kind, state)?.on?.[action]
}

/** The states of each resource in which no record begins, and to which nothing leads. */
const unexplainedStates: ReadonlyMap<Resource, ReadonlySet<string>> = new Map(
  declaredKinds.map((kind) => [kind.resource, listUnexplainedStates(kind)]),
)

/**
 * Lists the states of a kind in which no record begins, and to which no transition leads. Only a contract to
 * which evidence was added has one: a service showed the state, and nobody knows yet what leads to it.
 */
function listUnexplainedStates(kind: Kind): ReadonlySet<string> {
  const { states = {}, initial = [] } = kind.resource
  const targets = listTransitions(kind).map(({ to }) => to)
  // Of a user, no change is declared at all.
  if (targets.length === 0) return new Set()

  const names = Object.keys(states)
  return new Set(names.filter((name) => !initial.includes(name) && !targets.includes(name)))
}

/** Finds the kind of the records that an operation acts on. */
export function findKind(operation: string | undefined): Kind | undefined {
  return declaredKinds.find((kind) => findAction(kind, operation) !== undefined)
}

/**
 * Reads the records that a response shows, where the contract declares them. A value without an id is no
 * record. Such as, for a list of keys: `[{ kind: pixKey, id: 'k1', fields: { … }, at: '/data/0' }]`. The look-up of
 * a user also shows customers, and the partner of the user.
 *
 * @param signedInPartner The id of the partner that sent the request, if it is known: responses about
 *   users show fields of the partner beside them.
 */
export function readRecords(
  operation: Pick<Operation, 'id' | 'resource' | 'record'>,
  body: unknown,
  signedInPartner: string | undefined,
): ShownRecord[] {
  const records = readRecordsOfResource(operation, body)
  if (operation.id === 'getUser') records.push(...readItems(customer, CUSTOMERS, body))

  const showsUser = records.some(({ kind }) => kind.name === 'user')
  if (signedInPartner !== undefined && showsUser) records.push(readPartner(signedInPartner, body))
  return records
}

/** Reads the partner of a user, of which a response shows two fields beside the user, in no object of their own. */
function readPartner(id: string, body: unknown): ShownRecord {
  const { partner_id, created_at } = fieldsOf(body)
  const wholeBody = ''
  return { kind: partner, id, fields: { partner_id, created_at }, at: wholeBody }
}

/**
 * Reads the records of the resource that an operation acts on: one record, or the items of a list, at
 * the pointer that the contract declares. None if the operation shows no record.
 */
function readRecordsOfResource(
  { resource, record }: Pick<Operation, 'resource' | 'record'>,
  body: unknown,
): ShownRecord[] {
  const kind = declaredKinds.find(({ name }) => name === resource)
  if (!kind || !record) return []
  if (record.isList) return readItems(kind, record.pointer, body)
  return readRecord(kind, valueAt(body, record.pointer), record.pointer)
}

/** Reads the records in a list, given the pointer of the list. */
function readItems(kind: Kind, list: string, body: unknown): ShownRecord[] {
  const items = valueAt(body, list)
  if (!Array.isArray(items)) return []
  return items.flatMap((item, i) => readRecord(kind, item, `${list}/${i}`))
}

/** Reads the record at a place: one if the value has an id, else none. */
function readRecord(kind: Kind, value: unknown, at: string): ShownRecord[] {
  const id = stringAt(value, kind.resource.id ?? '/id')
  if (id === undefined || id === '') return []
  return [{ kind, id, fields: fieldsOf(value), at }]
}

/** Lists the transitions of all states of a resource. */
export function listTransitions({ resource }: Kind): readonly Transition[] {
  const { states = {} } = resource
  return Object.values(states).flatMap(({ on = {} }) => Object.values(on))
}

/** Finds the state of a record that was deleted, which no response shows; undefined if a kind has none. */
export function findDeletedState({ resource }: Kind): State | undefined {
  const { states = {} } = resource
  return Object.values(states).find(({ hidden }) => hidden)
}

/** Finds the transition by which a record is deleted; undefined if no record of a kind can be. */
export function findDeletion(kind: Kind): Transition | undefined {
  const { states = {} } = kind.resource
  return listTransitions(kind).find(({ to }) => to !== undefined && states[to]?.hidden)
}

/** Whether records of a kind are charges, the only ones that can be cancelled. */
export function isCharge({ resource }: Kind): boolean {
  return resource.operations.cancel !== undefined
}

/** The name of the first field of a pointer. */
export function fieldName(pointer: string): string {
  return stepsOf(pointer)[0] ?? ''
}
