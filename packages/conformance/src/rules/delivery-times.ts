import { behaviour } from '../contract/behaviour.ts'
import { durationMs, stringAt } from '../contract/json.ts'
import { declaredKinds } from '../contract/kinds.ts'
import type { Arrival, Change } from '../model/deliveries.ts'
import { eventsTo } from '../model/deliveries.ts'
import type { Model } from '../model.ts'
import { listExpected } from './subscriptions.ts'

const { deliveries } = behaviour

/** Times the longest delay of a delivery after which one that has not arrived is missing. */
const DELAY_FACTOR = 3

/**
 * Milliseconds until a delivery must have arrived: more than usual if this machine or the service
 * is busy.
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
 * Whether the transfer that a change waits for is in the declared state, as an event or its
 * response shows.
 */
export function hasHappened({ after, exchange: { shown } }: Change, model: Model): boolean {
  if (after === undefined || stringAt(shown, '/status') === after.state) return true

  const transfer = declaredKinds.find(({ name }) => name === 'transfer')
  const events = transfer ? eventsTo(transfer, after.state) : []
  return model.deliveries.eventsOf(after.transfer).some((event) => events.includes(event))
}

/**
 * When the last change was sent of which something arrived, by this machine: what happened before
 * it is under way too.
 */
export function lastServedAt({ deliveries: { changes, arrivals } }: Model): number {
  let last = Number.NEGATIVE_INFINITY
  for (const { id, exchange } of changes) {
    const isServed = arrivals.some(({ delivery }) => delivery.text.includes(id))
    if (isServed) last = Math.max(last, exchange.sentAt)
  }
  return last
}

/** Receivers refuse an attempt whose time is not near theirs. */
export function findTimestampFault(
  { at, attemptedAt }: Arrival,
  { serviceTimes }: Model,
): string | undefined {
  const toleranceMs = durationMs(deliveries.tolerance.duration)
  const [earliest, latest] = serviceTimes.near(at)
  const isNear = attemptedAt >= earliest - toleranceMs && attemptedAt <= latest + toleranceMs
  return isNear ? undefined : `its timestamp is more than ${toleranceMs / 1000} seconds off`
}
