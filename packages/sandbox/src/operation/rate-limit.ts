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
      const missing = 1 - bucket.left
      if (missing > ROUNDING) return Math.ceil((missing - ROUNDING) / refillPerSecond)
      bucket.left--
      return 0
    },
    charge(key, cost) {
      const bucket = bucketOf(key)
      bucket.left = Math.max(bucket.left - cost, -capacity)
    },
  }
}

/** Tolerance for rounding errors: a caller that waited for the returned seconds must be admitted. */
const ROUNDING = 1e-6
