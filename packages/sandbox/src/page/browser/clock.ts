import { byId } from './element.ts'
import { utc } from './format.ts'
import type { ClockState } from './state.ts'

/** The time of the sandbox, told between two answers by the clock of the browser. */
export interface ShownClock {
  /** Milliseconds since 1970. */
  now(): number
  /** How far it is from the system's clock now. */
  state(): ClockState
  set(clock: ClockState): void
}

export function createShownClock(): ShownClock {
  let last: ClockState = { now: '', frozen: false, ahead_seconds: 0 }
  let since = 0
  /** Milliseconds that have passed since the state was fetched. */
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

/** Shows it in the header. */
export function showClock(now: number): void {
  const shown = byId('clock')
  const text = `${utc(now)} UTC`
  if (shown.textContent !== text) shown.textContent = text
}
