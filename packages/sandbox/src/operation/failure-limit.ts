import { hash } from 'node:crypto'

/** How {@link createFailureLimit} limits. */
export interface FailureLimitOptions {
  /** What a failure is counted for, and how many of each may come at once and a second. */
  readonly kinds: readonly Kind[]
  /** Makes it unknown which subjects share a counter. */
  readonly salt: string
  /** Counters of a kind; default 16,384. */
  readonly counters?: number
  /** A monotonic clock in milliseconds; default `performance.now`. */
  readonly clock?: () => number
}

interface Kind {
  readonly capacity: number
  readonly refillPerSecond: number
}

/** Limits failures, each for several subjects. */
export interface FailureLimit {
  /**
   * Counts a failure, unless one of its subjects has too many.
   *
   * @param subjects one of each kind
   * @returns 0 when it was counted; else the whole seconds after which the next will be, for Retry-After (RFC 9110,
   * section 10.2.3)
   */
  count(subjects: readonly string[]): number
}

/**
 * Makes a limit for failures in memory that does not grow: a subject has one of a fixed number of counters, by its
 * hash. None is ever evicted, so that nobody makes room by inventing subjects. Two that share a counter share their
 * failures, which is why only what failed may be refused by it.
 *
 * @example
 * const kinds = [{ capacity: 30, refillPerSecond: 0.5 }]
 * const limit = createFailureLimit({ kinds, salt: 'any' })
 * const seconds = limit.count(['partner_1'])
 * if (seconds > 0) console.log(`retry-after: ${seconds}`)
 */
export function createFailureLimit({
  kinds,
  salt,
  counters = 16_384,
  clock = () => performance.now(),
}: FailureLimitOptions): FailureLimit {
  const tables = kinds.map((kind) => createTable(kind, counters))
  return {
    count(subjects) {
      const now = clock()
      const own = tables.map(({ counterOf }, i) => counterOf(indexOf(salt, subjects[i] ?? '', counters), now))
      const seconds = Math.max(...own.map(({ wait }) => wait))
      if (seconds === 0) for (const { add } of own) add()
      return seconds
    },
  }
}

function indexOf(salt: string, subject: string, counters: number): number {
  return hash('sha256', `${salt}\0${subject}`, 'buffer').readUInt32BE() % counters
}

/** What fractions of a second add up to is off by less. */
const ROUNDING = 1e-6

/** The failures of each counter that have not been forgotten, and when they were that many. */
function createTable({ capacity, refillPerSecond }: Kind, counters: number) {
  const counts = new Float64Array(counters)
  const times = new Float64Array(counters)
  return {
    counterOf(i: number, now: number) {
      const since = Math.max(0, now - (times[i] ?? 0)) / 1_000
      const count = Math.max(0, (counts[i] ?? 0) - since * refillPerSecond)
      const excess = count + 1 - capacity
      return {
        wait: excess > ROUNDING ? Math.ceil((excess - ROUNDING) / refillPerSecond) : 0,
        add() {
          counts[i] = count + 1
          times[i] = now
        },
      }
    },
  }
}
