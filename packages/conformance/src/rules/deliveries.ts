import { fieldsOf, isSameValue, leavesOf, stringAt, valueAt } from '../contract/json.ts'
import { fieldName, type Kind } from '../contract/kinds.ts'
import {
  type Arrival,
  type Change,
  eventsOf,
  type KnownWebhook,
  type WebhookVersion,
} from '../model/deliveries.ts'
import { sureValue } from '../model/records.ts'
import type { Model } from '../model.ts'
import type { Cites, Report } from '../report/report.ts'
import {
  arrivalOf,
  deliveryPatience,
  isServingAfter,
  isSubscribed,
  versionsBetween,
  webhookAt,
} from './delivered.ts'
import { cited, type Rule } from './rule.ts'

export const deliveriesSent: Rule = {
  id: 'deliveries-sent',
  says: 'Each event is delivered to each webhook that is subscribed to it.',
  advice: 'Write the event in the transaction that changes the record, for the webhooks of its owner.',
  settles: ['event-kinds/'],
  end(model, report) {
    const { changes, webhooks } = model.deliveries
    const patience = deliveryPatience(model)
    for (const change of changes)
      for (const webhook of webhooks.filter((it) => isSubscribed(it, change, model))) {
        const arrived = arrivalOf(change, webhook, model)
        if (arrived) report.passed(arrived.delivery, eventCites(change.events, model))
        else if (isMissing(change, webhook, { model, patience })) reportMissing(change, model, report)
      }
  },
}

/** Whether no delivery arrived in its time, although the service has delivered what happened after it. */
function isMissing(change: Change, webhook: KnownWebhook, { model, patience }: Waited): boolean {
  const { deliveries } = model
  const until = change.exchange.completeAt + patience
  const isKept = versionsBetween(webhook, change.exchange.sentAt, until).length === 1
  if (!deliveries.isWhole || !isKept || until > deliveries.lastAt || !hasHappened(change, model)) return false
  return isServingAfter(until, model) || deliveries.arrivals.length === 0
}

interface Waited {
  readonly model: Model
  readonly patience: number
}

/** Whether the record that a change depends on has reached its state, according to its own event. */
function hasHappened({ after }: Change, { deliveries }: Model): boolean {
  return (
    !after || deliveries.arrivals.some(({ record, event }) => record === after.id && event === after.event)
  )
}

function reportMissing(change: Change, model: Model, report: Report): void {
  const { exchange, events, id, kind } = change
  const { deliveries, contract } = model
  const isElsewhere = deliveries.arrivals.some(({ delivery }) => delivery.text.includes(id))
  const { subscription } = contract.behaviour.deliveries ?? {}
  const cites = isElsewhere ? cited(subscription?.type) : eventCites(events, model)
  const by = exchange.by?.customer === undefined ? '' : ' of a customer'
  const cause = `${exchange.operation?.id}${by}`
  const message = `A webhook that subscribes to ${events.join(' and ')} received no event after ${cause} of a ${kind.name}.`
  report.failed(exchange, cites, message, {
    ...AT,
    about: `${cause} ${kind.name} ${events[0]}`,
    impact: 'high',
  })
}

export const deliveriesOnce: Rule = {
  id: 'deliveries-once',
  says: 'A change is reported by one event with an id of its own, in every attempt.',
  advice: 'Create the webhook-id when the event is written, and keep it for all attempts and webhooks.',
  end(model, report) {
    const subjects = new Map<string, string>()
    const messages = new Map<string, string>()
    const { events = {}, deliveries } = model.contract.behaviour
    for (const { delivery, event = '', record, message } of model.deliveries.arrivals) {
      if (record === undefined || message === undefined || !events[event]) continue
      const subject = `${event} ${record}`
      const place = `${subject} ${delivery.url}`
      const isOther = (subjects.get(message) ?? subject) !== subject
      const isTwice =
        (messages.get(place) ?? message) !== message && webhookAt(delivery.url, model) !== undefined
      subjects.set(message, subjects.get(message) ?? subject)
      messages.set(place, messages.get(place) ?? message)
      const twice = `A webhook received two events ${event} with different ids about one record.`
      const other = 'Two events have the same webhook-id; expected an id for each event.'
      if (isTwice) report.failed(delivery, cited(events[event]), twice, { ...AT, about: `twice ${event}` })
      else report.passed(delivery, cited(events[event]))
      if (isOther) report.failed(delivery, cited(deliveries?.signature), other, { ...AT, about: 'own id' })
    }
  },
}

export const deliveriesSubscribed: Rule = {
  id: 'deliveries-subscribed',
  says: 'A webhook receives the events of its type at its URL, while it is active, and no event of another partner.',
  advice: 'Select the webhooks of an event by owner, type and state when it happens, and read the URL then.',
  settles: ['webhook-types/'],
  end(model, report) {
    for (const arrival of model.deliveries.arrivals) {
      const webhook = webhookAt(arrival.delivery.url, model)
      if (webhook) judgeReceipt(arrival, webhook, { model, report })
    }
  },
}

interface Reading {
  readonly model: Model
  readonly report: Report
}

function judgeReceipt(arrival: Arrival, webhook: KnownWebhook, { model, report }: Reading): void {
  const { event = '', record, delivery, at } = arrival
  const { events = {}, deliveries, resources = {} } = model.contract.behaviour
  const changes = model.deliveries.changesOf(record)
  const [first] = changes
  if (!events[event] || !first || !webhook.isSure) return
  const versions = versionsBetween(webhook, first.exchange.sentAt, at)
  const [last] = versions.slice(-1)
  const isFitting = versions.some((it) => receiptFault(it, arrival, model) === undefined)
  const fault = isFitting || !last ? undefined : receiptFault(last, arrival, model)
  const foreign = 'A webhook receives the events of another partner.'
  const owners = cited(resources.webhook?.ownership)
  const message = `A webhook that ${fault?.words} received ${event}; expected none.`
  const place = { operation: last?.by.operation?.id, about: fault?.words ?? '', impact: 'high' } as const
  if (!changes.some(({ partner }) => partner === webhook.partner))
    report.failed(delivery, owners, foreign, { ...AT, about: 'owner', impact: 'critical' })
  else if (fault) report.failed(delivery, fault.cites, message, place)
  else if (last) report.passed(delivery, cited(deliveries?.subscription.type))
}

/** Why a webhook that is set like this must not receive an event; undefined if it may. */
function receiptFault(
  { state, url, type }: WebhookVersion,
  { event = '', delivery }: Arrival,
  { contract }: Model,
): { readonly cites: Cites; readonly words: string } | undefined {
  const { events = {}, deliveries, resources = {} } = contract.behaviour
  const receives = deliveries?.subscription.receives
  const deletion = resources.webhook?.states?.[receives?.state ?? '']?.on?.delete
  if (state === 'deleted') return { cites: cited(deletion), words: 'was deleted' }
  if (state !== receives?.state) return { cites: cited(receives), words: `is ${state}` }
  if (url !== delivery.url) return { cites: cited(deliveries), words: 'has another URL now' }
  if (type === undefined || events[event]?.subscribers.includes(type)) return undefined
  return { cites: cited(deliveries?.subscription.type), words: `does not subscribe to ${event}` }
}

export const deliveriesShaped: Rule = {
  id: 'deliveries-shaped',
  says: 'Every delivery matches the schema of its event.',
  advice: 'Show a record in events by the function that shows it in responses.',
  end(model, report) {
    for (const { delivery, body, event = '', record } of model.deliveries.arrivals) {
      const { events = {} } = model.contract.behaviour
      const { headers } = delivery
      // The document states nothing of the payload.
      const source = eventCites([event], model)
      const found = model.contract.deliveryDifferences({ name: event, headers, body })
      const known = kindsOfEvent(event, model).flatMap((kind) => model.records.find(kind, record ?? '') ?? [])
      for (const { question, contract, pointer, keyword, message } of found) {
        const [, name = ''] = /^\/data\/(.+)$/.exec(pointer) ?? []
        // What an event leaves out of its record is a question about events.
        const isLeftOut =
          fieldsOf(fieldsOf(body).data)[name] === undefined && known.some((it) => it.fields.has(name))
        const isAboutEvents = contract === '/webhooks' || isLeftOut || events[event] === undefined
        const cites = question === undefined || isAboutEvents ? source : { question }
        const about = `${events[event] ? event : 'unknown'} ${contract} ${keyword}`
        report.failed(delivery, cites, `A delivery of ${event}${pointer}: ${message}.`, { ...AT, about })
      }
      if (found.length === 0) report.passed(delivery, source)
    }
  },
}

export const deliveriesShown: Rule = {
  id: 'deliveries-shown',
  says: 'An event is named after the change, and shows the record and the times as they are then.',
  advice: 'Build the event from the record, in the transaction that changes it.',
  end(model, report) {
    for (const arrival of model.deliveries.arrivals) {
      const { event = '', record = '', delivery } = arrival
      if (model.deliveries.changesOf(record).length === 0 || !model.contract.behaviour.events?.[event])
        continue
      const cites = eventCites([event], model)
      const faults = kindsOfEvent(event, model).flatMap((kind) =>
        model.records.find(kind, record) ? faultsOf(arrival, kind, model) : [],
      )
      for (const fault of faults) {
        const about = `${event} ${fault.split(';', 1)[0]}`
        report.failed(delivery, cites, `The event ${event} ${fault}.`, { ...AT, about, impact: 'high' })
      }
      if (faults.length === 0) report.passed(delivery, cites)
    }
  },
}

function faultsOf(arrival: Arrival, kind: Kind, model: Model): string[] {
  return [nameFault(arrival, kind, model), recordFault(arrival, kind, model), timeFault(arrival)].flatMap(
    (it) => it ?? [],
  )
}

function nameFault(
  { event = '', record, body }: Arrival,
  kind: Kind,
  { deliveries }: Model,
): string | undefined {
  const expected = deliveries.changesOf(record).flatMap(({ events }) => events)
  if (!expected.includes(event)) return `follows no such change; expected ${expected.join(' or ')}`
  const { states = {}, status = '' } = kind.resource
  const state = stringAt(fieldsOf(body).data, status) ?? ''
  const isOther = states[state] !== undefined && !eventsOf(kind, state).includes(event)
  return isOther ? `shows a record that is ${state}` : undefined
}

/** The first field with another value than the record has. What changes by itself, or had no value yet, is not compared. */
function recordFault(
  { record = '', body, event: name = '', delivery: { headers } }: Arrival,
  kind: Kind,
  model: Model,
): string | undefined {
  const known = model.records.find(kind, record)
  const { volatile = [], status = '' } = kind.resource
  const changing = [status, ...volatile].map(fieldName)
  const fields = [...(known?.fields.keys() ?? [])].filter((it) => !changing.includes(it))
  const shown = Object.fromEntries(fields.map((it) => [it, known && sureValue(known, it)]))
  const { operation, status: created = 0 } = known?.created ?? {}
  const place = kind.places[operation?.id ?? ''] ?? ''
  const isDeclared = (pointer: string) =>
    operation !== undefined && model.contract.field(operation, created, `${place}${pointer}`) !== undefined
  const misshaped = model.contract.deliveryDifferences({ name, headers, body }).map((it) => it.pointer)
  const found = leavesOf(shown).find(([pointer, value]) => {
    const other = valueAt(fieldsOf(body).data, pointer)
    return isOther(value, other) && isDeclared(pointer) && !misshaped.includes(`/data${pointer}`)
  })
  const lost = fields.find((it) => isObject(shown[it]) && fieldsOf(fieldsOf(body).data)[it] === null)
  const field = found?.[0].slice(1) ?? lost
  return field && `shows another ${field} than the record has`
}

/** Words that services show in place of a value that is absent. */
const ABSENT = /^(-+|n\/a|none|nil|null|0001-01-01t00:00:00z)?$/i

function isOther(value: unknown, other: unknown): boolean {
  const isThere = other !== undefined && value !== undefined && value !== null
  return isThere && !ABSENT.test(String(value)) && !isObject(value) && !isSameValue(value, other)
}

function isObject(value: unknown): boolean {
  return typeof value === 'object' && value !== null
}

/** Milliseconds by which times of one service may differ. */
const NEAR = 60_000

/** All times are by the clock of the service. */
function timeFault({ body, event, attemptedAt }: Arrival): string | undefined {
  const data = fieldsOf(fieldsOf(body).data)
  const [moment, created, settled] = [fieldsOf(body).timestamp, data.created_at, data.settled_at].map((it) =>
    Date.parse(String(it ?? '')),
  ) as [number, number, number]
  const isOutside = (it: number, until: number) => it < created - NEAR || it > until + NEAR
  if (isOutside(moment, attemptedAt)) return 'shows another time than that of the change'
  if (!ABSENT.test(String(data.settled_at)) && isOutside(settled, moment))
    return 'shows another settled_at than that of the change'
  const { settled_at, rejection_message } = data
  if (event === 'transfer.settled' && settled_at === '') return 'shows no settled_at'
  return event === 'transfer.rejected' && rejection_message === '' ? 'shows no rejection_message' : undefined
}

function kindsOfEvent(event: string, { kinds, contract }: Model): Kind[] {
  const names = contract.behaviour.events?.[event]?.resource ?? []
  return kinds.filter(({ name }) => names.includes(name))
}

/** What says which events there are, also for one that is not declared. */
function eventCites(names: readonly string[], { contract }: Model): Cites {
  const { events = {} } = contract.behaviour
  return cited(...names.map((it) => events[it]), ...Object.values(events))
}

/** Findings about deliveries name the operation that registers webhooks. */
const AT = { operation: 'createWebhook' }
