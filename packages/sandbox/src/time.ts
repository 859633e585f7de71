/** A moment as the contract writes it (RFC 3339, section 5.6, in UTC). */
export function timestamp(ms: number | bigint): string {
  return new Date(Number(ms)).toISOString()
}

/** The same, or null of what has not happened. */
export function timestampOrNull(ms: number | bigint | null): string | null {
  return ms === null ? null : timestamp(ms)
}

/** The same, or an empty text of what has not happened. */
export function timestampOrEmpty(ms: number | bigint | null): string {
  return ms === null ? '' : timestamp(ms)
}
