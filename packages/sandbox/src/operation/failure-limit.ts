import { hash } from 'node:crypto'

/** Options of {@link createFailureLimit}. */
export interface FailureLimitOptions {
  /** The kinds of subjects, each with its burst and its refill per second. */
  readonly kinds: readonly Kind[]
  /** Makes it unpredictable which subjects share a counter. */
  readonly salt: string
  /** Counters per kind; default 16,384. */
  readonly counters?: number
  /** A monotonic clock in milliseconds; default `performance.now`. */
  readonly clock?: () => number
}

interface Kind {
  readonly capacity: number
  readonly refillPerSecond: number
}

/** Limits failures, each counted for several subjects. */
export interface FailureLimit {
  /**
   * Counts a failure, unless one of its subjects has reached its limit.
   *
   * @param subjects one per kind
   * @returns 0 if it was counted; else the seconds to wait, for Retry-After (RFC 9110,
   * section 10.2.3)
   */
  count(subjects: readonly string[]): number
}

/**
 * Creates a limit for failures with fixed memory: the hash of a subject selects one of a fixed number of counters.
 * Counters are never evicted, so inventing subjects does not reset one. Subjects that share a counter share their
 * failures, so use it only to refuse requests that failed.
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

/** Tolerance for rounding errors of added fractions. */
const ROUNDING = 1e-6

/** The number of failures in each counter, and when it had that many. */
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
