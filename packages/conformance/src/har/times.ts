import { now } from '../history.ts'

/** When an entry was, by the clock of this machine. */
export interface EntryTimes {
  readonly sentAt: number
  readonly completeAt: number
  /** Whether it lies between its neighbours, since the entry has no time that can be read. */
  readonly isUnknown: boolean
}

/** What an entry says of its time. */
interface Recorded {
  readonly startedDateTime: unknown
  /** Milliseconds until the response was complete. */
  readonly time: unknown
}

/**
 * Gives each entry of a recording the times at which it was sent and complete, in the order of the file. An
 * entry without a readable time gets one between its neighbours.
 */
export function assignTimes(entries: readonly Recorded[]): EntryTimes[] {
  const readable = entries.map(readTimes)
  const times: EntryTimes[] = []
  // The places of the readable entries around this one; -1 while there is none before it.
  let before = -1
  let after = -1
  for (const [index, entryTimes] of readable.entries()) {
    if (entryTimes) {
      before = index
      times.push(entryTimes)
      continue
    }

    // Looked for once for each gap: a recording may have thousands of entries without a time.
    if (after < index) after = findNextReadable(readable, index)
    times.push(interpolateTimes(readable, { before, after }, index))
  }
  return times
}

/** Finds the index of the next entry with a readable time; the number of entries if there is none. */
function findNextReadable(readable: readonly (EntryTimes | undefined)[], from: number): number {
  let next = from
  while (next < readable.length && readable[next] === undefined) next++
  return next
}

/**
 * Reads when an entry was sent and complete. Undefined if its start is no time, or one that no recording
 * can have.
 */
function readTimes({ startedDateTime, time }: Recorded): EntryTimes | undefined {
  const sentAt = parsePlausibleTime(startedDateTime)
  if (sentAt === undefined) return undefined

  const tookMs = Number(time)
  const isDuration = Number.isFinite(tookMs) && tookMs > 0
  return { sentAt, completeAt: isDuration ? sentAt + tookMs : sentAt, isUnknown: false }
}

/** The indexes of the nearest entries with a readable time, or those before and after all entries. */
interface Neighbours {
  readonly before: number
  readonly after: number
}

/**
 * Computes the times of an entry without a readable time. All such entries between two readable ones share
 * the time between these evenly, so that they keep their order.
 *
 * @param index The place of the entry in the file; `before` and `after` are those of the readable ones.
 */
function interpolateTimes(
  readable: readonly (EntryTimes | undefined)[],
  { before, after }: Neighbours,
  index: number,
): EntryTimes {
  // Without a readable entry before, its neighbour after it counts; with neither, the time is now.
  const nextSentAt = readable[after]?.sentAt
  const from = readable[before]?.completeAt ?? nextSentAt ?? now()
  const until = Math.max(from, nextSentAt ?? from)
  const share = (until - from) / (after - before - 1)
  const place = index - before - 1
  return {
    sentAt: from + place * share,
    completeAt: from + (place + 1) * share,
    isUnknown: true,
  }
}

/** A date with a time and its zone, as HAR 1.2 has it, or as HTTP has it. */
const DATES = [
  /^\d{4}-\d\d-\d\dT\d\d:\d\d.*(?:Z|[+-]\d\d:?\d\d)$/i,
  /^\w{3}, \d\d? \w{3} \d{4} \d\d:\d\d:\d\d GMT$/,
]
const YEAR_2000_MS = Date.parse('2000-01-01T00:00:00Z')
const YEAR_2200_MS = Date.parse('2200-01-01T00:00:00Z')

/** Parses a time in milliseconds since 1970; undefined for what no recording can have. */
function parsePlausibleTime(value: unknown): number | undefined {
  const moment = typeof value === 'number' ? value : parseTime(String(value))
  const isPlausible = moment > YEAR_2000_MS && moment < YEAR_2200_MS
  return isPlausible ? moment : undefined
}

/** Parses a date, or a number of milliseconds; not a number for anything else. */
function parseTime(text: string): number {
  if (/^\d{12,14}(\.\d+)?$/.test(text)) return Number(text)
  return DATES.some((date) => date.test(text)) ? Date.parse(text) : Number.NaN
}
