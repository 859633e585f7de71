import { behaviour } from '../contract/behaviour.ts'
import { durationMs, stringAt } from '../contract/json.ts'
import { declaredKinds } from '../contract/kinds.ts'
import type { Arrival, Change } from '../model/deliveries.ts'
import { listEventsOfState } from '../model/deliveries.ts'
import type { Model } from '../model.ts'
import { listExpected } from './subscriptions.ts'

const { deliveries } = behaviour

/** A delivery is missing after this many times the longest delay of those that arrived. */
const DELAY_FACTOR = 3

/**
 * Calculates the milliseconds until a delivery must have arrived: more than usual if this machine or
 * the service is busy.
 */
export function calculateTimeoutMs(model: Model): number {
  let longestDelay = 0
  for (const { change, arrived } of listExpected(model)) {
    const delay = (arrived?.at ?? 0) - change.exchange.completeAt
    longestDelay = Math.max(longestDelay, delay)
  }
  return Math.max(model.deliveryMs, DELAY_FACTOR * longestDelay)
}

/**
 * Whether a change that waits for the end of a transfer has happened: the transfer is in the declared
 * state, as an event or its response shows. Other changes happen at once.
 */
export function hasHappened({ after, exchange: { shown } }: Change, model: Model): boolean {
  if (after === undefined || stringAt(shown, '/status') === after.state) return true

  const transfer = declaredKinds.find(({ name }) => name === 'transfer')
  const events = transfer ? listEventsOfState(transfer, after.state) : []
  return model.deliveries.listEvents(after.transfer).some((event) => events.includes(event))
}

/**
 * Finds when the last change was sent of which something arrived, by this machine: what happened
 * before it should have arrived too.
 */
export function findLastServedTime({ deliveries: { changes, arrivals } }: Model): number {
  let last = Number.NEGATIVE_INFINITY
  for (const { id, exchange } of changes) {
    const isServed = arrivals.some(({ delivery }) => delivery.text.includes(id))
    if (isServed) last = Math.max(last, exchange.sentAt)
  }
  return last
}

/**
 * Says that the time of an attempt is too far from that of its arrival, as receivers refuse it;
 * undefined if it is near.
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
