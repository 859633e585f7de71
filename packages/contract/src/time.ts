/**
 * Parses a time, in milliseconds since 1970; NaN if the text is no time. RFC 3339 (section 5.7) allows
 * a leap second at the end of a day in UTC, which JavaScript does not parse: `23:59:60Z` is parsed as
 * `23:59:59.999Z`, so that it is in its day and not before `23:59:59Z`.
 */
export function parseTime(text: string): number {
  const [, untilSeconds, zone] = LEAP_SECOND.exec(text) ?? []
  if (untilSeconds === undefined) return Date.parse(text)

  const time = Date.parse(`${untilSeconds}59.999${zone}`)
  const isEndOfDay = (time + 1) % DAY_MS === 0
  return isEndOfDay ? time : Number.NaN
}

const LEAP_SECOND = /^([\d-]{1,10}T\d\d:\d\d:)60(?:\.\d+)?(Z|[+-]\d\d:\d\d)$/i

const DAY_MS = 86_400_000
