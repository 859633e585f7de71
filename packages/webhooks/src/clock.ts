import { attempt, ensure } from './error.ts'

/** The time of the clock in options, in whole seconds since 1970: 1 to 12 digits. */
export function secondsBy(options: { now?: () => number }): number {
  const expected = 'options.now must return milliseconds since 1970'
  const milliseconds = attempt(() => clockOf(options)(), 'options-invalid', expected)
  const isTime = typeof milliseconds === 'number' && milliseconds >= 1000 && milliseconds < 1e15
  ensure(isTime, 'options-invalid', expected)
  return Math.floor(milliseconds / 1000)
}

const clockOf = ({ now = Date.now }: { now?: () => number }) => now
