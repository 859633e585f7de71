import { hash } from 'node:crypto'

/** How much a key may use at once, and how much of that comes back each second. */
interface Refill {
  readonly capacity: number
  readonly refillPerSecond: number
  /** A monotonic clock in milliseconds; default `performance.now`. */
  readonly clock?: () => number
}

/** Limits failures, each counted for several subjects. */
export type FailureLimit = ReturnType<typeof createFailureLimit>

interface FailureLimitOptions {
  readonly kinds: readonly Refill[]
  /** Makes it unpredictable which subjects share a counter. */
  readonly salt: string
  /** Counters per kind. */
  readonly counters?: number
}

/**
 * Creates a limit for failures, such as wrong passwords, counted for each subject, such as a client
 * key. The number of counters is fixed: the hash of a subject selects one, and no flood of subjects
 * resets it. Subjects can share a counter, so never refuse a request by it that has not failed.
 *
 * @param options.kinds the limit of each kind of subject; each has its own counters
 */
export function createFailureLimit(options: FailureLimitOptions) {
  const { kinds, salt, counters: countersPerKind = 16_384 } = options
  const limits = kinds.map((kind) => createRateLimit<number>(kind))

  /** The number of the counter of a subject. */
  function chooseCounter(subject = ''): number {
    const digest = hash('sha256', `${salt}\0${subject}`, 'buffer')
    return digest.readUInt32BE() % countersPerKind
  }

  return {
    /**
     * Counts a failure, unless one of its subjects has reached its limit.
     *
     * @param subjects one per kind, such as a source and a client key
     * @returns 0 if it was counted; else the seconds to wait, for Retry-After (RFC 9110, section
     *   10.2.3)
     */
    count(subjects: readonly string[]): number {
      const counters = limits.map((limit, i) => ({ limit, counter: chooseCounter(subjects[i]) }))
      const waits = counters.map(({ limit, counter }) => limit.wait(counter))
      const seconds = Math.max(...waits)
      if (seconds > 0) return seconds

      for (const { limit, counter } of counters) limit.charge(counter, 1)
      return 0
    },
  }
}

/**
 * Tolerance for rounding errors: a caller that waited for the returned seconds must be admitted.
 */
const ROUNDING = 1e-6

export type RateLimit = Pick<ReturnType<typeof createRateLimit<string>>, 'take' | 'charge'>

/** Creates a limit for each key. */
export function createRateLimit<Key>({
  capacity,
  refillPerSecond,
  clock = () => performance.now(),
}: Refill) {
  const buckets = new Map<Key, { readonly used: number; readonly at: number }>()

  /** How many requests a key has used, less those that have come back with the time since then. */
  function computeUsed(key: Key): number {
    const bucket = buckets.get(key)
    if (!bucket) return 0
    const seconds = (clock() - bucket.at) / 1_000
    return Math.max(0, bucket.used - seconds * refillPerSecond)
  }

  /** Whole seconds until the key can use one more. */
  function wait(key: Key): number {
    const missing = computeUsed(key) + 1 - capacity - ROUNDING
    return missing > 0 ? Math.ceil(missing / refillPerSecond) : 0
  }

  /** Charges a cost, up to once more the capacity. */
  function charge(key: Key, cost: number): void {
    const used = Math.min(computeUsed(key) + cost, 2 * capacity)
    buckets.set(key, { used, at: clock() })
  }

  return {
    wait,
    charge,
    /**
     * Counts a request, unless the key has reached its limit. Returns 0 if it was counted, else the
     * seconds to wait.
     */
    take(key: Key): number {
      const seconds = wait(key)
      if (seconds > 0) return seconds

      charge(key, 1)
      return 0
    },
  }
}
