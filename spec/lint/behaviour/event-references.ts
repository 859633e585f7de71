import { pointerOf, schemasAt } from '@partner-payments/contract'
import type { Behaviour, Resource, Subscription } from '../../dist/behaviour.d.ts'
import { didYouMean } from '../suggest.ts'
import { entries, enumValues } from './entries.ts'
import { type Context, expectNamed, expectPlace } from './expectations.ts'

type Event = NonNullable<Behaviour['events']>[string]

/**
 * Reports an event that is no webhook of the contract, that names a resource which does not exist,
 * or that no transition of its resources causes.
 *
 * @param name The name of the event, such as `transfer.settled`.
 */
export function checkEvent(context: Context, { resource }: Event, name: string): void {
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
  // If a transition misspells an event, which is reported there, no transition seems to have it.
  if (!hasUnknownEvent(context)) checkEmitters(context, resource, name, `${at}/resource`)
}

/**
 * Reports resources that an event lists although none of their transitions causes it, and resources
 * that it does not list although one does.
 *
 * @param listed The names of the resources that the event lists.
 */
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
  return listEvents(resource).includes(event)
}

function hasUnknownEvent({ behaviour }: Context): boolean {
  const resources = Object.values(behaviour.resources ?? {})
  return resources.flatMap(listEvents).some((event) => !(event in (behaviour.events ?? {})))
}

/** The events of all transitions. */
function listEvents({ states }: Resource): string[] {
  const transitions = Object.values(states ?? {}).flatMap(({ on }) => Object.values(on ?? {}))
  return transitions.flatMap(({ events }) => events ?? [])
}

/**
 * Reports fields of a webhook subscription that the contract does not have. The subscription says
 * which resource gets deliveries, and where its URL, type and secret are: `{ resource: 'webhook',
 * url: '/url', secret: '/secret', … }`. Its URL and type are in requests, the secret in the response
 * of the creation.
 */
export function checkSubscription(context: Context, subscription: Subscription): void {
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

/**
 * Reports subscribers of events that are no type of webhook: an event with
 * `subscribers: [all, transfer]` goes to webhooks of these two types.
 *
 * @param place The field whose enum lists the types, such as `createWebhook#/type`.
 */
function checkSubscribers(
  { contract, operations, behaviour, report }: Context,
  place: string,
): void {
  const [id = '', pointer = ''] = place.split('#')
  const types = schemasAt(contract, operations.get(id)?.request, pointer).flatMap(enumValues)
  for (const [name, { subscribers }] of entries(behaviour.events)) {
    const at = `${pointerOf('/events', name)}/subscribers`
    for (const [index, type] of subscribers.entries()) {
      if (types.includes(type)) continue
      const next = didYouMean(type, types, `; it is one of ${types.join(', ')}.`)
      report(`${at}/${index}`, `"${type}" is not a value of ${place}${next}`)
    }
  }
}
