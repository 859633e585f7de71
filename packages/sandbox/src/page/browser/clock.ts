import { byId } from './element.ts'
import { utc } from './format.ts'
import type { State } from './state.ts'

/** The time of the sandbox, told between two answers by the clock of the browser. */
export interface ShownClock {
  /** Milliseconds since 1970. */
  now(): number
  set(clock: State['clock']): void
}

export function createShownClock(): ShownClock {
  let ahead = 0
  let frozenAt: number | undefined
  return {
    now: () => frozenAt ?? performance.now() + ahead,
    set({ now, frozen }) {
      ahead = Date.parse(now) - performance.now()
      frozenAt = frozen ? Date.parse(now) : undefined
      const button = byId('freeze')
      button.dataset.frozen = String(frozen)
      button.textContent = frozen ? 'Resume' : 'Freeze'
    },
  }
}

/** Shows it in the header. */
export function showClock(now: number): void {
  const shown = byId('clock')
  const text = `${utc(now)} UTC`
  if (shown.textContent !== text) shown.textContent = text
}
