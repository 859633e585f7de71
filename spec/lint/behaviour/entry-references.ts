import { pointerOf, schemasAt } from '@partner-payments/contract'
import type {
  Behaviour,
  Lifetime,
  List,
  OneTimeValue,
  Resource,
  Subscription,
  Transition,
} from '../../dist/behaviour.d.ts'
import { isNode, type Node } from '../marks.ts'
import { resolved } from '../operations.ts'
import { patternError } from '../pattern.ts'
import type { Fault } from '../rule.ts'
import { didYouMean } from '../suggest.ts'
import {
  type Context,
  expectEnumValue,
  expectField,
  expectFormValue,
  expectNamed,
  expectOperation,
  expectPlace,
  expectRefusal,
  expectShown,
  expectType,
  type Targets,
} from './expectations.ts'

type Copy = NonNullable<Behaviour['copies']>[string]
type Invariant = NonNullable<Behaviour['invariants']>[string]
type Event = NonNullable<Behaviour['events']>[string]

/** Checks that everything that a behaviour entry refers to exists in the contract. */
export function referenceFaults(targets: Targets): Fault[] {
  // What several entries name and nothing declares is one mistake.
  const faults = new Map<string, Fault>()
  const context: Context = {
    ...targets,
    report: (at, message) => {
      if (!faults.has(message)) faults.set(message, { at, message })
    },
  }
  const { behaviour } = targets

  for (const [id, list] of entries(behaviour.lists)) checkList(context, list, id)
  // Without the items of a list, the fields of its records are missing, too.
  if (faults.size > 0) return [...faults.values()]

  for (const [name, resource] of entries(behaviour.resources))
    checkResource(context, resource, `/resources/${name}`)

  for (const [code] of entries(behaviour.refusals)) expectShown(context, code, `/refusals/${code}`)

  for (const [name, value] of entries(behaviour.oneTimeValues))
    checkOneTimeValue(context, value, `/oneTimeValues/${name}`)

  for (const [name, lifetime] of entries(behaviour.lifetimes))
    checkLifetime(context, lifetime, `/lifetimes/${name}`)

  for (const [name, { refusal }] of entries(behaviour.permissions))
    expectNamed(context, 'refusal', behaviour.refusals, refusal, `/permissions/${name}/refusal`)

  for (const [name, copy] of entries(behaviour.copies)) checkCopy(context, copy, `/copies/${name}`)

  for (const [name, invariant] of entries(behaviour.invariants))
    checkInvariant(context, invariant, `/invariants/${name}`)

  for (const [name, event] of entries(behaviour.events)) checkEvent(context, event, name)

  const subscription = behaviour.deliveries?.subscription
  if (subscription) checkSubscription(context, subscription)

  return [...faults.values()]
}

function checkResource(context: Context, resource: Resource, at: string): void {
  for (const [role, id] of entries(resource.operations))
    expectOperation(context, id, `${at}/operations/${role}`)

  const shown = shownBy(context, resource)
  for (const [step, pointer] of recordFields(resource))
    expectField(context, shown, pointer, `${at}${step}`)
  for (const [pointer, { value }] of entries(resource.defaults))
    expectType(context, shown, { pointer, value }, pointerOf(`${at}/defaults`, pointer))

  checkShownOnce(context, resource, `${at}/shownOnce`)
  checkUnique(context, resource, `${at}/unique`)
  expectRefusal(context, String(resource.operations.create), resource.most?.refusal, `${at}/most`)
  for (const name of resource.initial ?? [])
    expectNamed(context, 'state', resource.states, name, `${at}/initial`)
  checkStatuses(context, resource, shown, `${at}/states`)

  for (const [name, { on }] of entries(resource.states))
    for (const [action, transition] of entries(on)) {
      const place = `${at}/states/${name}/on/${action}`
      checkTransition(context, resource, action, transition, place)
      checkUse(context, transition.by, shown, `${place}/by`)
    }
}

/**
 * The schemas of a record: those of the operations that return one, and the items of its list.
 */
function shownBy(
  { contract, operations, behaviour }: Context,
  { operations: roles }: Resource,
): Node[] {
  const { create, read, update, cancel, list } = roles
  const responses = [create, read, update, cancel].map((id) => operations.get(id ?? '')?.response)
  const records = responses.filter(isNode)

  const items = list && behaviour.lists?.[list]?.items
  if (!items) return records
  const listed = schemasAt(contract, operations.get(list)?.response, `${items}/0`)
  return [...records, ...listed]
}

/** A field, and the step below the entry to where it is named. */
type NamedField = readonly [step: string, pointer: string | undefined]

/** The fields of a record that the resource names. */
function recordFields({ id, status, touched, volatile, defaults }: Resource): NamedField[] {
  return [
    ['/id', id],
    ['/status', status],
    ['/touched/created', touched?.created],
    ['/touched/updated', touched?.updated],
    ['/touched/revision', touched?.revision],
    ...listed('/volatile', volatile),
    ...keyed('/defaults', defaults),
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

function checkUnique(context: Context, { operations, unique }: Resource, at: string): void {
  const create = String(operations.create)
  for (const [pointer, { refusal }] of entries(unique)) {
    expectPlace(context, `${create}#${pointer}`, at, 'request')
    expectRefusal(context, create, refusal, pointerOf(at, pointer))
  }
}

/** The visible states are the values of the status field. */
function checkStatuses(
  { contract, report }: Context,
  { status, states }: Resource,
  shown: readonly Node[],
  at: string,
): void {
  if (!status) return
  const declared = shown.flatMap((schema) => schemasAt(contract, schema, status))
  const values = new Set(declared.flatMap(enumOf))
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

function enumOf(schema: Node): string[] {
  return Array.isArray(schema.enum) ? schema.enum.map(String) : []
}

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
  const place = by?.includes('#') ? by : undefined
  expectPlace(context, place, `${at}/by`, 'request')

  const operation = place ? operationIn(place) : resource.operations[action]
  const created = operation ? createdBy(context, operation) : undefined
  if (after && !created)
    report(`${at}/after`, `No resource is created by "${operation}"; remove "after".`)
  if (created) expectNamed(context, 'state', created.states, after, `${at}/after`)

  if (refusal && by && !place)
    report(`${at}/by`, `"${by}" gets no response; name in "by" the request that is refused.`)

  const actions = Object.keys(resource.operations)
  if (operation) expectRefusal(context, operation, refusal, `${at}/refusal`)
  else if (!by)
    report(
      at,
      `"${action}" is not an operation of the resource${didYouMean(action, actions, '; add it to "operations", or say in "by" what acts.')}`,
    )
}

/** A place that uses a record has a value that the record shows. */
function checkUse(
  { contract, report }: Context,
  by: string | undefined,
  shown: readonly Node[],
  at: string,
): void {
  const [, pointer] = by?.split('#') ?? []
  if (pointer === undefined) return
  const isShown = shown.some((schema) => schemasAt(contract, schema, pointer).length > 0)
  if (!isShown) report(at, `${by} uses no such record, since it shows no ${pointer}; correct it.`)
}

function createdBy({ behaviour }: Context, operation: string): Resource | undefined {
  const resources = Object.values(behaviour.resources ?? {})
  return resources.find(({ operations }) => operations.create === operation)
}

function checkOneTimeValue(context: Context, value: OneTimeValue, at: string): void {
  for (const [index, place] of value.from.entries())
    expectPlace(context, place, `${at}/from/${index}`, 'response')
  expectPlace(context, value.to, `${at}/to`, 'request')

  for (const key of ['used', 'expired', 'unissued', 'unbound'] as const)
    expectRefusal(context, operationIn(value.to), value[key]?.refusal, `${at}/${key}/refusal`)

  // A field of both requests. Whether the caller is the same follows from the token.
  for (const [index, bound] of (value.boundTo ?? []).entries()) {
    if (bound === 'caller') continue
    const place = `${at}/boundTo/${index}`
    for (const from of value.from)
      expectPlace(context, `${operationIn(from)}#${bound}`, place, 'request')
    expectPlace(context, `${operationIn(value.to)}#${bound}`, place, 'request')
  }
}

function checkLifetime(context: Context, { of: places, expires }: Lifetime, at: string): void {
  for (const [index, place] of places.entries()) {
    expectPlace(context, place, `${at}/of/${index}`, 'response')
    const end = `${operationIn(place)}#${expires.field}`
    expectPlace(context, end, `${at}/of/${index}`, 'response')
  }
}

function checkList(context: Context, { items, pages, filters }: List, id: string): void {
  const at = `/lists/${id}`
  expectPlace(context, `${id}#${items}`, `${at}/items`, 'response')
  if (pages) expectPlace(context, `${id}#${pages.next}`, `${at}/pages/next`, 'response')

  const parameters = context.operations.get(id)?.parameters ?? []
  const declared = [
    { name: pages?.cursor, place: `${at}/pages/cursor` },
    { name: pages?.limit, place: `${at}/pages/limit` },
    ...Object.keys(filters ?? {}).map((name) => ({ name, place: `${at}/filters/${name}` })),
  ]
  for (const { name, place } of declared) {
    if (!name || parameters.includes(name)) continue
    const next = didYouMean(name, parameters, '; add it to the operation.')
    context.report(place, `${id} has no parameter "${name}"${next}`)
  }

  // Otherwise a parameter would do nothing.
  const names = declared.map(({ name }) => name)
  for (const name of parameters) {
    if (names.includes(name) || names.some((known) => !parameters.includes(known ?? name))) continue
    const message = `No filter has the parameter "${name}" of ${id}; add it to "filters".`
    context.report(`${at}/filters`, message)
  }

  for (const [name, { field }] of entries(filters))
    expectPlace(context, `${id}#${items}/0${field}`, `${at}/filters/${name}`, 'response')
}

function checkCopy(context: Context, copy: Copy, at: string): void {
  const { to, sent, fields, always } = copy
  checkCopiedValues(context, copy, at)
  checkCopied(context, copy, 'request', sent, `${at}/sent`)
  checkCopied(context, copy, 'response', fields, `${at}/fields`)
  for (const target of Object.keys(always ?? {}))
    expectPlace(context, `${to}#${target}`, pointerOf(`${at}/always`, target), 'response')
}

/** The values that a copy names are values of its fields. */
function checkCopiedValues(context: Context, copy: Copy, at: string): void {
  const { from, to, sent, fields, values, always } = copy
  const { operations } = context
  const target = [operations.get(to)?.response]
  const sources = from.map((id) => operations.get(id))
  const sides = [
    { pairs: sent, schemas: sources.map((view) => view?.request) },
    { pairs: fields, schemas: sources.map((view) => view?.response) },
  ]
  for (const { pairs, schemas } of sides)
    for (const [source, pointer] of entries(pairs))
      for (const [before, after] of entries(values)) {
        const place = pointerOf(`${at}/values`, before)
        expectEnumValue(context, schemas, { pointer: source, value: before }, place)
        expectEnumValue(context, target, { pointer, value: after }, place)
      }
  for (const [pointer, value] of entries(always))
    expectEnumValue(context, target, { pointer, value }, pointerOf(`${at}/always`, pointer))
}

/** Each field of one side of `from` has a field in the response of `to`. */
function checkCopied(
  context: Context,
  { from, to }: Copy,
  side: 'request' | 'response',
  pointers: Readonly<Record<string, string>> | undefined,
  at: string,
): void {
  for (const [source, target] of entries(pointers)) {
    const place = pointerOf(at, source)
    for (const id of from) expectPlace(context, `${id}#${source}`, place, side)
    expectPlace(context, `${to}#${target}`, place, 'response')
  }
}

function checkInvariant(context: Context, invariant: Invariant, at: string): void {
  const { contract, report } = context
  const pointers = pointersOf(invariant)
  for (const [index, name] of invariant.of.entries()) {
    const schema = resolved(contract, { $ref: `#/components/schemas/${name}` })
    if (Object.keys(schema).length === 0) {
      const names = Object.keys((contract.components as Record<string, Node>).schemas ?? {})
      const next = didYouMean(name, names, '; correct it.')
      report(`${at}/of/${index}`, `The contract has no schema "${name}"${next}`)
      continue
    }
    for (const [step, pointer] of pointers) expectField(context, [schema], pointer, `${at}${step}`)
    checkInvariantValues(context, schema, invariant, at)
  }
}

/** The values and patterns that an invariant names. */
function checkInvariantValues(
  context: Context,
  schema: Node,
  { filledWhen, formOf }: Invariant,
  at: string,
): void {
  for (const [pointer, values] of entries(filledWhen?.is))
    for (const [index, value] of (values as readonly unknown[]).entries()) {
      const place = `${pointerOf(`${at}/filledWhen/is`, pointer)}/${index}`
      expectEnumValue(context, [schema], { pointer, value }, place)
    }

  for (const [value, pattern] of entries(formOf?.forms)) {
    const place = pointerOf(`${at}/formOf/forms`, value)
    expectFormValue(context, schema, { pointer: formOf?.field ?? '', value }, place)
    const error = patternError(pattern)
    if (error)
      context.report(place, `"${pattern}" is not a regular expression (${error}); correct it.`)
  }
}

/** The fields that an invariant compares, each with where it names it. */
function pointersOf(invariant: Invariant): NamedField[] {
  const { sum, filledWhen, formOf, named, equal, notBefore, unique, sameFor } = invariant
  return [
    ...listed('/equal', equal),
    ...listed('/notBefore', notBefore),
    ...listed('/unique', unique),
    ['/sameFor/value', sameFor?.value],
    ...listed('/sameFor/fields', sameFor?.fields),
    ['/sum/total', sum?.total],
    ...listed('/sum/plus', sum?.plus),
    ...listed('/sum/minus', sum?.minus),
    ['/formOf/field', formOf?.field],
    ['/formOf/of', formOf?.of],
    ['/filledWhen/field', filledWhen?.field],
    ...keyed('/filledWhen/is', filledWhen?.is),
    ...entries(named?.fields).map(
      ([name, pointer]): NamedField => [pointerOf('/named/fields', name), pointer],
    ),
  ]
}

function listed(step: string, pointers: readonly string[] = []): NamedField[] {
  return pointers.map((pointer, index) => [`${step}/${index}`, pointer])
}

/** The keys of an object that are pointers. */
function keyed(step: string, record: object = {}): NamedField[] {
  return Object.keys(record).map((pointer) => [pointerOf(step, pointer), pointer])
}

function checkEvent(context: Context, { resource }: Event, name: string): void {
  const { contract, behaviour, report } = context
  const at = pointerOf('/events', name)
  const webhooks = Object.keys(contract.webhooks ?? {})
  if (!webhooks.includes(name)) {
    const next = didYouMean(
      name,
      webhooks,
      '; add it to "webhooks" of openapi.yaml, or remove the event.',
    )
    report(at, `The contract has no webhook "${name}"${next}`)
  }
  for (const [index, id] of resource.entries())
    expectNamed(context, 'resource', behaviour.resources, id, `${at}/resource/${index}`)
  // A misspelt event of a transition is reported there.
  if (!hasUnknownEvent(context)) checkEmitters(context, resource, name, `${at}/resource`)
}

/** An event lists the resources of the transitions that it follows, and no other. */
function checkEmitters(
  { behaviour, report }: Context,
  listed: readonly string[],
  event: string,
  at: string,
): void {
  for (const [id, resource] of entries(behaviour.resources)) {
    const isListed = listed.includes(id)
    if (isListed && !hasEvent(resource, event))
      report(at, `No transition of ${id} has the event "${event}"; add it to one, or remove ${id}.`)
    if (!isListed && hasEvent(resource, event))
      report(at, `A transition of ${id} has the event "${event}"; add ${id} here.`)
  }
}

function hasEvent(resource: Resource, event: string): boolean {
  return eventsOf(resource).includes(event)
}

function hasUnknownEvent({ behaviour }: Context): boolean {
  const resources = Object.values(behaviour.resources ?? {})
  return resources.flatMap(eventsOf).some((event) => !(event in (behaviour.events ?? {})))
}

/** The events of all transitions. */
function eventsOf({ states }: Resource): string[] {
  const transitions = Object.values(states ?? {}).flatMap(({ on }) => Object.values(on ?? {}))
  return transitions.flatMap(({ events }) => events ?? [])
}

/**
 * The fields of a subscription are in its requests, except the secret, which is in the response
 * of its creation.
 */
function checkSubscription(context: Context, subscription: Subscription): void {
  const at = '/deliveries/subscription'
  const { resources } = context.behaviour
  expectNamed(context, 'resource', resources, subscription.resource, at)
  const resource = resources?.[subscription.resource]
  if (!resource) return

  const { create, update } = resource.operations
  expectPlace(context, `${create}#${subscription.secret}`, at, 'response')
  for (const id of [create, update]) {
    expectPlace(context, `${id}#${subscription.url}`, at, 'request')
    expectPlace(context, `${id}#${subscription.type.field}`, at, 'request')
  }
  expectNamed(context, 'state', resource.states, subscription.receives.state, `${at}/receives`)
  checkSubscribers(context, `${create}#${subscription.type.field}`)
}

/** The subscribers of each event are values of the field that says which events to receive. */
function checkSubscribers(
  { contract, operations, behaviour, report }: Context,
  place: string,
): void {
  const [id = '', pointer = ''] = place.split('#')
  const types = schemasAt(contract, operations.get(id)?.request, pointer).flatMap(enumOf)
  for (const [name, { subscribers }] of entries(behaviour.events)) {
    const at = `${pointerOf('/events', name)}/subscribers`
    for (const [index, type] of subscribers.entries()) {
      if (types.includes(type)) continue
      const next = didYouMean(type, types, `; it is one of ${types.join(', ')}.`)
      report(`${at}/${index}`, `"${type}" is not a value of ${place}${next}`)
    }
  }
}

/** The operation of a place, or of an id alone. */
function operationIn(place: string): string {
  return place.replace(/#.*/, '')
}

function entries<Value>(
  record: Readonly<Record<string, Value>> | undefined,
): [name: string, value: Value][] {
  return Object.entries(record ?? {})
}
