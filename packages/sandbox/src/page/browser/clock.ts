import { byId } from './element.ts'
import { utc } from './format.ts'
import type { ClockState } from './state.ts'

/** The time of the sandbox. Between two fetches it advances with the browser's clock. */
export interface ShownClock {
  /** Milliseconds since 1970. */
  now(): number
  /** The state of the clock, with its current distance from the system's clock. */
  state(): ClockState
  set(clock: ClockState): void
}

export function createShownClock(): ShownClock {
  let last: ClockState = { now: '', frozen: false, ahead_seconds: 0 }
  let since = 0
  /** Milliseconds since the state was fetched. */
  const passed = () => performance.now() - since
  return {
    now: () => Date.parse(last.now) + (last.frozen ? 0 : passed()),
    state: () => (last.frozen ? { ...last, ahead_seconds: last.ahead_seconds - passed() / 1000 } : last),
    set(clock) {
      last = clock
      since = performance.now()
      const button = byId('freeze')
      button.dataset.frozen = String(clock.frozen)
      button.textContent = clock.frozen ? 'Resume' : 'Freeze'
    },
  }
}

/** Shows the time in the header. */
export function showClock(now: number): void {
  const shown = byId('clock')
  const text = `${utc(now)} UTC`
  if (shown.textContent !== text) shown.textContent = text
}
