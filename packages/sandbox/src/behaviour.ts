import declared from '@partner-payments/spec/behaviour.json' with { type: 'json' }

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

/** The status of a refusal: the lowest, where it has several. */
export function statusOf(code: RefusalCode): number {
  const statuses = refusals[code].responses.map(({ status }) => status)
  return Math.min(...statuses)
}

/** Days, hours, minutes and seconds of ISO 8601. */
function milliseconds(duration: string): number {
  const [, days = 0, hours = 0, minutes = 0, seconds = 0] =
    /^P(?:(\d+)D)?(?:T(?:(\d+)H)?(?:(\d+)M)?(?:(\d+)S)?)?$/.exec(duration) ?? []
  return (((Number(days) * 24 + Number(hours)) * 60 + Number(minutes)) * 60 + Number(seconds)) * 1000
}
