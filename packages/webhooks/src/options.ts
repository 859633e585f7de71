import { requireThat, wrapErrors } from './error.ts'
import type { HeaderPrefix } from './headers.ts'

/** The options that `sign` and `verify` share. A program without types may pass anything. */
interface Options {
  now?: () => number
  headerPrefix?: HeaderPrefix
}

/**
 * The current time by the clock in the options, in whole seconds since 1970. Throws a
 * `WebhookError` if the clock returns no such time.
 */
export function readClock(options: Options): number {
  const expected = 'options.now must return milliseconds since 1970'
  const readNow = () => {
    // Throws if `options` is null, or `now` is not a function.
    const { now = Date.now } = options
    return now()
  }
  const milliseconds = wrapErrors(readNow, 'options-invalid', expected)
  requireThat(isTime(milliseconds), 'options-invalid', expected)
  return Math.floor(milliseconds / SECOND_MS)
}

const SECOND_MS = 1000

/** The seconds since 1970 have at most 12 digits, as in the header of the timestamp. */
const MAX_TIME_MS = 1e12 * SECOND_MS

function isTime(milliseconds: unknown): boolean {
  if (typeof milliseconds !== 'number') return false
  return milliseconds >= SECOND_MS && milliseconds < MAX_TIME_MS
}

/**
 * The prefix of the three headers, from the options: `webhook` by default. Throws a `WebhookError`
 * for any other than the two that are in use.
 */
export function readPrefix(options: Options): HeaderPrefix {
  const expected = `options.headerPrefix must be 'webhook' or 'svix'`
  const readOption = () => {
    // Throws if `options` is null.
    const { headerPrefix = 'webhook' } = options
    return headerPrefix
  }
  const prefix = wrapErrors(readOption, 'options-invalid', expected)
  requireThat(prefix === 'webhook' || prefix === 'svix', 'options-invalid', expected)
  return prefix
}
