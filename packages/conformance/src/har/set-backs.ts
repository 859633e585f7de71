import { readDate } from '../model/date.ts'
import type { TimedEntry } from './repeated.ts'

/** Of so many entries, one at most follows a set-back in a file that is in the order of time. */
const ENTRIES_PER_SET_BACK = 10

/**
 * Moves the entries after a set-back of the recorder's clock to later times, so that they come after the entries
 * before it.
 *
 * A recorder writes entries in the order of time. Where one begins and ends before the one above it, either its
 * clock was set back in between, or somebody has sorted or joined the file. The dates of the service tell which:
 * in the first case, they go on.
 */
export function undoSetBacks(entries: readonly TimedEntry[]): TimedEntry[] {
  const backSteps = entries.filter((entry, index) => isBefore(entry, entries[index - 1])).length
  const isInOrder = backSteps <= Math.max(1, entries.length / ENTRIES_PER_SET_BACK)
  if (backSteps === 0 || !isInOrder) return [...entries]

  const isLaterByDate = createDateComparison(entries)
  let addedMs = 0
  return entries.map((timed, index) => {
    const previous = entries[index - 1]
    if (previous && isBefore(timed, previous) && isLaterByDate(index))
      addedMs += previous.times.sentAt - timed.times.sentAt
    return addedMs === 0 ? timed : { ...timed, times: addTime(timed.times, addedMs) }
  })
}

/** Whether an entry was complete before the one above it in the file was sent. */
function isBefore({ times }: TimedEntry, previous: TimedEntry | undefined): boolean {
  return previous !== undefined && times.completeAt < previous.times.sentAt
}

/** By how many milliseconds the clock of the service may be ahead of the recorder's, as a Date shows. */
interface DatedEntry {
  readonly date: number
  readonly leastAheadMs: number
  readonly mostAheadMs: number
}

/**
 * Creates a predicate that says whether the service dates the entry at an index, or the next one with a date,
 * not before the last one above it, although the recorder says so.
 */
function createDateComparison(entries: readonly TimedEntry[]): (index: number) => boolean {
  const dated = entries.map(readDatedEntry)
  const lastDated: (DatedEntry | undefined)[] = []
  for (const [index, entry] of dated.entries()) lastDated.push(entry ?? lastDated[index - 1])

  return (index) => {
    const below = dated.slice(index).find((entry) => entry !== undefined)
    const above = lastDated[index - 1]
    if (!below || !above) return false

    // Within a second, two entries that overlap in two windows have one date too.
    const wasSet = below.leastAheadMs > above.mostAheadMs
    return wasSet && below.date >= above.date
  }
}

/** Reads the Date of an entry. The service wrote it during the exchange, without fractions of a second. */
function readDatedEntry({ entry, times }: TimedEntry): DatedEntry | undefined {
  const date = readDate(entry)
  if (date === undefined) return undefined
  return {
    date,
    leastAheadMs: date - times.completeAt,
    mostAheadMs: date + 1_000 - times.sentAt,
  }
}

function addTime(times: TimedEntry['times'], ms: number): TimedEntry['times'] {
  return { ...times, sentAt: times.sentAt + ms, completeAt: times.completeAt + ms }
}
