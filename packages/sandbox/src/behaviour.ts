import declared from '@partner-payments/spec/behaviour.json' with { type: 'json' }
import { parse } from 'iso8601-duration'

const { deliveries, oneTimeValues, refusals, resources } = declared

/** How deliveries are sent: times in milliseconds. */
export const DELIVERIES = {
  timeout: milliseconds(deliveries.timeout),
  /** The wait after each failed attempt. */
  waits: deliveries.waits.map(milliseconds),
  /** How long an old secret signs beside the new one. */
  overlap: milliseconds(deliveries.overlap.duration),
} as const

/** Milliseconds in which a key that was looked up can be paid. */
export const INITIATION_LIFETIME = milliseconds(oneTimeValues.initiation.lifetime)

/** What a charge has where the request leaves it out. */
export const CHARGE_DEFAULTS = {
  /** Calendar days after the due date. */
  expiration_days: resources.dueDateQrCode.defaults['/calendar/expiration_days'].value,
  /** Seconds. */
  expiration: resources.immediateQrCode.defaults['/calendar/expiration'].value,
} as const

/** The codes of refusals. */
export type RefusalCode = keyof typeof refusals

/** The error catalogue, by code. */
export const catalogue: Readonly<
  Record<string, Pick<(typeof refusals)[RefusalCode], 'when' | 'fix' | 'question'>>
> = refusals

/** What leads to a refusal, in a sentence for people that holds nothing from outside. */
export function causeOf(code: RefusalCode): string {
  return refusals[code].when
}

/** The status of a refusal: the lowest, where it has several. */
export function statusOf(code: RefusalCode): number {
  const statuses = refusals[code].responses.map(({ status }) => status)
  return Math.min(...statuses)
}

/** A day has 24 hours: the library's own sum follows the local clock, so it can be an hour off where DST begins. */
function milliseconds(duration: string): number {
  const { days = 0, hours = 0, minutes = 0, seconds = 0 } = parse(duration)
  return (((days * 24 + hours) * 60 + minutes) * 60 + seconds) * 1000
}
