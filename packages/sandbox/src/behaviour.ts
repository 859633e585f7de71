import { durationMs } from '@partner-payments/contract/duration'
import declared from '@partner-payments/spec/behaviour.json' with { type: 'json' }

const { deliveries, events, oneTimeValues, refusals, resources } = declared

/** Delivery settings. Times are in milliseconds. */
export const DELIVERIES = {
  timeout: durationMs(deliveries.timeout),
  /**
   * The wait after each failed attempt: ten attempts over 75 hours 35 minutes (Standard Webhooks
   * 1.0.0).
   */
  waits: deliveries.waits.map(durationMs),
  /** How long a rotated secret still signs next to the new one. */
  overlap: durationMs(deliveries.overlap.duration),
} as const

/** How long an initiation id from a key lookup can be used, in milliseconds. */
export const INITIATION_LIFETIME = durationMs(oneTimeValues.initiation.lifetime)

/** Values of a charge that the request may leave out. */
export const CHARGE_DEFAULTS = {
  /** Calendar days after the due date. */
  expiration_days: resources.dueDateQrCode.defaults['/calendar/expiration_days'].value,
  /** Seconds. */
  expiration: resources.immediateQrCode.defaults['/calendar/expiration'].value,
} as const

/** The types of events. */
export type EventType = keyof typeof events

const { settle, reject } = resources.transfer.states.pending.on
// Both kinds of charges have the same states.
const { pay, cancel } = resources.immediateQrCode.states.ATIVA.on

/** The events of each change. Those of a credit go to the partner whose account receives it. */
export const EVENTS = {
  settled: eventsOf(settle, 'owner'),
  credited: eventsOf(settle, 'beneficiary'),
  rejected: eventsOf(reject, 'owner'),
  paid: eventsOf(pay, 'owner'),
  cancelled: eventsOf(cancel, 'owner'),
} as const

/** The events of a transition that a receiver gets, in their order. */
function eventsOf(transition: { events: string[] }, receiver: Receiver): readonly EventType[] {
  // The lint of the contract made sure that each is declared.
  const types = transition.events as EventType[]
  return types.filter((type) => receiverOf(type) === receiver)
}

type Receiver = 'owner' | 'beneficiary'

function receiverOf(type: EventType): string {
  const event = events[type]
  return 'receiver' in event ? event.receiver : 'owner'
}

/** The types of webhooks that receive an event. */
export function subscribersOf(type: EventType): readonly string[] {
  return events[type].subscribers
}

/** The codes of refusals. */
export type RefusalCode = keyof typeof refusals

/** The error catalogue, by code. */
export const catalogue: Readonly<
  Record<string, Pick<(typeof refusals)[RefusalCode], 'when' | 'fix' | 'question'>>
> = refusals

/** Describes the cause of a refusal for people. The text contains no data from the request. */
export function causeOf(code: RefusalCode): string {
  return refusals[code].when
}

/** The HTTP status of a refusal. If it has several, the lowest. */
export function statusOf(code: RefusalCode): number {
  const statuses = refusals[code].responses.map(({ status }) => status)
  return Math.min(...statuses)
}
