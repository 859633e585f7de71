/** Options of {@link createRateLimit}. */
export interface RateLimitOptions {
  /** The maximum that a key can spend at once. */
  capacity: number
  /** How much is refilled per second. */
  refillPerSecond: number
  /** Maximum number of keys. The least recently used key is dropped. Default 10,000. */
  max?: number
  /** A monotonic clock in milliseconds; default `performance.now`. */
  clock?: () => number
}

/** A token bucket for each key. */
export interface RateLimit {
  /**
   * Spends tokens if the key has enough; a cost above the capacity counts as the capacity.
   *
   * @param cost default 1
   * @returns 0 when it was spent; else the whole seconds after which it can be, for Retry-After (RFC 9110,
   * section 10.2.3), and nothing is spent
   */
  take(key: string, cost?: number): number
  /** Charges an additional cost after the request. The balance of a key may go down to minus its capacity. */
  charge(key: string, cost: number): void
}

/**
 * Creates a rate limit.
 *
 * @throws {RangeError} if the capacity or the refill is not above 0
 */
export function createRateLimit(options: RateLimitOptions): RateLimit {
  const { capacity, refillPerSecond, clock = () => performance.now() } = options
  if (!(capacity > 0 && refillPerSecond > 0)) throw new RangeError('capacity and refill must be above 0')
  const buckets = createBuckets(options, clock)
  return {
    take(key, cost = 1) {
      const bucket = buckets.of(key)
      const missing = Math.min(cost, capacity) - bucket.left
      if (missing > rounding) return Math.ceil((missing - rounding) / refillPerSecond)
      bucket.left -= Math.min(cost, capacity)
      return 0
    },
    charge(key, cost) {
      const bucket = buckets.of(key)
      bucket.left = Math.max(bucket.left - cost, -capacity)
    },
  }
}

/** Tolerance for rounding errors: a caller that waited for the returned seconds must be admitted. */
const rounding = 1e-6

interface Bucket {
  left: number
  at: number
}

function createBuckets({ capacity, refillPerSecond, max = 10_000 }: RateLimitOptions, clock: () => number) {
  const buckets = new Map<string, Bucket>()
  return {
    of(key: string): Bucket {
      const at = clock()
      const old = buckets.get(key) ?? { left: capacity, at }
      const refill = (Math.max(0, at - old.at) / 1_000) * refillPerSecond
      const bucket = { left: Math.min(capacity, old.left + refill), at }
      buckets.delete(key)
      buckets.set(key, bucket)
      if (buckets.size > max) forgetOldest(buckets)
      return bucket
    },
  }
}

function forgetOldest(buckets: Map<string, Bucket>): void {
  for (const key of buckets.keys()) {
    buckets.delete(key)
    return
  }
}
