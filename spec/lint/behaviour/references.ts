import { pointerOf } from '@partner-payments/text'
import type { Behaviour, Resource, Transition } from '../../dist/behaviour.d.ts'
import { isNode, type Node } from '../marks.ts'
import { resolved } from '../operations.ts'
import type { Fault } from '../rule.ts'
import { type OperationView, schemasAt } from './contract-view.ts'

export interface Known {
  readonly contract: Node
  readonly operations: ReadonlyMap<string, OperationView>
  readonly behaviour: Behaviour
}

/** An entry of a section. */
type EntryOf<Section extends Exclude<keyof Behaviour, 'conventions' | 'deliveries'>> = NonNullable<
  Behaviour[Section]
>[string]

type Side = 'request' | 'response'

/** Checks that everything that a behaviour entry refers to exists in the contract. */
export function referenceFaults({ contract, operations, behaviour }: Known): Fault[] {
  const faults: Fault[] = []
  const fault = (at: string, message: string) => void faults.push({ at, message })
  const { resources = {}, refusals = {}, events = {}, lists, deliveries } = behaviour
  for (const [name, it] of entries(resources)) checkResource(it, `/resources/${name}`)
  for (const [code] of entries(refusals)) expectShown(code, `/refusals/${code}`)
  for (const [name, it] of entries(behaviour.oneTimeValues))
    checkOneTime(it, `/oneTimeValues/${name}`)
  for (const [name, { of, seconds }] of entries(behaviour.lifetimes))
    for (const [i, place] of of.entries())
      for (const it of [place, seconds && `${operationIn(place)}#${seconds}`])
        expectPlace(it, `/lifetimes/${name}/of/${i}`, 'response')
  for (const [id, it] of entries(lists)) checkList(it, id)
  for (const [name, it] of entries(behaviour.permissions))
    expectNamed('refusal', refusals, it.refusal, `/permissions/${name}/refusal`)
  for (const [name, it] of entries(behaviour.copies)) checkCopy(it, `/copies/${name}`)
  for (const [name, it] of entries(behaviour.invariants)) checkInvariant(it, `/invariants/${name}`)
  for (const [name, it] of entries(events)) checkEvent(it, name)
  if (deliveries?.subscription) checkSubscription(deliveries.subscription)
  return faults

  function checkOneTime(it: EntryOf<'oneTimeValues'>, at: string) {
    for (const [i, place] of it.from.entries()) expectPlace(place, `${at}/from/${i}`, 'response')
    expectPlace(it.to, `${at}/to`, 'request')
    for (const key of ['used', 'expired', 'unissued', 'unbound'] as const)
      expectRefusal(operationIn(it.to), it[key]?.refusal, `${at}/${key}/refusal`)
  }

  function checkList({ items, pages, filters }: EntryOf<'lists'>, id: string) {
    const at = `/lists/${id}`
    expectPlace(`${id}#${items}`, `${at}/items`, 'response')
    expectPlace(pages && `${id}#${pages.next}`, `${at}/pages/next`, 'response')
    for (const name of [pages?.cursor, pages?.limit, ...Object.keys(filters ?? {})])
      if (name && !operations.get(id)?.parameters.includes(name))
        fault(at, `${id} has no parameter "${name}"`)
    for (const [name, { field }] of entries(filters))
      expectPlace(`${id}#${items}/0${field}`, `${at}/filters/${name}`, 'response')
  }

  function checkCopy({ from, to, fields, sent, always }: EntryOf<'copies'>, at: string) {
    const repeated = { sent: ['request', sent], fields: ['response', fields] } as const
    for (const [name, [side, pointers]] of entries(repeated))
      for (const [source, target] of entries(pointers)) {
        const where = pointerOf(`${at}/${name}`, source)
        for (const id of from) expectPlace(`${id}#${source}`, where, side)
        expectPlace(`${to}#${target}`, where, 'response')
      }
    for (const target of Object.keys(always ?? {}))
      expectPlace(`${to}#${target}`, pointerOf(`${at}/always`, target), 'response')
  }

  function checkEvent({ resource }: EntryOf<'events'>, name: string) {
    const at = pointerOf('/events', name)
    if (!(name in (contract.webhooks as Node))) fault(at, `The contract has no webhook "${name}"`)
    for (const [i, it] of resource.entries())
      expectNamed('resource', resources, it, `${at}/resource/${i}`)
  }

  /**
   * The fields of a subscription are in its requests, except the secret, which is in the response
   * of its creation.
   */
  function checkSubscription(
    it: NonNullable<NonNullable<Behaviour['deliveries']>['subscription']>,
  ) {
    const at = '/deliveries/subscription'
    expectNamed('resource', resources, it.resource, at)
    const resource = resources[it.resource]
    if (!resource) return
    const { create, update } = resource.operations
    expectPlace(`${create}#${it.secret}`, at, 'response')
    for (const id of [create, update])
      for (const pointer of [it.url, it.type.field]) expectPlace(`${id}#${pointer}`, at, 'request')
    expectNamed('state', resource.states, it.receives.state, `${at}/receives`)
  }

  function checkResource(it: Resource, at: string) {
    for (const [role, id] of entries(it.operations)) expectOperation(id, `${at}/operations/${role}`)
    const shown = shownBy(it)
    const { created, updated, revision } = it.touched ?? {}
    const fields = [it.id, it.status, created, updated, revision, ...(it.volatile ?? [])]
    for (const pointer of [...fields, ...Object.keys(it.defaults ?? {})])
      expectField(shown, pointer, at)
    for (const pointer of it.shownOnce?.fields ?? [])
      for (const [i, id] of (it.shownOnce?.by ?? []).entries())
        expectPlace(`${id}#${pointer}`, `${at}/shownOnce/by/${i}`, 'response')
    const create = String(it.operations.create)
    for (const [pointer, { refusal }] of entries(it.unique)) {
      expectPlace(`${create}#${pointer}`, `${at}/unique`, 'request')
      expectRefusal(create, refusal, pointerOf(`${at}/unique`, pointer))
    }
    for (const name of it.initial ?? []) expectNamed('state', it.states, name, `${at}/initial`)
    checkStatuses(it, shown, `${at}/states`)
    for (const [name, { on }] of entries(it.states))
      for (const [action, transition] of entries(on))
        checkTransition(it, action, transition, `${at}/states/${name}/on/${action}`)
  }

  /** The visible states are the values of the status field. */
  function checkStatuses({ status, states }: Resource, shown: readonly Node[], at: string) {
    const declared = shown.flatMap((schema) => (status ? schemasAt(contract, schema, status) : []))
    const values = new Set(
      declared.flatMap((it) => (Array.isArray(it.enum) ? it.enum.map(String) : [])),
    )
    if (values.size === 0) return
    const visible = entries(states).flatMap(([name, { hidden }]) => (hidden ? [] : [name]))
    for (const value of values)
      if (!visible.includes(value)) fault(at, `The status "${value}" has no state`)
    for (const name of visible)
      if (!values.has(name)) fault(`${at}/${name}`, `No status of the contract is "${name}"`)
  }

  function checkTransition(it: Resource, action: string, transition: Transition, at: string) {
    const { to, refusal, event, by, after } = transition
    const place = by?.includes('#') ? by : undefined
    const operation = place ? operationIn(place) : it.operations[action]
    expectNamed('state', it.states, to, at)
    expectNamed('event', events, event, at)
    expectPlace(place, at, 'request')
    const created = Object.values(resources).find(
      (it) => operation && it.operations.create === operation,
    )
    if (after && !created) fault(at, `No resource is created by "${operation}"`)
    if (created) expectNamed('state', created.states, after, at)
    if (!by && !operation)
      fault(at, `"${action}" is not an operation of the resource and has no "by"`)
    if (operation) expectRefusal(operation, refusal, at)
  }

  function checkInvariant(it: EntryOf<'invariants'>, at: string) {
    const { sum, filledWhen, formOf, named, equal = [], notBefore = [], unique = [], by } = it
    const pointers = [
      ...[...equal, ...notBefore, ...unique, by],
      ...(sum ? [sum.total, ...sum.plus, ...sum.minus] : []),
      ...[formOf?.field, formOf?.of, filledWhen?.field, ...Object.keys(filledWhen?.is ?? {})],
      ...Object.values(named?.fields ?? {}),
    ]
    for (const name of it.of) {
      const schema = resolved(contract, { $ref: `#/components/schemas/${name}` })
      if (Object.keys(schema).length === 0)
        fault(`${at}/of`, `The contract has no schema "${name}"`)
      else for (const pointer of pointers) expectField([schema], pointer, at)
    }
  }

  /**
   * The schemas of a record: those of the operations that return one, and the items of its list.
   */
  function shownBy({ operations: { create, read, update, cancel, list } }: Resource): Node[] {
    const whole = [create, read, update, cancel].map((id) => operations.get(id ?? '')?.response)
    const items = list && lists?.[list]?.items
    const listed = items ? schemasAt(contract, operations.get(list)?.response, `${items}/0`) : []
    return [...whole.filter(isNode), ...listed]
  }

  function expectNamed(
    kind: string,
    all: object | undefined,
    name: string | undefined,
    at: string,
  ) {
    if (name && !(name in (all ?? {}))) fault(at, `No ${kind} is named "${name}"`)
  }

  function expectField(schemas: readonly Node[], pointer: string | undefined, at: string) {
    if (!pointer || schemas.some((schema) => schemasAt(contract, schema, pointer).length > 0))
      return
    fault(at, `The contract shows no field ${pointer}`)
  }

  function expectPlace(place: string | undefined, at: string, side: Side) {
    if (!place) return
    const [id = '', pointer = ''] = place.split('#')
    expectOperation(id, at)
    const view = operations.get(id)
    if (view && schemasAt(contract, view[side], pointer).length === 0)
      fault(at, `The ${side} of ${id} has no field ${pointer}`)
  }

  function expectOperation(id: string, at: string) {
    if (!operations.has(id)) fault(at, `The contract has no operation "${id}"`)
  }

  /** The operation declares the refusal. */
  function expectRefusal(id: string, code: string | undefined, at: string) {
    if (!code) return
    expectNamed('refusal', refusals, code, at)
    const view = operations.get(id)
    if (view && !view.refusals.some((it) => it.code === code))
      fault(at, `No error response of ${id} shows the code "${code}"`)
  }

  /** The contract has an example of each code in the catalogue. */
  function expectShown(code: string, at: string) {
    const isShown = [...operations.values()].some((view) =>
      view.refusals.some((it) => it.code === code),
    )
    if (!isShown) fault(at, `No error response of the contract shows the code "${code}"`)
  }
}

function operationIn(place: string): string {
  return place.replace(/#.*/, '')
}

function entries<T>(record: Readonly<Record<string, T>> | undefined): [string, T][] {
  return Object.entries(record ?? {})
}
