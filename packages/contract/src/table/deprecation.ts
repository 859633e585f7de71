import { fieldsOf, type Json } from '../json/json.ts'

/** What `deprecated` and `x-deprecation` of an operation say. */
export interface Deprecation {
  /** The day from which on it is deprecated, such as `2026-12-01`. */
  readonly since: string | undefined
  /** The day on which it stops working. */
  readonly sunset: string | undefined
}

/**
 * Reads since when an operation is deprecated, and when it stops working; undefined if it is not
 * deprecated.
 */
export function deprecationOf(operation: Json): Deprecation | undefined {
  if (operation.deprecated !== true) return undefined

  const { since, sunset } = fieldsOf(operation['x-deprecation'])
  return {
    since: typeof since === 'string' ? since : undefined,
    sunset: typeof sunset === 'string' ? sunset : undefined,
  }
}

/**
 * Says for people since when an operation is deprecated, and when it stops working.
 *
 * @example
 * deprecationText({ since: '2026-12-01', sunset: '2027-06-01' })
 * // 'Deprecated since 2026-12-01. It stops working on 2027-06-01.'
 */
export function deprecationText({ since, sunset }: Deprecation): string {
  const start = since === undefined ? 'Deprecated.' : `Deprecated since ${since}.`
  const end =
    sunset === undefined
      ? 'A later version of the contract removes it.'
      : `It stops working on ${sunset}.`
  return `${start} ${end}`
}

/**
 * The headers that announce a deprecation in each response: `deprecation` (RFC 9745) and `sunset`
 * (RFC 8594). None if the operation is not deprecated.
 */
export function deprecationHeaders(deprecation: Deprecation | undefined): Record<string, string> {
  if (!deprecation) return {}

  const { since, sunset } = deprecation
  const headers: Record<string, string> = {}
  // A date of structured fields (RFC 9651, section 3.3.7): seconds since 1970.
  if (since !== undefined) headers.deprecation = `@${Date.parse(since) / 1000}`
  if (sunset !== undefined) headers.sunset = new Date(sunset).toUTCString()
  return headers
}
