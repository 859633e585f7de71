import { attempt, ensure } from './error.ts'
import type { HeaderPrefix } from './headers.ts'

/** The options that `sign` and `verify` share. A program without types may pass anything. */
interface Options {
  now?: () => number
  headerPrefix?: HeaderPrefix
}

/** The time of the clock in options, in whole seconds since 1970: 1 to 12 digits. */
export function secondsBy(options: Options): number {
  const expected = 'options.now must return milliseconds since 1970'
  const clockOf = ({ now = Date.now }: Options) => now
  const milliseconds = attempt(() => clockOf(options)(), 'options-invalid', expected)
  const isTime = typeof milliseconds === 'number' && milliseconds >= 1000 && milliseconds < 1e15
  ensure(isTime, 'options-invalid', expected)
  return Math.floor(milliseconds / 1000)
}

/** The header prefix in the options. */
export function prefixBy(options: Options): HeaderPrefix {
  const expected = `options.headerPrefix must be 'webhook' or 'svix'`
  const prefixOf = ({ headerPrefix = 'webhook' }: Options) => headerPrefix
  const prefix = attempt(() => prefixOf(options), 'options-invalid', expected)
  ensure(prefix === 'webhook' || prefix === 'svix', 'options-invalid', expected)
  return prefix
}
