/** The time of the sandbox. It can be frozen, moved forward and reset to the system's time. */
export interface Clock {
  /** Milliseconds since 1970. */
  now(): number
  readonly isFrozen: boolean
  /** Milliseconds ahead of the system's clock. Negative if it fell behind while it was frozen. */
  readonly ahead: number
  /** Stops the clock at its current time. */
  freeze(): void
  /** Lets the clock run from the time it shows. */
  resume(): void
  /** Moves the clock forward to a time. A time in the past changes nothing. */
  moveTo(ms: number): void
  /** Returns to the system's time. Returns a function that undoes it. */
  reset(): () => void
}

/** RFC 3339 allows years of four digits only. */
export const LAST_MOMENT = Date.parse('9999-01-01T00:00:00Z')

/**
 * Creates the clock of a sandbox. It shows the time of a source until it is frozen or moved; after
 * that it has its own distance from it. All times are whole milliseconds since 1970.
 *
 * @param readTime may return a fraction, which no store keeps. By default the system's clock.
 */
export function createClock(readTime: () => number = Date.now): Clock {
  const source = () => Math.floor(readTime())
  // Milliseconds by which the clock is ahead of `source`.
  let ahead = 0
  let frozenAt: number | undefined
  const now = () => frozenAt ?? source() + ahead
  return {
    now,
    get isFrozen() {
      return frozenAt !== undefined
    },
    get ahead() {
      return now() - source()
    },
    freeze() {
      frozenAt = now()
    },
    resume() {
      ahead = now() - source()
      frozenAt = undefined
    },
    // Never back: what is stored already would lie in the future.
    moveTo(ms) {
      const to = Math.min(Math.max(ms, now()), LAST_MOMENT)
      if (frozenAt !== undefined) frozenAt = to
      else ahead = to - source()
    },
    /** Shows the time of `source` again. Returns a function that undoes this. */
    reset() {
      const aheadBefore = ahead
      const frozenAtBefore = frozenAt
      ahead = 0
      frozenAt = undefined
      return () => {
        ahead = aheadBefore
        frozenAt = frozenAtBefore
      }
    },
  }
}
