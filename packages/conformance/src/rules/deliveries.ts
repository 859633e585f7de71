import { isDeepStrictEqual } from 'node:util'
import { behaviour, findEntryPointer } from '../contract/behaviour.ts'
import { fieldsOf, findOnlyItem, listFirstLeaves, stringAt, valueAt } from '../contract/json.ts'
import { declaredKinds, findDeletion, listTransitions } from '../contract/kinds.ts'
import { INACTIVE, PENDING } from '../contract/words.ts'
import {
  type Arrival,
  type Change,
  isCreditEvent,
  type KnownWebhook,
  type WebhookVersion,
} from '../model/deliveries.ts'
import type { Exchange } from '../model/exchange.ts'
import type { Model } from '../model.ts'
import type { Cites, Report } from '../report/report.ts'
import { describeWord } from '../report/sightings.ts'
import { calculateTimeoutMs, findLastServedTime, hasHappened } from './delivery-times.ts'
import {
  cite,
  citeStatement,
  DELIVERY_OPERATION,
  type EndContext,
  type Rule,
  withArticle,
} from './rule.ts'
import {
  citeEvents,
  type ExpectedDelivery,
  findArrival,
  findVersionsBetween,
  isAboutChange,
  isSubscribed,
  isUnchangedBetween,
  listExpectedDeliveries,
  listReportedChanges,
} from './subscriptions.ts'

const { events, deliveries, resources } = behaviour
const { subscription } = deliveries

const deliveriesSent: Rule = {
  id: 'deliveries-sent',
  says: 'Each event is delivered to each webhook that is subscribed to it.',
  advice:
    'Write the event in the transaction that changes the record, for the webhooks of its owner.',
  settles: ['event-kinds/'],
  /**
   * Judges each delivery that a change of a record must cause: it arrived, which passes, or is certainly
   * missing. The end of the history decides that, since deliveries take time.
   */
  end(model, report) {
    const timeoutMs = calculateTimeoutMs(model)
    for (const expected of listExpectedDeliveries(model)) {
      const { change, arrived } = expected
      if (arrived) {
        report.passed(arrived.delivery, citeEvents(change.events))
        noteEventName(arrived, change, { model, report })
      } else if (isMissing(expected, timeoutMs, model)) {
        reportMissing(change, { model, report })
      }
    }
  },
}

/**
 * Notes the name that a service gives to a declared event, if it is another one: `pix.out.done` for
 * `transfer.settled`. An open question asks for the names, and the note is a possible answer.
 *
 * @param change The change of a record that the delivery reports.
 */
function noteEventName(arrival: Arrival, change: Change, { model, report }: EndContext): void {
  // `name` is what the service wrote. `event` is the declared name that the checker has learned for it, or else the same.
  const { event, name } = arrival
  const isUnnamed = event === ''
  if (isUnnamed) return

  const isDeclared = events[event] !== undefined
  if (isDeclared) {
    if (name !== event) noteName(event, name, report)
    return
  }

  const meantEvent = findMeantEvent(arrival, change, model)
  if (meantEvent !== undefined) noteName(meantEvent, event, report)
}

/** Notes that a service has a name of its own for a declared event. */
function noteName(declaredEvent: string, name: string, report: Report): void {
  const question = events[declaredEvent]?.question
  if (question === undefined) return

  const seen = describeWord(name)
  report.saw({ question, at: `behaviour#/events/${declaredEvent}`, of: 'name', seen })
}

/**
 * Finds the declared event that a delivery with an undeclared name means: the only event of the change whose
 * schema its body matches. If several match, such as `transfer.settled` and `transfer.rejected`, the only one
 * that leads to the status in the body. Undefined if none or several fit.
 */
function findMeantEvent(arrival: Arrival, change: Change, model: Model): string | undefined {
  const matching = change.events.filter((name) => matchesEvent(name, arrival, model))
  const onlyMatch = findOnlyItem(matching)
  if (onlyMatch !== undefined) return onlyMatch

  const status = stringAt(arrival.body, '/data/status')
  const ofStatus = matching.filter((name) => followsTransitionTo(name, status))
  return findOnlyItem(ofStatus)
}

/** Whether the body of a delivery matches the schema of an event, apart from the name of the event in it. */
function matchesEvent(name: string, { delivery, body }: Arrival, { contract }: Model): boolean {
  const named = { ...fieldsOf(body), type: name }
  const { headers } = delivery
  const differences = contract.listDeliveryDifferences({ name, headers, body: named })
  return differences.every(({ place }) => place !== 'body')
}

/**
 * Whether the contract declares that an event follows when a record gets a state: `transfer.settled` when a transfer
 * gets `settled`.
 */
function followsTransitionTo(event: string, state: string | undefined): boolean {
  const resourceNames = events[event]?.resource ?? []
  const kinds = declaredKinds.filter(({ name }) => resourceNames.includes(name))
  for (const transition of kinds.flatMap(listTransitions))
    if (transition.to === state && transition.events?.includes(event)) return true
  return false
}

/**
 * Whether an expected delivery that did not arrive is certainly missing, and not only late. False if the change
 * may not have happened, if the history ends before the delivery was due, if the webhook was changed meanwhile,
 * or if the service was too busy to deliver later events.
 */
function isMissing(
  { change, webhook }: ExpectedDelivery,
  timeoutMs: number,
  model: Model,
): boolean {
  const { exchange } = change
  const { arrivals, isWhole, lastAt } = model.deliveries
  // A delivery that the checker has forgotten may have arrived.
  if (!isWhole) return false
  if (!hasHappened(change, model)) return false

  // While balances show a pending transfer, its event may still come.
  const isPending = stringAt(exchange.responseBody, '/status') === PENDING
  if (isPending && model.ledger.isPending) return false

  const dueAt = exchange.completeAt + timeoutMs
  const isHistoryTooShort = lastAt < dueAt
  if (isHistoryTooShort) return false
  if (!isUnchangedBetween(webhook, exchange.sentAt, dueAt)) return false

  // A service that delivers, but nothing of later changes, may only be busy. One that never delivers is not.
  const hasNeverDelivered = arrivals.length === 0
  const hasDeliveredLater = findLastServedTime(model) >= dueAt
  return hasNeverDelivered || hasDeliveredLater
}

/** Reports a change of a record whose event did not reach a webhook that subscribes to it. */
function reportMissing(change: Change, { model, report }: EndContext): void {
  const { exchange, events: names, kind } = change
  const { arrivals } = model.deliveries
  // If another webhook got the event, there is one, and what is wrong is who receives it.
  const deliveredElsewhere = arrivals.find((arrival) => isAboutChange(arrival, change))
  const cites = deliveredElsewhere ? citeSubscribers(deliveredElsewhere.event) : citeEvents(names)

  const cause = describeCause(exchange)
  const message = `A webhook that subscribes to ${names.join(' and ')} received no event after ${cause} of ${withArticle(kind.name)}.`
  // A service that never sends the event of a credit gets one finding, whatever caused the credits.
  const about = isUnsentCreditEvent(names, arrivals)
    ? `no ${names[0]}`
    : `${cause} ${kind.name} ${names[0]}`
  report.failed(exchange, cites, message, {
    operation: DELIVERY_OPERATION,
    about,
    impact: 'high',
  })
}

/** Describes a request for a message: `createTransfer of a customer`. */
function describeCause({ operation, identity }: Exchange): string {
  const isOfCustomer = identity?.customer !== undefined
  return isOfCustomer ? `${operation?.id} of a customer` : `${operation?.id}`
}

/** Whether events are those of a credit, and the service has sent none of them at all. */
function isUnsentCreditEvent(names: readonly string[], arrivals: readonly Arrival[]): boolean {
  const isEverSent = arrivals.some(({ event }) => names.includes(event))
  return names.every(isCreditEvent) && !isEverSent
}

const deliveriesOnce: Rule = {
  id: 'deliveries-once',
  says: 'A change is reported by one event with an id of its own, in every attempt.',
  advice:
    'Create the webhook-id when the event is written, and keep it for all attempts and webhooks.',
  end(model, report) {
    const identified = listIdentifiedEvents(model)
    expectOneMessagePerEvent(identified, { model, report })
    reportSharedMessageIds(identified, report)
  },
}

/** An event of a record that arrived with the id of its message. */
interface IdentifiedEvent {
  readonly arrival: Arrival
  /** The id of its message, which stays the same in all attempts to deliver it. */
  readonly message: string
  /** The event and the id of its record, such as `transfer.settled tr_1`. */
  readonly subject: string
}

/** Lists the declared events that arrived with the id of a message and that of a record; no others. */
function listIdentifiedEvents({ deliveries: { arrivals } }: Model): IdentifiedEvent[] {
  const identified: IdentifiedEvent[] = []
  for (const arrival of arrivals) {
    const { event, record, message } = arrival
    if (record === '' || message === undefined || !events[event]) continue
    identified.push({ arrival, message, subject: `${event} ${record}` })
  }
  return identified
}

/**
 * Expects that a webhook gets an event of a record with one message id only: `transfer.settled` of `tr_1` with
 * `msg_1` in all attempts, and never also with `msg_2`.
 */
function expectOneMessagePerEvent(
  identified: readonly IdentifiedEvent[],
  { model, report }: EndContext,
): void {
  /** By event, record and URL: `transfer.settled tr_1 https://…`. */
  const firstEvents = new Map<string, IdentifiedEvent>()
  for (const current of identified) {
    const { delivery, event } = current.arrival
    const key = `${current.subject} ${delivery.url}`
    const first = firstEvents.get(key) ?? current
    firstEvents.set(key, first)
    // If two webhooks have the URL, each gets the event with an id of its own.
    const isOfOneWebhook = model.deliveries.findWebhookAt(delivery.url) !== undefined
    const isSentTwice = isOfOneWebhook && isOtherMessage(current, first)

    report.expect(
      !isSentTwice,
      {
        evidence: delivery,
        cites: cite(events[event]),
        operation: DELIVERY_OPERATION,
        about: `twice ${event}`,
        // A program that books by the id of the message books twice.
        impact: 'high',
      },
      () => `A webhook received two events ${event} with different ids about one record.`,
    )
  }
}

/** Whether two events of one name about one record are two messages. */
function isOtherMessage(one: IdentifiedEvent, other: IdentifiedEvent): boolean {
  if (one.message === other.message) return false
  if (one.arrival.hasDeclaredId) return true
  // A service may give two events one name of its own, such as that of the payer and that of the payee.
  return isDeepStrictEqual(valueAt(one.arrival.body, '/data'), valueAt(other.arrival.body, '/data'))
}

/**
 * Reports different events that arrive with one message id, such as `transfer.settled` of `tr_1` and of `tr_2`
 * with `msg_1`. The attempts to deliver one event may share it.
 */
function reportSharedMessageIds(identified: readonly IdentifiedEvent[], report: Report): void {
  const firstSubjects = new Map<string, string>()
  for (const { arrival, message, subject } of identified) {
    const firstSubject = rememberFirst(firstSubjects, message, subject)
    if (firstSubject === subject) continue

    const sentence = 'Two events have the same webhook-id; expected an id for each event.'
    report.failed(arrival.delivery, cite(deliveries.signature), sentence, {
      operation: DELIVERY_OPERATION,
      about: 'own id',
      // A program that books by the id of the message books the first one alone.
      impact: 'high',
    })
  }
}

/** Remembers the first value of a key. Returns that one, whether it is new or not. */
function rememberFirst(values: Map<string, string>, key: string, value: string): string {
  const first = values.get(key) ?? value
  values.set(key, first)
  return first
}

const deliveriesSubscribed: Rule = {
  id: 'deliveries-subscribed',
  says: 'A webhook receives the events of its type at its URL, while it is active, and no event of another partner.',
  advice:
    'Select the webhooks of an event by owner, type and state when it happens, and read the URL then.',
  settles: ['webhook-types/', 'webhook-statuses/inactive'],
  end(model, report) {
    for (const arrival of model.deliveries.arrivals) expectReceivable(arrival, model, report)
    reportInactiveSpared(model, report)
  },
}

/**
 * Reports as passed each change whose event an inactive webhook did not receive, and would have received while active.
 * A change counts only if its event had the time to arrive.
 */
function reportInactiveSpared(model: Model, report: Report): void {
  const { changes, webhooks } = model.deliveries
  // When the last change was requested whose delivery arrived. The events of earlier changes had the time too.
  const lastServedTime = findLastServedTime(model)
  for (const change of changes) {
    const mayBeOnItsWay = change.exchange.sentAt > lastServedTime
    if (mayBeOnItsWay) continue

    const isSpared = webhooks.some((webhook) => isSparedWhileInactive(webhook, change, model))
    if (isSpared) report.passed(change.exchange, citeStatement(subscription.receives, 'inactive'))
  }
}

/**
 * Expects that the webhook at the URL of a delivery may receive its event: it belongs to the partner of the
 * record, and was set to receive the event at some time between the change and the arrival.
 */
function expectReceivable(arrival: Arrival, model: Model, report: Report): void {
  const { event, record, delivery, at: arrivedAt } = arrival
  const webhook = model.deliveries.findWebhookAt(delivery.url)
  if (!webhook?.areSettingsKnown) return
  if (!events[event]) {
    reportOwnEventWhileSilent(arrival, webhook, { model, report })
    return
  }

  const changes = listReportedChanges(arrival, model)
  const [firstChange] = changes
  // Of an unknown record, nothing says who may receive its event.
  if (!firstChange) return

  const isOfPartner = changes.some(({ partner }) => partner === webhook.partner)
  if (!isOfPartner) {
    // An event that shows its record by another name may only mention this one.
    if (record !== '') reportEventOfOther(arrival, report)
    return
  }

  const versions = findVersionsBetween(webhook, firstChange.exchange.sentAt, arrivedAt)
  expectReceivableBySettings(arrival, versions, report)
}

/**
 * Reports an event that the contract does not have, such as `charge.removed`, if its webhook must receive nothing at all:
 * it was inactive or deleted all the time since the record was created that the event shows. Nothing else says who may
 * receive such an event.
 */
function reportOwnEventWhileSilent(
  arrival: Arrival,
  webhook: KnownWebhook,
  { model, report }: EndContext,
): void {
  const createdAt = findCreationOfShownRecord(arrival, model)
  if (createdAt === undefined) return

  const versions = findVersionsBetween(webhook, createdAt, arrival.at)
  const wasActive = versions.some(({ state }) => state === subscription.receives.state)
  if (!wasActive) expectReceivableBySettings(arrival, versions, report)
}

/**
 * Finds when the request was sent that created the record whose id a delivery shows, or the last of several such
 * records: the event cannot be older. Undefined if the history does not show such a creation.
 */
function findCreationOfShownRecord({ received }: Arrival, model: Model): number | undefined {
  let lastCreatedAt: number | undefined
  const isText = (value: unknown) => typeof value === 'string'
  for (const [, id] of listFirstLeaves(received, MAX_SHOWN_TEXTS, isText)) {
    for (const kind of declaredKinds) {
      const createdAt = model.records.find(kind, String(id))?.created?.sentAt
      if (createdAt !== undefined) lastCreatedAt = Math.max(createdAt, lastCreatedAt ?? createdAt)
    }
  }
  return lastCreatedAt
}

/** So many texts of an event may be the id of a record. */
const MAX_SHOWN_TEXTS = 200

/** Reports a delivery to a webhook of another partner than the one whose record has changed. */
function reportEventOfOther({ delivery }: Arrival, report: Report): void {
  const message = 'A webhook receives the events of another partner.'
  report.failed(delivery, cite(resources.webhook.ownership), message, {
    operation: DELIVERY_OPERATION,
    about: 'owner',
    impact: 'critical',
  })
}

/**
 * Expects that a webhook was set to receive a delivery. If its settings have changed since the change of the record,
 * one version that allows the delivery is enough. If none does, the message says what the last one forbids.
 *
 * @param versions All settings of the webhook from the earliest time of the event on, the newest last.
 */
function expectReceivableBySettings(
  arrival: Arrival,
  versions: readonly WebhookVersion[],
  report: Report,
): void {
  const { event, delivery } = arrival
  const last = versions.at(-1)
  if (!last) return

  const isAllowed = versions.some((version) => findReceiptFault(version, arrival) === undefined)
  const fault = isAllowed ? undefined : findReceiptFault(last, arrival)
  report.expect(
    fault === undefined,
    {
      evidence: delivery,
      cites: fault?.cites ?? cite(subscription.type),
      operation: last.by.operation?.id,
      about: fault?.words ?? '',
      impact: 'high',
    },
    () => `A webhook that ${fault?.words} received ${event || 'an event'}; expected none.`,
  )
}

/**
 * Whether a webhook that subscribes to the events of a change was inactive from then on until the end of the
 * history, and received none of them.
 */
function isSparedWhileInactive(webhook: KnownWebhook, change: Change, model: Model): boolean {
  if (!isSubscribed(webhook, change, model, INACTIVE)) return false

  const versions = findVersionsBetween(webhook, change.exchange.sentAt, Number.POSITIVE_INFINITY)
  const wasActiveAgain = versions.some(({ state }) => state === subscription.receives.state)
  return !wasActiveAgain && !findArrival(change, webhook, model)
}

/** Why a webhook must not receive an event. */
interface ReceiptFault {
  readonly cites: Cites
  /** Such as `is inactive`. */
  readonly words: string
}

const webhookKind = declaredKinds.find(({ name }) => name === 'webhook')
/** What says that a webhook can be deleted. */
const DELETION_CITES = cite(webhookKind && findDeletion(webhookKind), resources.webhook)

/** Finds why a webhook with these settings must not receive a delivery; undefined if it may. */
function findReceiptFault(
  { state, url, type }: WebhookVersion,
  { event, delivery }: Arrival,
): ReceiptFault | undefined {
  if (state === 'deleted') return { cites: DELETION_CITES, words: 'was deleted' }

  if (state !== subscription.receives.state)
    return { cites: cite(subscription.receives), words: `is ${state}` }

  if (url !== delivery.url) return { cites: cite(deliveries), words: 'has another URL now' }

  // A webhook whose type is unknown may subscribe to any event.
  const isSubscriber = type === undefined || events[event]?.subscribers.includes(type)
  if (isSubscriber) return undefined

  return { cites: citeSubscribers(event), words: `does not subscribe to ${event}` }
}

/** Cites what says which webhooks receive an event: the types of webhooks, and the entry of the event. */
function citeSubscribers(event: string): Cites {
  const declared = events[event]
  const cites = cite(subscription.type)
  return declared ? { ...cites, entry: findEntryPointer(declared) } : cites
}

export const deliveryRules = [deliveriesSent, deliveriesOnce, deliveriesSubscribed]
