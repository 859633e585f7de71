import { pointerOf, schemasAt } from '@partner-payments/contract'
import type { Resource, Transition } from '../../dist/behaviour.d.ts'
import { isNode, type Node } from '../marks.ts'
import { didYouMean } from '../suggest.ts'
import {
  entries,
  enumValues,
  fieldsInKeys,
  fieldsInList,
  type NamedField,
  readOperationId,
} from './entries.ts'
import {
  type Context,
  expectField,
  expectNamed,
  expectOperation,
  expectPlace,
  expectRefusal,
  expectType,
} from './expectations.ts'

/**
 * Reports operations, fields, refusals and states that a resource names and the contract does not
 * have. A resource says by which operations its records come and change, which fields of them show
 * what, and between which states they move.
 *
 * @param at Where the resource stands in spec/behaviour.
 */
export function checkResource(context: Context, resource: Resource, at: string): void {
  for (const [role, id] of entries(resource.operations))
    expectOperation(context, id, `${at}/operations/${role}`)

  const schemas = recordSchemas(context, resource)
  for (const [step, pointer] of recordFields(resource))
    expectField(context, schemas, pointer, `${at}${step}`)
  for (const [pointer, { value }] of entries(resource.defaults))
    expectType(context, schemas, { pointer, value }, pointerOf(`${at}/defaults`, pointer))

  checkShownOnce(context, resource, `${at}/shownOnce`)
  checkUnique(context, resource, `${at}/unique`)
  // No operation has the id "undefined": without a `create`, only the code itself is checked.
  const createId = String(resource.operations.create)
  expectRefusal(context, createId, resource.most?.refusal, `${at}/most`)

  for (const name of resource.initial ?? [])
    expectNamed(context, 'state', resource.states, name, `${at}/initial`)
  checkStatuses(context, resource, schemas, `${at}/states`)
  checkTransitions(context, resource, schemas, `${at}/states`)
}

/**
 * The schemas of responses that show a record of a resource: those of its operations that return
 * one, and the items of its list.
 */
function recordSchemas(
  { contract, operations, behaviour }: Context,
  { operations: roles }: Resource,
): Node[] {
  const schemas: Node[] = []
  for (const role of ['create', 'read', 'update', 'cancel'] as const) {
    const id = roles[role]
    const response = id && operations.get(id)?.response
    if (isNode(response)) schemas.push(response)
  }

  const listId = roles.list
  const items = listId && behaviour.lists?.[listId]?.items
  if (!items) return schemas
  const itemSchemas = schemasAt(contract, operations.get(listId)?.response, `${items}/0`)
  return [...schemas, ...itemSchemas]
}

/**
 * The fields of a record that its resource names, as pairs of where it names the field and the
 * pointer of the field: `['/id', '/data/id']`.
 */
function recordFields({ id, status, touched, volatile, defaults }: Resource): NamedField[] {
  return [
    ['/id', id],
    ['/status', status],
    ['/touched/created', touched?.created],
    ['/touched/updated', touched?.updated],
    ['/touched/revision', touched?.revision],
    ...fieldsInList('/volatile', volatile),
    ...fieldsInKeys('/defaults', defaults),
  ]
}

/**
 * Reports fields that should be shown once and are not: with
 * `shownOnce: { fields: ['/secret'], by: ['createWebhook'] }`, the response of `createWebhook` must
 * have the secret, and those of the resource's other operations must not.
 */
function checkShownOnce(context: Context, resource: Resource, at: string): void {
  const { shownOnce } = resource
  if (!shownOnce) return
  const { fields, by: listedIds } = shownOnce
  const otherIds = Object.values(resource.operations).filter((id) => !listedIds.includes(id))
  for (const [fieldIndex, pointer] of fields.entries()) {
    for (const [index, id] of listedIds.entries())
      expectPlace(context, `${id}#${pointer}`, `${at}/by/${index}`, 'response')

    const showingId = otherIds.find((id) => showsField(context, id, pointer))
    if (showingId) {
      const message = `${showingId} shows ${pointer}, too; list it in "by", or leave the field out of it.`
      context.report(`${at}/fields/${fieldIndex}`, message)
    }
  }
}

/** Whether the response of an operation has a field. */
function showsField({ contract, operations }: Context, id: string, pointer: string): boolean {
  return schemasAt(contract, operations.get(id)?.response, pointer).length > 0
}

/**
 * Reports a unique field that the request of the creation does not have, and its refusal if the
 * creation does not show that code: `unique: { '/tx_id': { refusal: 'tx_id_taken' } }`.
 */
function checkUnique(context: Context, { operations, unique }: Resource, at: string): void {
  const create = String(operations.create)
  for (const [pointer, { refusal }] of entries(unique)) {
    expectPlace(context, `${create}#${pointer}`, at, 'request')
    expectRefusal(context, create, refusal, pointerOf(at, pointer))
  }
}

/**
 * Reports states that the enum of the status field does not have, and values of that enum that are
 * no state. Hidden states are never shown, so the enum need not have them.
 *
 * @param schemas The schemas that show a record.
 */
function checkStatuses(
  { contract, report }: Context,
  { status, states }: Resource,
  schemas: readonly Node[],
  at: string,
): void {
  if (!status) return

  const fields = schemas.flatMap((schema) => schemasAt(contract, schema, status))
  const values = new Set(fields.flatMap(enumValues))
  const visibleStates = listVisibleStates(states)
  if (visibleStates.length > 0 && values.size === 0) {
    report(at, `The field ${status} has no enum; name the field whose values are the states.`)
    return
  }

  const unknownStates = visibleStates.filter((name) => !values.has(name))
  for (const name of unknownStates) {
    const next = didYouMean(name, values, '; add it to the enum, or hide the state.')
    report(`${at}/${name}`, `No status of the contract is "${name}"${next}`)
  }
  // If a state is misspelt, its status seems to have no state.
  if (unknownStates.length > 0) return

  for (const value of values)
    if (!visibleStates.includes(value)) report(at, `The status "${value}" has no state; add it.`)
}

/** The names of the states that responses show. */
function listVisibleStates(states: Resource['states']): string[] {
  const visible = entries(states).filter(([, { hidden }]) => !hidden)
  return visible.map(([name]) => name)
}

/**
 * Reports what the transitions between the states of a resource name and the contract does not have.
 *
 * @param schemas The schemas that show a record of the resource.
 */
function checkTransitions(
  context: Context,
  resource: Resource,
  schemas: readonly Node[],
  at: string,
): void {
  for (const [name, { on }] of entries(resource.states)) {
    for (const [action, transition] of entries(on)) {
      const place = `${at}/${name}/on/${action}`
      checkTransition(context, resource, action, transition, place)
      checkRecordInRequest(context, transition.by, schemas, `${place}/by`)
    }
  }
}

/**
 * Reports what a transition names and the contract does not have: its next state, its events, its
 * refusal, and what causes it.
 *
 * @param action The name of the transition, such as `cancel`.
 */
function checkTransition(
  context: Context,
  resource: Resource,
  action: string,
  transition: Transition,
  at: string,
): void {
  const { to, refusal, events = [], after } = transition
  expectNamed(context, 'state', resource.states, to, `${at}/to`)
  for (const [index, event] of events.entries())
    expectNamed(context, 'event', context.behaviour.events, event, `${at}/events/${index}`)

  checkCause(context, resource, action, transition, at)

  const operation = findCausingOperation(resource, action, transition)
  if (after) checkStateAfter(context, operation, after, `${at}/after`)
  if (operation) expectRefusal(context, operation, refusal, `${at}/refusal`)
}

/**
 * Reports a transition that nothing can cause. Without `by`, the operation of the resource with its
 * name causes it, such as `cancel`. Otherwise `by` says what does.
 */
function checkCause(
  context: Context,
  resource: Resource,
  action: string,
  { by, refusal }: Transition,
  at: string,
): void {
  const { report } = context
  if (!by) {
    if (resource.operations[action]) return
    const actions = Object.keys(resource.operations)
    const next = didYouMean(action, actions, '; add it to "operations", or say in "by" what acts.')
    report(at, `"${action}" is not an operation of the resource${next}`)
    return
  }

  // The request of an operation, by its field that names the record.
  if (isPlace(by)) {
    expectPlace(context, by, `${at}/by`, 'request')
    return
  }

  // Who acts without a request, such as `service`: nobody gets the refusal.
  if (refusal)
    report(`${at}/by`, `"${by}" gets no response; name in "by" the request that is refused.`)
}

/**
 * The id of the operation that causes a transition: the one whose request `by` names, or else the one
 * of the resource with the name of the transition. Undefined if there is none.
 */
function findCausingOperation(
  { operations }: Resource,
  action: string,
  { by }: Transition,
): string | undefined {
  return by && isPlace(by) ? readOperationId(by) : operations[action]
}

/** Whether `by` of a transition is a place such as `createTransfer#/emv`, not a word such as `service`. */
function isPlace(by: string): boolean {
  return by.includes('#')
}

/**
 * Reports the `after` of a transition if it is not a state of what the causing operation creates. The
 * transition waits for that state: with `{ by: 'createTransfer#/emv', after: 'settled' }`, a QR code is
 * paid once the transfer is `settled`.
 */
function checkStateAfter(
  context: Context,
  operation: string | undefined,
  state: string,
  at: string,
): void {
  const resource = operation ? createdResource(context, operation) : undefined
  if (resource) expectNamed(context, 'state', resource.states, state, at)
  else context.report(at, `No resource is created by "${operation}"; remove "after".`)
}

/**
 * Reports a transition whose causing request (`by`) cannot name the record. `createTransfer#/emv`
 * names a QR code by its `emv`, so the responses that show a QR code must have an `/emv` too.
 *
 * @param schemas The schemas of these responses.
 */
function checkRecordInRequest(
  { contract, report }: Context,
  by: string | undefined,
  schemas: readonly Node[],
  at: string,
): void {
  if (!by || !isPlace(by)) return
  const [, pointer = ''] = by.split('#')
  const isShown = schemas.some((schema) => schemasAt(contract, schema, pointer).length > 0)
  if (!isShown) report(at, `${by} uses no such record, since it shows no ${pointer}; correct it.`)
}

/** The resource that an operation creates. */
function createdResource({ behaviour }: Context, operation: string): Resource | undefined {
  const resources = Object.values(behaviour.resources ?? {})
  return resources.find(({ operations }) => operations.create === operation)
}
