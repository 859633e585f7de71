/** The time of the sandbox, which can stand still, be moved on and put back to the system's. */
export interface Clock {
  /** Milliseconds since 1970. */
  now(): number
  /** Whether it stands still. */
  readonly isFrozen: boolean
  /** Milliseconds that it is ahead of the system's clock; negative where it fell behind while it stood still. */
  readonly ahead: number
  /** Stands still from now on. */
  freeze(): void
  /** Runs on, from the time that it shows. */
  resume(): void
  /** Moves on to a time; one that has passed is now. */
  moveTo(ms: number): void
  /** Goes back to the system's time, and runs with it. */
  reset(): void
}

/** RFC 3339 has years of four digits. */
export const LAST_MOMENT = Date.parse('9999-01-01T00:00:00Z')

/** A clock that runs as `source` does, until it is told otherwise. */
export function createClock(source: () => number = Date.now): Clock {
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
    moveTo(ms) {
      const to = Math.min(Math.max(ms, now()), LAST_MOMENT)
      if (frozenAt !== undefined) frozenAt = to
      else ahead = to - source()
    },
    reset() {
      ahead = 0
      frozenAt = undefined
    },
  }
}
