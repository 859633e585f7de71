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
        wait: secondsFor(excess, refillPerSecond),
        add() {
          counts[i] = count + 1
          times[i] = now
        },
      }
    },
  }
}

/** A token bucket for each partner. */
export interface RateLimit {
  /**
   * Spends a token if the partner has one.
   *
   * @returns 0 when it was spent; else the whole seconds after which it can be, for Retry-After (RFC 9110, section 10.2.3)
   */
  take(partner_id: string): number
  /** Charges an additional cost after the request. The balance may go down to minus the capacity. */
  charge(partner_id: string, cost: number): void
}

interface RateLimitOptions {
  /** The maximum that a partner can spend at once. */
  readonly capacity: number
  readonly refillPerSecond: number
  /** A monotonic clock in milliseconds; default `performance.now`. */
  readonly clock?: () => number
}

export function createRateLimit(options: RateLimitOptions): RateLimit {
  const { capacity, refillPerSecond, clock = () => performance.now() } = options
  const buckets = new Map<string, { left: number; at: number }>()
  const bucketOf = (key: string) => {
    const at = clock()
    const old = buckets.get(key) ?? { left: capacity, at }
    const refill = (Math.max(0, at - old.at) / 1_000) * refillPerSecond
    const bucket = { left: Math.min(capacity, old.left + refill), at }
    buckets.set(key, bucket)
    return bucket
  }
  return {
    take(key) {
      const bucket = bucketOf(key)
      const seconds = secondsFor(1 - bucket.left, refillPerSecond)
      if (seconds === 0) bucket.left--
      return seconds
    },
    charge(key, cost) {
      const bucket = bucketOf(key)
      bucket.left = Math.max(bucket.left - cost, -capacity)
    },
  }
}

/** Tolerance for rounding errors: a caller that waited for the returned seconds must be admitted. */
const ROUNDING = 1e-6

/** Whole seconds until this much is refilled. */
function secondsFor(missing: number, refillPerSecond: number): number {
  return missing > ROUNDING ? Math.ceil((missing - ROUNDING) / refillPerSecond) : 0
}
