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

/** Checks what a resource names: its operations, fields, refusals and states. */
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
  expectRefusal(context, String(resource.operations.create), resource.most?.refusal, `${at}/most`)

  for (const name of resource.initial ?? [])
    expectNamed(context, 'state', resource.states, name, `${at}/initial`)
  checkStatuses(context, resource, schemas, `${at}/states`)

  for (const [name, { on }] of entries(resource.states))
    for (const [action, transition] of entries(on)) {
      const place = `${at}/states/${name}/on/${action}`
      checkTransition(context, resource, action, transition, place)
      checkRecordInRequest(context, transition.by, schemas, `${place}/by`)
    }
}

/**
 * The schemas of a record: those of the operations that return one, and the items of its list.
 */
function recordSchemas(
  { contract, operations, behaviour }: Context,
  { operations: roles }: Resource,
): Node[] {
  const { create, read, update, cancel, list } = roles
  const responses = [create, read, update, cancel].map((id) => operations.get(id ?? '')?.response)
  const schemas = responses.filter(isNode)

  const items = list && behaviour.lists?.[list]?.items
  if (!items) return schemas
  const itemSchemas = schemasAt(contract, operations.get(list)?.response, `${items}/0`)
  return [...schemas, ...itemSchemas]
}

/** The fields of a record that the resource names. */
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

/** The listed operations show the secret fields, and no other of the resource does. */
function checkShownOnce(context: Context, resource: Resource, at: string): void {
  const { shownOnce } = resource
  if (!shownOnce) return
  for (const [position, pointer] of shownOnce.fields.entries()) {
    for (const [index, id] of shownOnce.by.entries())
      expectPlace(context, `${id}#${pointer}`, `${at}/by/${index}`, 'response')

    const others = Object.values(resource.operations).filter((id) => !shownOnce.by.includes(id))
    const showing = others.find((id) => showsField(context, id, pointer))
    if (showing)
      context.report(
        `${at}/fields/${position}`,
        `${showing} shows ${pointer}, too; list it in "by", or leave the field out of it.`,
      )
  }
}

function showsField({ contract, operations }: Context, id: string, pointer: string): boolean {
  return schemasAt(contract, operations.get(id)?.response, pointer).length > 0
}

/** A unique value is a field of the creation, which declares its refusal. */
function checkUnique(context: Context, { operations, unique }: Resource, at: string): void {
  const create = String(operations.create)
  for (const [pointer, { refusal }] of entries(unique)) {
    expectPlace(context, `${create}#${pointer}`, at, 'request')
    expectRefusal(context, create, refusal, pointerOf(at, pointer))
  }
}

/** The states that are not hidden are the values of the status field. */
function checkStatuses(
  { contract, report }: Context,
  { status, states }: Resource,
  schemas: readonly Node[],
  at: string,
): void {
  if (!status) return

  const fields = schemas.flatMap((schema) => schemasAt(contract, schema, status))
  const values = new Set(fields.flatMap(enumValues))
  const visible = entries(states)
    .filter(([, { hidden }]) => !hidden)
    .map(([name]) => name)
  if (values.size === 0) {
    if (visible.length > 0)
      report(at, `The field ${status} has no enum; name the field whose values are the states.`)
    return
  }

  const unknown = visible.filter((name) => !values.has(name))
  for (const name of unknown) {
    const next = didYouMean(name, values, '; add it to the enum, or hide the state.')
    report(`${at}/${name}`, `No status of the contract is "${name}"${next}`)
  }

  // The status of a misspelt state has no state, too.
  if (unknown.length > 0) return
  for (const value of values)
    if (!visible.includes(value)) report(at, `The status "${value}" has no state; add it.`)
}

/** A transition leads to a state, has events, and is caused by a request or by what `by` says. */
function checkTransition(
  context: Context,
  resource: Resource,
  action: string,
  transition: Transition,
  at: string,
): void {
  const { behaviour, report } = context
  const { to, refusal, events = [], by, after } = transition
  expectNamed(context, 'state', resource.states, to, `${at}/to`)
  for (const [index, event] of events.entries())
    expectNamed(context, 'event', behaviour.events, event, `${at}/events/${index}`)

  // `by` names a field of a request, or says in words what acts.
  const requestField = by?.includes('#') ? by : undefined
  expectPlace(context, requestField, `${at}/by`, 'request')

  const operation = requestField ? readOperationId(requestField) : resource.operations[action]
  const created = operation ? createdResource(context, operation) : undefined
  if (after && !created)
    report(`${at}/after`, `No resource is created by "${operation}"; remove "after".`)
  if (created) expectNamed(context, 'state', created.states, after, `${at}/after`)

  const isInWords = by && !requestField
  if (refusal && isInWords)
    report(`${at}/by`, `"${by}" gets no response; name in "by" the request that is refused.`)

  if (operation) {
    expectRefusal(context, operation, refusal, `${at}/refusal`)
    return
  }
  if (by) return

  const actions = Object.keys(resource.operations)
  const next = didYouMean(action, actions, '; add it to "operations", or say in "by" what acts.')
  report(at, `"${action}" is not an operation of the resource${next}`)
}

/** A request that uses a record names it by a field that the record shows. */
function checkRecordInRequest(
  { contract, report }: Context,
  by: string | undefined,
  schemas: readonly Node[],
  at: string,
): void {
  const [, pointer] = by?.split('#') ?? []
  if (pointer === undefined) return
  const isShown = schemas.some((schema) => schemasAt(contract, schema, pointer).length > 0)
  if (!isShown) report(at, `${by} uses no such record, since it shows no ${pointer}; correct it.`)
}

/** The resource that an operation creates. */
function createdResource({ behaviour }: Context, operation: string): Resource | undefined {
  const resources = Object.values(behaviour.resources ?? {})
  return resources.find(({ operations }) => operations.create === operation)
}
