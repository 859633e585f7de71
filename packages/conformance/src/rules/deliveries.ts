import { behaviour, findEntryPointer } from '../contract/behaviour.ts'
import { fieldsOf, findOnlyItem, stringAt } from '../contract/json.ts'
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
 * Notes the name that a service gives to a declared event, if it is another one. An open question asks
 * for the names, and the note is a possible answer.
 *
 * @param change The change of a record that the delivery reports.
 */
function noteEventName(arrival: Arrival, change: Change, { model, report }: EndContext): void {
  const { event, name } = arrival
  const isDeclared = events[event] !== undefined
  if (isDeclared) {
    // The checker may have translated the name that the service wrote.
    if (name !== event) noteName(event, name, report)
    return
  }

  const isUnnamed = event === ''
  const meantEvent = isUnnamed ? undefined : findMeantEvent(arrival, change, model)
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
 * Finds the declared event that a delivery with an undeclared name means: the only event of the change
 * whose schema its body matches, or whose transition leads to the status that it shows. Undefined if
 * none or several fit.
 */
function findMeantEvent(arrival: Arrival, change: Change, model: Model): string | undefined {
  const matching = change.events.filter((name) => matchesEvent(name, arrival, model))
  if (matching.length === 1) return matching[0]

  const status = stringAt(arrival.body, '/data/status')
  const ofStatus = matching.filter((name) => followsTransitionTo(name, status))
  return findOnlyItem(ofStatus)
}

/** Whether a delivery would match the schema of an event if it had its name. */
function matchesEvent(name: string, { delivery, body }: Arrival, { contract }: Model): boolean {
  const named = { ...fieldsOf(body), type: name }
  const { headers } = delivery
  const differences = contract.listDeliveryDifferences({ name, headers, body: named })
  return differences.every(({ place }) => place !== 'body')
}

/** Whether spec/behaviour declares that an event follows a transition of its resource to a state. */
function followsTransitionTo(event: string, state: string | undefined): boolean {
  const resourceNames = events[event]?.resource ?? []
  const transitions = declaredKinds
    .filter(({ name }) => resourceNames.includes(name))
    .flatMap(listTransitions)
  return transitions.some(
    (transition) => transition.to === state && transition.events?.includes(event),
  )
}

/** Whether an expected delivery that did not arrive is certainly missing, and not only late. */
function isMissing(
  { change, webhook }: ExpectedDelivery,
  timeoutMs: number,
  model: Model,
): boolean {
  const { exchange } = change
  const { arrivals, isWhole, lastAt } = model.deliveries
  if (!isWhole || !hasHappened(change, model)) return false

  // While balances show a pending transfer, its event may still come.
  const isPending = stringAt(exchange.responseBody, '/status') === PENDING
  if (isPending && model.ledger.isPending) return false

  const until = exchange.completeAt + timeoutMs
  const isHistoryOver = lastAt < until
  if (isHistoryOver || !isUnchangedBetween(webhook, exchange.sentAt, until)) return false

  const hasNeverDelivered = arrivals.length === 0
  const hasDeliveredLater = findLastServedTime(model) >= until
  return hasNeverDelivered || hasDeliveredLater
}

/**
 * Reports a change of a record whose event did not reach a webhook that subscribes to it. If the event
 * went to another webhook, the finding cites what says which webhooks receive it.
 */
function reportMissing(change: Change, { model, report }: EndContext): void {
  const { exchange, events: names, kind } = change
  const { arrivals } = model.deliveries
  const deliveredElsewhere = arrivals.find((arrival) => isAboutChange(arrival, change))
  const cites = deliveredElsewhere ? citeSubscribers(deliveredElsewhere.event) : citeEvents(names)

  const cause = describeCause(exchange)
  const message = `A webhook that subscribes to ${names.join(' and ')} received no event after ${cause} of ${withArticle(kind.name)}.`
  // A service without the event of credits differs once, whatever caused them.
  const about = isUnsentCreditEvent(names, arrivals)
    ? `no ${names[0]}`
    : `${cause} ${kind.name} ${names[0]}`
  report.failed(exchange, cites, message, {
    operation: DELIVERY_OPERATION,
    about,
    impact: 'high',
  })
}

/** Such as `createTransfer of a customer`. */
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

function listIdentifiedEvents({ deliveries: { arrivals } }: Model): IdentifiedEvent[] {
  const identified: IdentifiedEvent[] = []
  for (const arrival of arrivals) {
    const { event, record, message } = arrival
    if (record === '' || message === undefined || !events[event]) continue
    identified.push({ arrival, message, subject: `${event} ${record}` })
  }
  return identified
}

/** Expects that a webhook gets an event of a record with one message id only. */
function expectOneMessagePerEvent(
  identified: readonly IdentifiedEvent[],
  { model, report }: EndContext,
): void {
  const firstMessages = new Map<string, string>()
  for (const { arrival, message, subject } of identified) {
    const { delivery, event } = arrival
    const firstMessage = rememberFirst(firstMessages, `${subject} ${delivery.url}`, message)
    // If two webhooks have the URL, each gets the event with an id of its own.
    const isOfOneWebhook = model.deliveries.findWebhookAt(delivery.url) !== undefined
    const isSentTwice = isOfOneWebhook && message !== firstMessage

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

/** Reports events of two records, or two events of one, that have one message id. */
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

/** Reports the changes of which an inactive webhook received nothing, which pass. */
function reportInactiveSpared(model: Model, report: Report): void {
  const { changes, webhooks } = model.deliveries
  const until = findLastServedTime(model)
  for (const change of changes) {
    // Events of later changes may still be on their way.
    if (change.exchange.sentAt > until) continue

    const isSpared = webhooks.some((webhook) => hasNoDelivery(webhook, change, model))
    if (isSpared) report.passed(change.exchange, citeStatement(subscription.receives, 'inactive'))
  }
}

/** Expects that the webhook at the URL of a delivery may receive its event. */
function expectReceivable(arrival: Arrival, model: Model, report: Report): void {
  const { event, record, delivery, at } = arrival
  const webhook = model.deliveries.findWebhookAt(delivery.url)
  const changes = model.deliveries.listChanges(record)
  const [firstChange] = changes
  // Of an undeclared event, or an unknown record, nothing says who may receive it.
  if (!webhook?.areSettingsKnown || !events[event] || !firstChange) return

  const isOfPartner = changes.some(({ partner }) => partner === webhook.partner)
  if (!isOfPartner) {
    reportEventOfOther(arrival, report)
    return
  }

  const versions = findVersionsBetween(webhook, firstChange.exchange.sentAt, at)
  expectReceivableBySettings(arrival, versions, report)
}

function reportEventOfOther({ delivery }: Arrival, report: Report): void {
  const message = 'A webhook receives the events of another partner.'
  report.failed(delivery, cite(resources.webhook.ownership), message, {
    operation: DELIVERY_OPERATION,
    about: 'owner',
    impact: 'critical',
  })
}

/**
 * Expects that the settings of a webhook allow that it received a delivery.
 *
 * @param versions All settings since the change. One that allows it is enough.
 */
function expectReceivableBySettings(
  arrival: Arrival,
  versions: readonly WebhookVersion[],
  report: Report,
): void {
  const { event, delivery } = arrival
  const last = versions.at(-1)
  if (!last) return

  const isAllowedByOne = versions.some((version) => !findReceiptFault(version, arrival))
  const fault = isAllowedByOne ? undefined : findReceiptFault(last, arrival)
  report.expect(
    fault === undefined,
    {
      evidence: delivery,
      cites: fault?.cites ?? cite(subscription.type),
      operation: last.by.operation?.id,
      about: fault?.words ?? '',
      impact: 'high',
    },
    () => `A webhook that ${fault?.words} received ${event}; expected none.`,
  )
}

/** Whether a webhook was inactive from a change on until the end, and received no event of the change. */
function hasNoDelivery(webhook: KnownWebhook, change: Change, model: Model): boolean {
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
