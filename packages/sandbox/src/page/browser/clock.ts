import { formatDuration, utc } from './format.ts'
import type { ClockState } from './state.ts'
import { byId, html, type View } from './view.ts'

/**
 * The time of the sandbox for the page. Between two fetches it advances with the browser's clock,
 * unless the sandbox's is frozen.
 */
export function createShownClock() {
  let fetched: ClockState = { now: '', frozen: false, ahead_seconds: 0 }
  let fetchedAtMs = 0
  /** Milliseconds since the state was fetched. */
  const passed = () => performance.now() - fetchedAtMs
  return {
    /** Milliseconds since 1970. */
    now: () => Date.parse(fetched.now) + (fetched.frozen ? 0 : passed()),
    /** The state of the clock, with its current distance from the system's clock. */
    state(): ClockState {
      if (!fetched.frozen) return fetched
      // It stands still, and the system's clock goes on.
      return { ...fetched, ahead_seconds: fetched.ahead_seconds - passed() / 1000 }
    },
    /** Takes over the fetched state, and labels the button that freezes or resumes. */
    set(clock: ClockState): void {
      fetched = clock
      fetchedAtMs = performance.now()
      const button = byId('freeze')
      button.dataset.frozen = String(clock.frozen)
      button.textContent = clock.frozen ? 'Resume' : 'Freeze'
    },
  }
}

export function showClock(now: number): void {
  const element = byId('clock')
  const text = `${utc(now)} UTC`
  if (element.textContent !== text) element.textContent = text
}

/**
 * Maximum difference in seconds for the timestamp of a signature (default of `verify`; Standard
 * Webhooks 1.0.0).
 */
const TOLERANCE_SECONDS = 300

/**
 * A banner that says by how much the clock of the sandbox is off, with a button that resets it;
 * false while it is right.
 */
export function skewView({ frozen, ahead_seconds }: ClockState): View | false {
  const isAhead = ahead_seconds > 0
  const seconds = Math.round(Math.abs(ahead_seconds))
  // A frozen clock is a second behind at once. That is intended, so it is said after a minute only.
  const isFallingBehind = frozen && !isAhead
  const shownFromSeconds = isFallingBehind ? 60 : 1
  if (seconds < shownFromSeconds) return false

  const side = isAhead ? 'ahead of' : 'behind'
  const code = isAhead ? 'timestamp-too-new' : 'timestamp-too-old'
  const isRefused = seconds > TOLERANCE_SECONDS
  const effect = isRefused
    ? 'Receivers that verify signatures refuse every webhook:'
    : 'From 5 min on, receivers refuse webhooks:'
  return html`<div class="skew" data-tone=${isRefused ? 'bad' : 'waits'}>
    <p><strong>The clock is ${formatDuration(seconds)} ${side} the system's.</strong> ${effect} <code>${code}</code>.</p>
    <button type="button" data-action="resetClock">Back to system time</button>
  </div>`
}
