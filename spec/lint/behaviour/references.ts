/** Checks that everything that a behaviour entry refers to exists in the contract. */
import type { Behaviour, Resource, Transition } from '../../dist/behaviour.d.ts'
import { isNode, type Node } from '../marks.ts'
import { escaped } from '../pointer.ts'
import { type OperationView, resolved, schemasAt } from './contract-view.ts'

/** A problem and its location within the merged behaviour. */
export interface Fault {
  readonly at: string
  readonly message: string
}

export interface Known {
  readonly contract: Node
  readonly operations: ReadonlyMap<string, OperationView>
  readonly behaviour: Behaviour
}

/** The problems of all entries by section. */
export function referenceFaults(known: Known): Fault[] {
  return [...faultsOf(known)]
}

function* faultsOf(known: Known): Generator<Fault> {
  const { resources, oneTimeValues, lifetimes, lists, permissions, copies, invariants, events } =
    known.behaviour
  for (const [name, it] of entries(resources)) yield* resourceFaults(known, it, `/resources/${name}`)
  for (const [code] of entries(known.behaviour.refusals)) yield* declared(known, code, `/refusals/${code}`)
  for (const [name, it] of entries(oneTimeValues)) yield* oneTimeFaults(known, it, `/oneTimeValues/${name}`)
  for (const [name, it] of entries(lifetimes)) yield* lifetimeFaults(known, it, `/lifetimes/${name}/of`)
  for (const [id, it] of entries(lists)) yield* listFaults(known, it, id)
  for (const [name, { refusal }] of entries(permissions))
    yield* codeFaults(known, refusal, `/permissions/${name}/refusal`)
  for (const [name, it] of entries(copies)) yield* copyFaults(known, it, `/copies/${name}`)
  for (const [name, it] of entries(invariants)) yield* invariantFaults(known, it, `/invariants/${name}`)
  for (const [name, it] of entries(events)) yield* eventFaults(known, it, name)
  yield* subscriptionFaults(known)
}

/** An entry of a section. */
type EntryOf<Section extends Exclude<keyof Behaviour, 'conventions' | 'deliveries'>> = NonNullable<
  Behaviour[Section]
>[string]

function* oneTimeFaults(known: Known, it: EntryOf<'oneTimeValues'>, at: string): Generator<Fault> {
  yield* each(it.from, `${at}/from`, (place, where) => placeFaults(known, place, where, 'response'))
  yield* placeFaults(known, it.to, `${at}/to`, 'request')
  const [operation = ''] = it.to.split('#')
  for (const key of ['used', 'expired', 'unissued', 'unbound'] as const) {
    const refused = it[key]
    if (refused) yield* refusalFaults(known, operation, refused.refusal, `${at}/${key}/refusal`)
  }
}

function* lifetimeFaults(known: Known, { of, seconds }: EntryOf<'lifetimes'>, at: string) {
  yield* each(of, at, function* (place, where) {
    yield* placeFaults(known, place, where, 'response')
    if (seconds) yield* placeFaults(known, `${place.split('#')[0]}#${seconds}`, where, 'response')
  })
}

function* listFaults(known: Known, { items, pages, filters }: EntryOf<'lists'>, id: string) {
  const at = `/lists/${id}`
  yield* placeFaults(known, `${id}#${items}`, `${at}/items`, 'response')
  if (pages) yield* placeFaults(known, `${id}#${pages.next}`, `${at}/pages/next`, 'response')
  const named = [pages?.cursor, pages?.limit, ...Object.keys(filters ?? {})]
  for (const name of named) if (name) yield* parameterFaults(known, id, name, at)
  for (const [name, { field }] of entries(filters))
    yield* placeFaults(known, `${id}#${items}/0${field}`, `${at}/filters/${name}`, 'response')
}

function* copyFaults(known: Known, { from, to, fields, sent, always }: EntryOf<'copies'>, at: string) {
  for (const [name, side, pointers] of [
    ['sent', 'request', sent],
    ['fields', 'response', fields],
  ] as const)
    for (const [source, target] of entries(pointers)) {
      const where = `${at}/${name}/${escaped(source)}`
      for (const id of from) yield* placeFaults(known, `${id}#${source}`, where, side)
      yield* placeFaults(known, `${to}#${target}`, where, 'response')
    }
  for (const target of Object.keys(always ?? {}))
    yield* placeFaults(known, `${to}#${target}`, `${at}/always/${escaped(target)}`, 'response')
}

function* eventFaults({ contract, behaviour }: Known, { resource }: EntryOf<'events'>, name: string) {
  const at = `/events/${escaped(name)}`
  if (!(name in (contract.webhooks as Node))) yield { at, message: `The contract has no webhook "${name}"` }
  yield* each(resource, `${at}/resource`, function* (it, where) {
    if (!(it in (behaviour.resources ?? {}))) yield { at: where, message: `No resource is named "${it}"` }
  })
}

/** The fields of a subscription are in its requests, except the secret, which is in the response of its creation. */
function* subscriptionFaults(known: Known): Generator<Fault> {
  const { subscription: it } = known.behaviour.deliveries ?? {}
  if (!it) return
  const at = '/deliveries/subscription'
  const resource = known.behaviour.resources?.[it.resource]
  if (!resource) return yield { at, message: `No resource is named "${it.resource}"` }
  const { create, update } = resource.operations
  yield* placeFaults(known, `${create}#${it.secret}`, at, 'response')
  for (const id of [create, update])
    for (const pointer of [it.url, it.type.field])
      yield* placeFaults(known, `${id}#${pointer}`, at, 'request')
  yield* stateNameFaults(resource, it.receives.state, `${at}/receives`)
}

function* resourceFaults(known: Known, it: Resource, at: string): Generator<Fault> {
  for (const [role, id] of entries(it.operations))
    yield* operationFaults(known, id, `${at}/operations/${role}`)
  const shown = shownBy(known, it)
  const { created, updated, revision } = it.touched ?? {}
  const pointers = [it.id, it.status, created, updated, revision, ...(it.volatile ?? [])]
  for (const pointer of pointers) if (pointer) yield* fieldFaults(known, shown, pointer, at)
  for (const pointer of Object.keys(it.defaults ?? {})) yield* fieldFaults(known, shown, pointer, at)
  for (const pointer of it.shownOnce?.fields ?? [])
    yield* each(it.shownOnce?.by ?? [], `${at}/shownOnce/by`, (id, where) =>
      placeFaults(known, `${id}#${pointer}`, where, 'response'),
    )
  for (const [pointer, { refusal }] of entries(it.unique)) {
    yield* placeFaults(known, `${it.operations.create}#${pointer}`, `${at}/unique`, 'request')
    yield* refusalFaults(known, String(it.operations.create), refusal, `${at}/unique/${escaped(pointer)}`)
  }
  yield* stateFaults(known, it, shown, at)
}

function* stateFaults(known: Known, it: Resource, shown: readonly Node[], at: string): Generator<Fault> {
  for (const name of it.initial ?? []) yield* stateNameFaults(it, name, `${at}/initial`)
  yield* statusFaults(known, it, shown, `${at}/states`)
  for (const [name, { on }] of entries(it.states))
    for (const [action, transition] of entries(on))
      yield* transitionFaults(known, it, action, transition, `${at}/states/${name}/on/${action}`)
}

/** The visible states are the values of the status field. */
function* statusFaults({ contract }: Known, it: Resource, shown: readonly Node[], at: string) {
  const values = it.status ? enumAt(contract, shown, it.status) : []
  if (values.length === 0) return
  const visible = entries(it.states).flatMap(([name, { hidden }]) => (hidden ? [] : [name]))
  for (const value of values)
    if (!visible.includes(value)) yield { at, message: `The status "${value}" has no state` }
  for (const name of visible)
    if (!values.includes(name))
      yield { at: `${at}/${name}`, message: `No status of the contract is "${name}"` }
}

function* transitionFaults(known: Known, it: Resource, action: string, transition: Transition, at: string) {
  const { to, refusal, event, by, after } = transition
  const place = by?.includes('#') ? by : undefined
  const operation = place ? place.split('#')[0] : it.operations[action]
  if (to) yield* stateNameFaults(it, to, at)
  if (event && !(event in (known.behaviour.events ?? {})))
    yield { at, message: `No event is named "${event}"` }
  if (place) yield* placeFaults(known, place, at, 'request')
  if (after) yield* createdStateFaults(known, operation, after, at)
  if (!by && !operation)
    yield { at, message: `"${action}" is not an operation of the resource and has no "by"` }
  if (refusal && operation) yield* refusalFaults(known, operation, refusal, at)
}

function* createdStateFaults({ behaviour }: Known, create: string | undefined, state: string, at: string) {
  const resource = Object.values(behaviour.resources ?? {}).find(
    ({ operations }) => operations.create === create,
  )
  if (resource) yield* stateNameFaults(resource, state, at)
  else yield { at, message: `No resource is created by "${create}"` }
}

function* stateNameFaults({ states = {} }: Resource, name: string, at: string): Generator<Fault> {
  if (!(name in states)) yield { at, message: `No state is named "${name}"` }
}

function* invariantFaults(
  known: Known,
  it: NonNullable<Behaviour['invariants']>[string],
  at: string,
): Generator<Fault> {
  const { sum, filledWhen, formOf, named, equal = [], notBefore = [], unique = [], by } = it
  const pointers = [
    ...equal,
    ...notBefore,
    ...unique,
    ...(by ? [by] : []),
    ...(sum ? [sum.total, ...sum.plus, ...sum.minus] : []),
    ...(formOf ? [formOf.field, formOf.of] : []),
    ...(filledWhen ? [filledWhen.field, ...Object.keys(filledWhen.is)] : []),
    ...Object.values(named?.fields ?? {}),
  ]
  for (const name of it.of) {
    const schema = resolved(known.contract, { $ref: `#/components/schemas/${name}` })
    if (Object.keys(schema).length === 0)
      yield { at: `${at}/of`, message: `The contract has no schema "${name}"` }
    else for (const pointer of pointers) yield* fieldFaults(known, [schema], pointer, at)
  }
}

/** The schemas of a record: those of the operations that return one, and the items of its list. */
function shownBy({ operations, behaviour, contract }: Known, it: Resource): Node[] {
  const { create, read, update, cancel, list } = it.operations
  const whole = [create, read, update, cancel].map((id) => operations.get(id ?? '')?.response)
  const items = list && behaviour.lists?.[list]?.items
  const listed = items ? schemasAt(contract, operations.get(list)?.response, `${items}/0`) : []
  return [...whole.filter(isNode), ...listed]
}

function enumAt(contract: Node, schemas: readonly Node[], pointer: string): string[] {
  const found = schemas.flatMap((schema) => schemasAt(contract, schema, pointer))
  return [...new Set(found.flatMap((it) => (Array.isArray(it.enum) ? it.enum.map(String) : [])))]
}

function* fieldFaults({ contract }: Known, schemas: readonly unknown[], pointer: string, at: string) {
  if (schemas.some((schema) => schemasAt(contract, schema, pointer).length > 0)) return
  yield { at, message: `The contract shows no field ${pointer}` }
}

function* placeFaults(
  known: Known,
  place: string,
  at: string,
  side: 'request' | 'response',
): Generator<Fault> {
  const [id = '', pointer = ''] = place.split('#')
  yield* operationFaults(known, id, at)
  const view = known.operations.get(id)
  if (view && schemasAt(known.contract, view[side], pointer).length === 0)
    yield { at, message: `The ${side} of ${id} has no field ${pointer}` }
}

function* operationFaults({ operations }: Known, id: string, at: string): Generator<Fault> {
  if (!operations.has(id)) yield { at, message: `The contract has no operation "${id}"` }
}

function* parameterFaults({ operations }: Known, id: string, name: string, at: string): Generator<Fault> {
  if (!operations.get(id)?.parameters.includes(name))
    yield { at, message: `${id} has no parameter "${name}"` }
}

/** Checks that the operation declares the refusal. */
function* refusalFaults(known: Known, id: string, code: string, at: string): Generator<Fault> {
  yield* codeFaults(known, code, at)
  const view = known.operations.get(id)
  if (view && !view.refusals.some((it) => it.code === code))
    yield { at, message: `No error response of ${id} shows the code "${code}"` }
}

function* codeFaults({ behaviour }: Known, code: string, at: string): Generator<Fault> {
  if (!(code in (behaviour.refusals ?? {}))) yield { at, message: `No refusal is named "${code}"` }
}

/** Checks that the contract has an example of each code in the catalogue. */
function* declared({ operations }: Known, code: string, at: string): Generator<Fault> {
  const isShown = [...operations.values()].some(({ refusals }) => refusals.some((it) => it.code === code))
  if (!isShown) yield { at, message: `No error response of the contract shows the code "${code}"` }
}

function* each<T>(
  items: readonly T[],
  at: string,
  check: (item: T, at: string) => Iterable<Fault>,
): Generator<Fault> {
  for (const [index, item] of items.entries()) yield* check(item, `${at}/${index}`)
}

function entries<T>(record: Readonly<Record<string, T>> | undefined): [string, T][] {
  return Object.entries(record ?? {})
}
