import declared from '@partner-payments/spec/behaviour.json' with { type: 'json' }
import { durationMs } from '@partner-payments/text/duration'

const { deliveries, oneTimeValues, refusals, resources } = declared

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
