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
 * entry without a readable time gets one between its neighbours, with `isUnknown: true`.
 */
export function assignTimes(entries: readonly Recorded[]): EntryTimes[] {
  const readable = entries.map(readTimes)
  const times: EntryTimes[] = []
  let index = 0
  while (index < readable.length) {
    const readTime = readable[index]
    if (readTime) {
      times.push(readTime)
      index++
      continue
    }

    // All entries up to the next readable one share the gap.
    const nextIndex = findNextReadable(readable, index)
    const gap = { before: times.at(-1), after: readable[nextIndex], count: nextIndex - index }
    for (const filled of fillGap(gap)) times.push(filled)
    index = nextIndex
  }
  return times
}

/** Entries without a readable time that follow each other. */
interface Gap {
  readonly count: number
  /** The time of the entry above them; undefined at the beginning of the file. */
  readonly before: EntryTimes | undefined
  /** The time of the entry below them; undefined at the end of the file. */
  readonly after: EntryTimes | undefined
}

/**
 * Computes the times of entries without a readable time. They share the time of the gap between their
 * neighbours evenly, so that they keep their order: two entries between 1000 and 1100 get 1000 to 1050, and 1050 to
 * 1100.
 */
function fillGap({ before, after, count }: Gap): EntryTimes[] {
  const start = before?.completeAt ?? after?.sentAt
  const isWholeFile = start === undefined
  if (isWholeFile) return Array.from({ length: count }, createUnknownTimesNow)

  // With one neighbour alone, and where the neighbours overlap, all get the same time.
  const end = Math.max(start, after?.sentAt ?? start)
  const shareMs = (end - start) / count
  return Array.from({ length: count }, (_, place) => ({
    sentAt: start + place * shareMs,
    completeAt: start + (place + 1) * shareMs,
    isUnknown: true,
  }))
}

function createUnknownTimesNow(): EntryTimes {
  const at = now()
  return { sentAt: at, completeAt: at, isUnknown: true }
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
  const isDuration = tookMs > 0 && sentAt + tookMs < YEAR_2200_MS
  return { sentAt, completeAt: isDuration ? sentAt + tookMs : sentAt, isUnknown: false }
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
