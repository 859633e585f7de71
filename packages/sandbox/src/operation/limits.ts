import { hash } from 'node:crypto'

/** How much a key may use at once, and how much of that comes back each second. */
interface Refill {
  readonly capacity: number
  readonly refillPerSecond: number
}

/** Options of {@link createFailureLimit}. */
interface FailureLimitOptions {
  /** The kinds of subjects. */
  readonly kinds: readonly Refill[]
  /** Makes it unpredictable which subjects share a counter. */
  readonly salt: string
  /** Counters per kind; default 16,384. */
  readonly counters?: number
  /** A monotonic clock in milliseconds; default `performance.now`. */
  readonly clock?: () => number
}

/** Limits failures, each counted for several subjects. */
export interface FailureLimit {
  /**
   * Counts a failure, unless one of its subjects has reached its limit.
   *
   * @param subjects one per kind
   * @returns 0 if it was counted; else the seconds to wait, for Retry-After (RFC 9110, section 10.2.3)
   */
  count(subjects: readonly string[]): number
}

/**
 * Creates a limit for failures with bounded memory: the hash of a subject selects one of a fixed number of counters.
 * Counters are never evicted, so inventing subjects does not reset one. Subjects that share a counter share their
 * failures, so use it only to refuse requests that failed.
 */
export function createFailureLimit(options: FailureLimitOptions): FailureLimit {
  const { kinds, salt, counters = 16_384, clock } = options
  const tables = kinds.map((kind) => createBuckets<number>(kind, clock))
  return {
    count(subjects) {
      const places = subjects.map(
        (it) => hash('sha256', `${salt}\0${it}`, 'buffer').readUInt32BE() % counters,
      )
      const own = tables.map((table, i) => ({ table, place: places[i] ?? 0 }))
      const seconds = Math.max(...own.map(({ table, place }) => table.wait(place)))
      if (seconds === 0) for (const { table, place } of own) table.use(place, 1)
      return seconds
    },
  }
}

/** A limit for each partner. */
export interface RateLimit {
  /**
   * Counts a request, unless the partner has reached its limit.
   *
   * @returns as {@link FailureLimit.count}
   */
  take(partner_id: string): number
  /** Charges an additional cost after the request, up to once more the capacity. */
  charge(partner_id: string, cost: number): void
}

export function createRateLimit({
  clock,
  ...refill
}: Refill & Pick<FailureLimitOptions, 'clock'>): RateLimit {
  const { wait, use } = createBuckets<string>(refill, clock)
  return {
    take(partner_id) {
      const seconds = wait(partner_id)
      if (seconds === 0) use(partner_id, 1)
      return seconds
    },
    charge: use,
  }
}

/** Tolerance for rounding errors: a caller that waited for the returned seconds must be admitted. */
const ROUNDING = 1e-6

/** What each key has used. */
function createBuckets<Key>({ capacity, refillPerSecond }: Refill, clock = () => performance.now()) {
  const buckets = new Map<Key, { readonly used: number; readonly at: number }>()
  const usedBy = (key: Key) => {
    const { used, at } = buckets.get(key) ?? { used: 0, at: 0 }
    return Math.max(0, used - (Math.max(0, clock() - at) / 1_000) * refillPerSecond)
  }
  return {
    /** Whole seconds until the key can use one more. */
    wait(key: Key): number {
      const missing = usedBy(key) + 1 - capacity - ROUNDING
      return missing > 0 ? Math.ceil(missing / refillPerSecond) : 0
    },
    use(key: Key, cost: number): void {
      buckets.set(key, { used: Math.min(usedBy(key) + cost, 2 * capacity), at: clock() })
    },
  }
}
