/** A time as the contract writes it (RFC 3339, section 5.6, in UTC). */
export function timestamp(ms: number | bigint): string {
  return new Date(Number(ms)).toISOString()
}

/** The same, or null if it has not happened. */
export function timestampOrNull(ms: number | bigint | null): string | null {
  return ms === null ? null : timestamp(ms)
}

/** The same, or an empty string if it has not happened. */
export function timestampOrEmpty(ms: number | bigint | null): string {
  return ms === null ? '' : timestamp(ms)
}

/**
 * An SQL expression for the later of a column and a time. So after the clock went back, no record
 * was updated before it was created.
 *
 * @param time the named parameter of the time, such as `:at`
 */
export function laterExpression(column: string, time: `:${string}`): string {
  return `CASE WHEN ${column} > ${time} THEN ${column} ELSE ${time} END`
}
