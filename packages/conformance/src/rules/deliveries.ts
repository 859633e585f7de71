import { behaviour, findEntryPointer } from '../contract/behaviour.ts'
import { fieldsOf, stringAt } from '../contract/json.ts'
import { declaredKinds, findDeletion, listTransitions } from '../contract/kinds.ts'
import { INACTIVE, PENDING } from '../contract/words.ts'
import {
  type Arrival,
  type Change,
  isCreditEvent,
  type KnownWebhook,
  type WebhookVersion,
} from '../model/deliveries.ts'
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
      }
      if (!arrived && isMissing(expected, timeoutMs, model))
        reportMissing(change, { model, report })
    }
  },
}

/**
 * Notes the name that a service gives to a declared event, if it is another one. An open question asks
 * for the names, and the note is a possible answer.
 *
 * @param arrival A delivery that arrived.
 * @param change The change of a record that it reports.
 */
function noteEventName(arrival: Arrival, change: Change, { model, report }: EndContext): void {
  const { event, name: shownName } = arrival
  // The body names no event.
  if (event === '') return

  const isDeclared = events[event] !== undefined
  const meantEvent = isDeclared ? event : findMeantEvent(arrival, change, model)
  const isNamedAsDeclared = isDeclared && shownName === event
  if (meantEvent === undefined || isNamedAsDeclared) return

  const { question } = events[meantEvent] ?? {}
  if (question === undefined) return

  const seen = describeWord(isDeclared ? shownName : event)
  report.saw({ question, at: `behaviour#/events/${meantEvent}`, of: 'name', seen })
}

/**
 * Finds the declared event that a delivery with an undeclared name means: the only event of the change
 * whose schema its body matches, or whose transition leads to the status that it shows. Undefined if
 * none or several fit.
 */
function findMeantEvent(arrival: Arrival, change: Change, model: Model): string | undefined {
  const status = stringAt(arrival.body, '/data/status')
  const matching = change.events.filter((name) => matchesEvent(name, arrival, model))
  const candidates =
    matching.length === 1 ? matching : matching.filter((name) => followsTransitionTo(name, status))
  const [candidate, ...others] = candidates
  return others.length === 0 ? candidate : undefined
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

/**
 * Whether an expected delivery certainly did not arrive in its time: the change that it reports has
 * happened, nobody has changed its webhook, and the service has delivered the events of later changes.
 */
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
  const isHistoryOver = until > lastAt
  const isWebhookUnchanged = isUnchangedBetween(webhook, exchange.sentAt, until)
  if (isHistoryOver || !isWebhookUnchanged) return false

  // If nothing has arrived at all, there is no later delivery to wait for.
  return arrivals.length === 0 || findLastServedTime(model) >= until
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

  const isOfCustomer = exchange.identity?.customer !== undefined
  const cause = `${exchange.operation?.id}${isOfCustomer ? ' of a customer' : ''}`
  const message = `A webhook that subscribes to ${names.join(' and ')} received no event after ${cause} of ${withArticle(kind.name)}.`
  // A service without the event of credits differs once, whatever caused them.
  const isEverSent = arrivals.some(({ event }) => names.includes(event))
  const isUnknown = names.every(isCreditEvent) && !isEverSent
  report.failed(exchange, cites, message, {
    operation: DELIVERY_OPERATION,
    about: isUnknown ? `no ${names[0]}` : `${cause} ${kind.name} ${names[0]}`,
    impact: 'high',
  })
}

const deliveriesOnce: Rule = {
  id: 'deliveries-once',
  says: 'A change is reported by one event with an id of its own, in every attempt.',
  advice:
    'Create the webhook-id when the event is written, and keep it for all attempts and webhooks.',
  /**
   * Expects that a message id names one event of one record, and that a webhook gets such an event with
   * one id only. A subject is an event and the id of its record, such as `transfer.settled tr_1`.
   */
  end(model, report) {
    /** The subject with which each message id first came. */
    const subjectByMessage = new Map<string, string>()
    /** The message id with which each subject first came to a URL. */
    const messageBySubject = new Map<string, string>()

    for (const { delivery, event, record, message } of model.deliveries.arrivals) {
      const declared = events[event]
      if (record === '' || message === undefined || !declared) continue

      // The id of a message stays the same in all attempts to deliver it.
      const subject = `${event} ${record}`
      const hasIdOfOther = rememberFirst(subjectByMessage, message, subject) !== subject
      const isRepeated =
        rememberFirst(messageBySubject, `${subject} ${delivery.url}`, message) !== message
      // If two webhooks have the URL, each gets the event.
      const isTwice = isRepeated && model.deliveries.findWebhookAt(delivery.url) !== undefined

      report.expect(
        !isTwice,
        {
          evidence: delivery,
          cites: cite(declared),
          operation: DELIVERY_OPERATION,
          about: `twice ${event}`,
          // A program that books by the id of the message books twice.
          impact: 'high',
        },
        () => `A webhook received two events ${event} with different ids about one record.`,
      )

      if (hasIdOfOther) {
        const sentence = 'Two events have the same webhook-id; expected an id for each event.'
        report.failed(delivery, cite(deliveries.signature), sentence, {
          operation: DELIVERY_OPERATION,
          about: 'own id',
        })
      }
    }
  },
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
  /**
   * Expects that each delivery went to a webhook that may receive it. A change of which an inactive
   * webhook received nothing passes.
   */
  end(model, report) {
    for (const arrival of model.deliveries.arrivals) expectReceivable(arrival, model, report)

    // Events of later changes may still be on their way.
    const until = findLastServedTime(model)
    for (const change of model.deliveries.changes) {
      if (change.exchange.sentAt > until) continue

      const isIgnored = model.deliveries.webhooks.some((webhook) =>
        hasNoDelivery(webhook, change, model),
      )
      if (isIgnored)
        report.passed(change.exchange, citeStatement(subscription.receives, 'inactive'))
    }
  },
}

/**
 * Expects that the webhook at the URL of a delivery may receive its event: it belongs to the partner of
 * the record, is active, and subscribes to the event. One of its settings since the change is enough.
 */
function expectReceivable(arrival: Arrival, model: Model, report: Report): void {
  const { event, record, delivery, at } = arrival
  const webhook = model.deliveries.findWebhookAt(delivery.url)
  const changes = model.deliveries.listChanges(record)
  const [firstChange] = changes
  // Of an undeclared event, or an unknown record, nothing says who may receive it.
  if (!webhook?.isSure || !events[event] || !firstChange) return

  const isOfPartner = changes.some(({ partner }) => partner === webhook.partner)
  if (!isOfPartner) {
    const message = 'A webhook receives the events of another partner.'
    report.failed(delivery, cite(resources.webhook.ownership), message, {
      operation: DELIVERY_OPERATION,
      about: 'owner',
      impact: 'critical',
    })
    return
  }

  const versions = findVersionsBetween(webhook, firstChange.exchange.sentAt, at)
  const last = versions.at(-1)
  if (!last) return

  // A version is the settings of the webhook from a write on. One that may receive it is enough.
  const faults = versions.map((version) => findReceiptFault(version, arrival))
  const mayReceive = faults.includes(undefined)
  const fault = mayReceive ? undefined : faults.at(-1)
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
