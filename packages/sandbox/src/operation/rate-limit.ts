export interface RateLimit {
  take(key: string, cost?: number): number
  charge(key: string, cost: number): void
}
export function createRateLimit(_: { capacity: number; refillPerSecond: number }): RateLimit {
  return { take: () => 0, charge: () => {} }
}
