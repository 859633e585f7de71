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

/** The times of entries, in the order of the file. */
export function assignTimes(entries: readonly Recorded[]): EntryTimes[] {
  const known = entries.map(readTimes)
  const times: EntryTimes[] = []
  const around = { before: -1, after: -1 }
  for (const [index, own] of known.entries()) {
    if (own) around.before = index
    // Looked for once for each gap: a recording may have thousands of entries without a time.
    else if (around.after < index) around.after = findNextKnown(known, index)
    times.push(own ?? interpolateTimes(known, around, index))
  }
  return times
}

/** The index of the next entry whose time is known; the length if there is none. */
function findNextKnown(known: readonly (EntryTimes | undefined)[], from: number): number {
  let next = from
  while (next < known.length && known[next] === undefined) next++
  return next
}

function readTimes({ startedDateTime, time }: Recorded): EntryTimes | undefined {
  const sentAt = parsePlausibleTime(startedDateTime)
  if (sentAt === undefined) return undefined

  const tookMs = Number(time)
  const isKnown = Number.isFinite(tookMs) && tookMs > 0
  return { sentAt, completeAt: isKnown ? sentAt + tookMs : sentAt, isUnknown: false }
}

/** The indexes of the neighbours whose times are known, or those before and after all entries. */
interface Neighbours {
  readonly before: number
  readonly after: number
}

/** A share of the time between the neighbours, so that entries without a time keep their order. */
function interpolateTimes(
  known: readonly (EntryTimes | undefined)[],
  { before, after }: Neighbours,
  index: number,
): EntryTimes {
  const next = known[after]?.sentAt
  const from = known[before]?.completeAt ?? next ?? now()
  const until = Math.max(from, next ?? from)
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

/** Milliseconds since 1970; undefined for what is no date, or one that no recording can have. */
function parsePlausibleTime(value: unknown): number | undefined {
  const moment = typeof value === 'number' ? value : parseTime(String(value))
  const isPlausible = moment > YEAR_2000_MS && moment < YEAR_2200_MS
  return isPlausible ? moment : undefined
}

function parseTime(text: string): number {
  if (/^\d{12,14}(\.\d+)?$/.test(text)) return Number(text)
  return DATES.some((date) => date.test(text)) ? Date.parse(text) : Number.NaN
}
