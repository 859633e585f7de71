import { type AheadRange, computeAheadRange, readDate } from '../model/date.ts'
import type { TimedEntry } from './repeated.ts'

/** Of so many entries, one at most follows a set-back in a file that is in the order of time. */
const ENTRIES_PER_SET_BACK = 10

/**
 * Moves the entries after a set-back of the recorder's clock to later times, so that they come after the entries
 * before it. If the recorder wrote 10:05 and then 10:01, and the `Date` of the service was 10:05 and then 10:06, the
 * second entry moves by four minutes. Without such a proof, somebody may have sorted the file, and nothing moves.
 */
export function undoSetBacks(entries: readonly TimedEntry[]): TimedEntry[] {
  if (!mayHaveSetBacks(entries)) return [...entries]

  const dates = entries.map(readServiceDate)
  const nextDates = listNextDates(dates)
  const moved: TimedEntry[] = []
  // The last known date above the entry.
  let lastDate: ServiceDate | undefined
  let totalSetBackMs = 0
  for (const [index, timed] of entries.entries()) {
    const previous = entries[index - 1]
    const isBackStep = previous !== undefined && isBefore(timed, previous)
    if (isBackStep && wasSetBack(lastDate, nextDates[index]))
      totalSetBackMs += previous.times.sentAt - timed.times.sentAt

    moved.push(addTime(timed, totalSetBackMs))
    lastDate = dates[index] ?? lastDate
  }
  return moved
}

/** Whether some entries begin before the ones above them, but so few that the file is in the order of time. */
function mayHaveSetBacks(entries: readonly TimedEntry[]): boolean {
  const backSteps = entries.filter((entry, index) => isBefore(entry, entries[index - 1])).length
  const maxSetBacks = Math.max(1, entries.length / ENTRIES_PER_SET_BACK)
  return backSteps > 0 && backSteps <= maxSetBacks
}

/** Whether an entry was complete before the one above it in the file was sent. */
function isBefore({ times }: TimedEntry, previous: TimedEntry | undefined): boolean {
  return previous !== undefined && times.completeAt < previous.times.sentAt
}

/** When the service sent a response, and how far it was ahead of the recorder. */
interface ServiceDate {
  readonly date: number
  readonly ahead: AheadRange
}

/** Reads the Date of an entry; undefined if it has none. */
function readServiceDate({ entry, times }: TimedEntry): ServiceDate | undefined {
  const date = readDate(entry)
  return date === undefined ? undefined : { date, ahead: computeAheadRange(date, times) }
}

/** Lists for each entry its date or, where it has none, that of the next entry with one. */
function listNextDates(dates: readonly (ServiceDate | undefined)[]): (ServiceDate | undefined)[] {
  const nextDates = [...dates]
  for (let index = dates.length - 2; index >= 0; index--) nextDates[index] ??= nextDates[index + 1]
  return nextDates
}

/**
 * Whether two dates of the service prove that the recorder's clock was set back between them: the second is not
 * earlier, and the service's clock is further ahead of the recorder's. How far is known only within a range
 * (`ahead`), such as 0 to 1,500 ms. False if one of both dates is not known.
 */
function wasSetBack(above: ServiceDate | undefined, below: ServiceDate | undefined): boolean {
  if (!above || !below) return false

  // Entries of one second have one date in any order, so that the dates alone prove nothing.
  const isFurtherAhead = below.ahead.leastMs > above.ahead.mostMs
  return isFurtherAhead && below.date >= above.date
}

function addTime(timed: TimedEntry, ms: number): TimedEntry {
  const { times } = timed
  const moved = { ...times, sentAt: times.sentAt + ms, completeAt: times.completeAt + ms }
  return { ...timed, times: moved }
}
