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

/**
 * The later of a column and a moment, as an expression of two values, both that moment. A clock that went back then
 * leaves no record that was updated before it was created.
 */
export function laterOf(column: string): string {
  return `CASE WHEN ${column} > ? THEN ${column} ELSE ? END`
}
