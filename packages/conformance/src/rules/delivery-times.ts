import { behaviour } from '../contract/behaviour.ts'
import { durationMs, stringAt } from '../contract/json.ts'
import { declaredKinds } from '../contract/kinds.ts'
import type { Arrival, Change } from '../model/deliveries.ts'
import { listEventsOfState } from '../model/deliveries.ts'
import type { Model } from '../model.ts'
import { listExpectedDeliveries } from './subscriptions.ts'

const { deliveries } = behaviour

/** A delivery is missing after this many times the longest delay of those that arrived. */
const DELAY_FACTOR = 3

/**
 * Calculates the milliseconds after a change until its delivery must have arrived: the time that the
 * user sets, or three times the longest delay of the deliveries that did arrive, if that is more.
 */
export function calculateTimeoutMs(model: Model): number {
  let longestDelay = 0
  for (const { change, arrived } of listExpectedDeliveries(model)) {
    if (arrived) longestDelay = Math.max(longestDelay, arrived.at - change.exchange.completeAt)
  }
  return Math.max(model.deliveryMs, DELAY_FACTOR * longestDelay)
}

/**
 * Whether a change of a record has happened. Most happen with their request. A code is paid only when its transfer has
 * settled (`after`), as the response to the transfer or an event about it shows.
 */
export function hasHappened({ after, exchange }: Change, model: Model): boolean {
  // Of most changes, it is undefined. Of a payment: `{ transfer: 'tr_1', state: 'settled' }`.
  if (after === undefined) return true

  const isShownInResponse = stringAt(exchange.responseBody, '/status') === after.state
  if (isShownInResponse) return true

  // The events that say that a transfer is in this state, such as `transfer.settled`.
  const transferKind = declaredKinds.find(({ name }) => name === 'transfer')
  const eventsOfState = transferKind ? listEventsOfState(transferKind, after.state) : []
  const arrivedEvents = model.deliveries.listEvents(after.transfer)
  return arrivedEvents.some((event) => eventsOfState.includes(event))
}

/**
 * Finds when the last change was requested whose record is named in a delivery, by the clock of this machine. The
 * deliveries of earlier changes should have arrived too. Minus infinity if there is none.
 */
export function findLastServedTime({ deliveries: { changes, arrivals } }: Model): number {
  let lastSentAt = Number.NEGATIVE_INFINITY
  for (const { id: recordId, exchange } of changes) {
    const isServed = arrivals.some(({ delivery }) => delivery.text.includes(recordId))
    if (isServed) lastSentAt = Math.max(lastSentAt, exchange.sentAt)
  }
  return lastSentAt
}

/**
 * Says that the time which a delivery shows is too far from when it arrived, so that receivers refuse it:
 * `its timestamp is more than 300 seconds off`. Undefined if it is near.
 */
export function findTimestampFault(
  { at, attemptedAt }: Arrival,
  { serviceTimes }: Model,
): string | undefined {
  const toleranceMs = durationMs(deliveries.tolerance.duration)
  const [earliest, latest] = serviceTimes.readPossibleTimes(at)
  const isNear = attemptedAt >= earliest - toleranceMs && attemptedAt <= latest + toleranceMs
  return isNear ? undefined : `its timestamp is more than ${toleranceMs / 1000} seconds off`
}
