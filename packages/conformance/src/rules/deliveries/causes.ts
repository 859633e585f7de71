import type { Resource, Transition } from '@partner-payments/spec/behaviour'
import type { Context } from '../../engine/context.ts'
import { type Node, valueAt } from '../../model/document.ts'
import { type Exchange, type Identity, isSuccess } from '../../model/exchange.ts'
import { createdBy, declaredResources, recordIdIn, recordIn } from '../common/declared-resources.ts'
import { actOn, requestWithRecords } from '../common/record-requests.ts'

/** A change of a record that an event reports. */
export interface Occurrence {
  /** The request that caused it. */
  readonly exchange: Exchange
  readonly resource: Resource
  readonly id: string
  /** The events that may report it, by the state that the record then has. */
  readonly events: Readonly<Record<string, string>>
  /** The record as the last response showed it, and whether that was after the change. */
  readonly shown: Node
  readonly isAfter: boolean
  /** Another record and the state that it must have before the change happens. */
  readonly only?: { readonly of: string; readonly state: string }
  /** Repeats the request, if that changes nothing. */
  readonly again?: () => Promise<Exchange | undefined>
}

/** A way to cause events. Its name is the same in every run. */
export interface Cause {
  readonly name: string
  readonly identity: Identity
  /** Whether the request uses a record that was created before. */
  readonly usesRecord: boolean
  /** Returns no occurrences if the service refuses the request. */
  readonly run: () => Promise<readonly Occurrence[]>
}

/** Every way to cause events that spec/behaviour declares, those without records first. */
export function causesOf(context: Context): readonly Cause[] {
  const resources = declaredResources(context).filter(({ operations: { create = '' } }) =>
    context.contract.has(create),
  )
  const creations = resources.flatMap((it) => creationsOf(context, it))
  const actions = resources.flatMap((it) => actionsOf(context, it))
  // A creation may move money: on a live service it comes last.
  const all = context.target === 'live' ? [...actions, ...creations] : [...creations, ...actions]
  return all.toSorted((a, b) => Number(a.usesRecord) - Number(b.usesRecord))
}

/** Causes one event, in the first way that works. */
export async function causeOne(
  context: Context,
  identity: Identity = 'partner',
): Promise<Occurrence | undefined> {
  for (const cause of causesOf(context)) {
    if (cause.identity !== identity) continue
    const [first] = await cause.run()
    if (first) return first
  }
  return undefined
}

type Change = readonly [action: string, transition: Transition]

function changesIn({ states = {} }: Resource, names = Object.keys(states)): Change[] {
  return names.flatMap((name) => Object.entries(states[name]?.on ?? {}))
}

/** Creations that lead to later changes by the service, for each example and each identity. */
function creationsOf(context: Context, resource: Resource): Cause[] {
  const changes = changesIn(resource).filter(([, { by, event }]) => by === 'service' && event)
  const view = context.contract.operation(resource.operations.create ?? '')
  const used = declaredResources(context).flatMap((it) => changesIn(it).flatMap(([, { by = '' }]) => by))
  const fields = used.flatMap((by) => (by.startsWith(`${view.id}#`) ? by.slice(view.id.length + 1) : []))
  const events = eventsOf(changes)
  if (changes.length === 0) return []
  return (['partner', 'customer', 'other'] as const).filter(context.identities.has).flatMap((identity) =>
    (view.examples.length > 0 ? view.examples : [undefined]).map((example, index) => ({
      name: `${view.id} ${view.exampleNames[index] ?? ''} ${identity}`,
      identity,
      usesRecord: fields.some((field) => valueAt(example, field) !== undefined),
      run: () => create(context, { resource, events, identity, example: index }),
    })),
  )
}

function eventsOf(changes: readonly Change[]): Occurrence['events'] {
  return Object.fromEntries(changes.flatMap(([, { to, event }]) => (to && event ? [[to, event]] : [])))
}

interface Creation {
  readonly resource: Resource
  readonly events: Occurrence['events']
  readonly identity: Identity
  readonly example: number
}

async function create(context: Context, it: Creation): Promise<Occurrence[]> {
  const view = context.contract.operation(it.resource.operations.create ?? '')
  const request = await requestWithRecords(context, view, it)
  const exchange = request && (await context.send(view, request.input, { identity: it.identity }))
  const id = exchange && recordIdIn(exchange.body, it.resource)
  if (!exchange || !isSuccess(exchange) || id === undefined) return []
  const { resource, events } = it
  const own = { exchange, resource, id, events, shown: recordIn(exchange.body, resource), isAfter: false }
  return [own, ...request.records.flatMap((record) => usedRecord(context, record, own))]
}

/** The change of a record that the request has used. */
function usedRecord(context: Context, created: Exchange, { exchange, id: of }: Occurrence): Occurrence[] {
  const resource = createdBy(context, created.view?.id)
  const id = resource && recordIdIn(created.body, resource)
  if (!resource || id === undefined) return []
  return changesIn(resource, resource.initial).flatMap(([, { by = '', to = '', event, after: state }]) => {
    if (!by.startsWith(`${exchange.view?.id}#`) || !event) return []
    const shown = recordIn(created.body, resource)
    return [
      {
        exchange,
        resource,
        id,
        events: { [to]: event },
        shown,
        isAfter: false,
        ...(state && { only: { of, state } }),
      },
    ]
  })
}

/** Operations on a new record that an event reports. */
function actionsOf(context: Context, resource: Resource): Cause[] {
  return changesIn(resource, resource.initial).flatMap(([action, change]) => {
    const operation = resource.operations[action]
    if (!operation || !change.event) return []
    const run = () => act(context, { resource, action, change })
    return [{ name: operation, identity: 'partner' as const, usesRecord: false, run }]
  })
}

interface Action {
  readonly resource: Resource
  readonly action: string
  readonly change: Transition
}

async function act(context: Context, { resource, action, change }: Action): Promise<Occurrence[]> {
  const created = await context.accepted(resource.operations.create ?? '')
  const once = () => actOn(context, created as Exchange, resource.operations[action])
  const exchange = created && (await once())
  const id = created && recordIdIn(created.body, resource)
  if (!exchange || !isSuccess(exchange) || id === undefined) return []
  const next = resource.states?.[change.to ?? '']?.on?.[action]
  const isIdle = next?.to === change.to && next?.event === undefined
  // The response may not contain the record.
  const shown = recordIdIn(exchange.body, resource) === id ? recordIn(exchange.body, resource) : {}
  const events = eventsOf([[action, change]])
  return [{ exchange, resource, id, events, shown, isAfter: true, ...(isIdle && { again: once }) }]
}
