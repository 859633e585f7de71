import type { RecordedExchange } from '../history.ts'

/** A date as RFC 9110, section 5.6.7 writes it: `Sun, 06 Nov 1994 08:49:37 GMT`. */
const HTTP_DATE = /^[A-Z][a-z]{2}, \d\d [A-Z][a-z]{2} \d{4} \d\d:\d\d:\d\d GMT$/
const SECOND_MS = 1_000

/**
 * Reads when a service says that it has responded, in milliseconds since 1970, without fractions of a second.
 * Undefined if it does not say so, or if a cache has kept the response since.
 */
export function readDate({
  response,
}: {
  readonly response?: RecordedExchange['response']
}): number | undefined {
  const { date, age } = response?.headers ?? {}
  const isKept = age !== undefined && age !== '0'
  if (isKept || typeof date !== 'string' || !HTTP_DATE.test(date)) return undefined

  const time = Date.parse(date)
  return Number.isNaN(time) ? undefined : time
}

/** By how many milliseconds the clock of a service may be ahead of this machine's, as a Date shows. */
export interface AheadRange {
  readonly leastMs: number
  readonly mostMs: number
}

/**
 * Computes how far a service may be ahead of this machine. It wrote the Date during the exchange, in the second
 * that the Date names: a Date of 10:00:05 in an exchange from 10:00:01.0 to 10:00:01.2 gives 3.8 to 5 seconds.
 */
export function computeAheadRange(
  date: number,
  { sentAt, completeAt }: { readonly sentAt: number; readonly completeAt: number },
): AheadRange {
  return { leastMs: date - completeAt, mostMs: date + SECOND_MS - sentAt }
}
