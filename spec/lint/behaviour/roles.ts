import { type Operation, pointerOf, readContract, schemasAt } from '@partner-payments/contract'
import { resolveNode } from '../operations.ts'
import type { Fault } from '../rule.ts'
import { didYouMean } from '../suggest.ts'
import type { Targets } from './expectations.ts'

/** Roles whose responses show the record. */
const SHOWING = new Set(['create', 'read', 'list', 'update'])

/**
 * Reports entries from which no table of operations can be made: an operation with two roles, two
 * with one name, records without a place, and permissions that differ from the responses. A role is
 * what an operation does with a resource, such as `create` or `list`.
 */
export function* roleFaults(targets: Targets): Iterable<Fault> {
  const { contract: document, behaviour } = targets
  const { operations } = readContract({ document, behaviour })
  yield* repeatedRoles(targets)
  yield* repeatedNames(targets, operations)
  yield* unknownRecordFields(targets)
  yield* recordsWithoutPlace(operations)
  yield* permissionFaults(targets)
  yield* lifetimeFaults(targets, operations)
}

interface DeclaredRole {
  readonly at: string
  readonly id: string
}

/**
 * The ids of all operations that resources and actions of spec/behaviour name, each with the
 * pointer of its role: `{ at: '/resources/webhook/operations/create', id: 'createWebhook' }`.
 */
function declaredRoles({ behaviour }: Targets): DeclaredRole[] {
  const roles: DeclaredRole[] = []
  for (const section of ['resources', 'actions'] as const) {
    for (const [name, { operations }] of Object.entries(behaviour[section] ?? {})) {
      const at = `/${section}/${name}/operations`
      for (const [role, id] of Object.entries(operations))
        roles.push({ at: pointerOf(at, role), id })
    }
  }
  return roles
}

/** Reports operations with two roles, and roles whose operation the contract does not have. */
function* repeatedRoles(targets: Targets): Iterable<Fault> {
  const firstPlaces = new Map<string, string>()
  for (const { at, id } of declaredRoles(targets)) {
    if (!targets.operations.has(id)) yield { at, message: unknownOperation(targets, id) }

    const firstPlace = firstPlaces.get(id)
    if (firstPlace === undefined) {
      firstPlaces.set(id, at)
      continue
    }
    const message = `${id} has another role at ${firstPlace}; an operation has one, so remove it.`
    yield { at, message }
  }
}

/**
 * Reports two operations that would be the same method of a client, by tag and name, such as
 * `transfers.create`.
 */
function* repeatedNames({ behaviour }: Targets, operations: readonly Operation[]): Iterable<Fault> {
  const lastIds = new Map<string, string>()
  for (const { id, tag, name, resource } of operations) {
    const call = `${tag}.${name}`
    const earlierId = lastIds.get(call)
    lastIds.set(call, id)
    if (earlierId === undefined) continue

    const isOfResource = resource !== undefined && behaviour.resources?.[resource] !== undefined
    // An action has its entry elsewhere: then the fault is of spec/behaviour as a whole.
    const at = isOfResource ? `/resources/${resource}` : ''
    // The `variant` of a resource becomes a part of the names: `createDueDate`.
    const message = `${earlierId} and ${id} are both called ${call}; give each resource a "variant", such as DueDate.`
    yield { at, message }
  }
}

/**
 * Reports fields of `records` that the contract does not have. It says where a response has the
 * record: with `records: { Transfer: '/data' }`, a `Transfer` has it in its field `data`.
 */
function* unknownRecordFields({ contract, behaviour }: Targets): Iterable<Fault> {
  for (const [name, { records = {} }] of Object.entries(behaviour.resources ?? {})) {
    for (const [schema, pointer] of Object.entries(records)) {
      const node = resolveNode(contract, { $ref: `#/components/schemas/${schema}` })
      const hasField = schemasAt(contract, node, pointer).length > 0
      if (hasField) continue
      const message = `The contract has no schema "${schema}" with the field ${pointer}; correct one of them.`
      yield { at: `/resources/${name}/records/${schema}`, message }
    }
  }
}

/**
 * Reports operations whose response should show a record, such as a creation, if nobody knows where:
 * the response has no id of the record, and `records` of the resource says nothing.
 */
function* recordsWithoutPlace(operations: readonly Operation[]): Iterable<Fault> {
  for (const { id, role, resource, record, success } of operations) {
    const shouldShowRecord = resource !== undefined && SHOWING.has(role)
    if (!shouldShowRecord || !success.body) continue

    const isPlaceKnown = record !== undefined
    if (isPlaceKnown) continue
    const message = `The response of ${id} has no id of the record; say in "records" where ${success.body.name} has it.`
    yield { at: `/resources/${resource}/operations/${role}`, message }
  }
}

/**
 * Reports ids in paths that no response gives to the caller, such as the `webhook_id` of
 * `getWebhook` if neither a creation, a list nor a link shows it. The place of such a fault is in the
 * contract, not in spec/behaviour.
 */
export function* unknownIds({ contract: document, behaviour }: Targets): Iterable<Fault> {
  const { operations } = readContract({ document, behaviour })
  // `origins`: the operations whose responses give values to this one, with these values.
  for (const { id, pointer, parameters, origins } of operations) {
    const shownNames = origins.flatMap(({ values }) => values.map(({ name }) => name))
    for (const { in: place, name } of parameters) {
      if (place !== 'path' || shownNames.includes(name)) continue
      const message = `Nothing shows where the ${name} of ${id} comes from; add a link to ${id} to the response that shows it, with "parameters: { ${name}: $response.body#/… }".`
      yield { at: pointerOf(pointer, 'operationId'), message }
    }
  }
}

/**
 * Reports permissions whose list of operations is wrong. With
 * `{ operations: ['listUsers'], refusal: 'wrong_token_kind' }`, `listUsers` must show that error code
 * in its responses, and no other operation may.
 */
function* permissionFaults(targets: Targets): Iterable<Fault> {
  const { operations, behaviour } = targets
  for (const [name, permission] of Object.entries(behaviour.permissions ?? {})) {
    const at = `/permissions/${name}/operations`
    for (const { id, refusals } of operations.values()) {
      const isListed = permission.operations.includes(id)
      const showsCode = refusals.some(({ code }) => code === permission.refusal)
      if (isListed && !showsCode) {
        const message = `No error response of ${id} shows the code "${permission.refusal}"; remove it here.`
        yield { at, message }
      }
      if (showsCode && !isListed) {
        const message = `${id} shows the code "${permission.refusal}", but is not listed; add it.`
        yield { at, message }
      }
    }
    for (const [index, id] of permission.operations.entries())
      if (!operations.has(id))
        yield { at: `${at}/${index}`, message: unknownOperation(targets, id) }
  }
}

/**
 * Reports the refusal of a lifetime if an operation that takes a token does not declare it. A
 * lifetime says when a token ends, and with which error code operations refuse it then.
 */
function* lifetimeFaults(targets: Targets, operations: readonly Operation[]): Iterable<Fault> {
  const takingTokens = operations.filter(({ scheme }) => scheme === 'bearer')
  for (const [name, { refusal }] of Object.entries(targets.behaviour.lifetimes ?? {})) {
    const withoutRefusal = takingTokens.find(({ id }) => !hasRefusal(targets, id, refusal))
    if (!withoutRefusal) continue
    yield {
      at: `/lifetimes/${name}/refusal`,
      message: `No error response of ${withoutRefusal.id} shows the code "${refusal}"; name the code of every operation that takes a token.`,
    }
  }
}

function hasRefusal({ operations }: Targets, id: string, refusal: string): boolean {
  const refusals = operations.get(id)?.refusals ?? []
  return refusals.some(({ code }) => code === refusal)
}

function unknownOperation({ operations }: Targets, id: string): string {
  return `The contract has no operation "${id}"${didYouMean(id, operations.keys(), '; correct it.')}`
}
