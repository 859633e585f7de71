import type { Entry } from './entries.ts'
import type { EntryTimes } from './times.ts'

/** An entry with its time. */
export interface TimedEntry {
  readonly entry: Entry
  readonly times: EntryTimes
}

/**
 * Joins entries of a recording that are one and the same exchange, and returns the list without
 * duplicates. An exchange is recorded twice by a page and by its service worker, by a redirect inside the
 * browser, or if two recordings were put together. What one entry lacks is taken from the other one.
 */
export function joinRepeated(entries: readonly TimedEntry[]): TimedEntry[] {
  const joined: TimedEntry[] = []
  const index = createEntryIndex()
  for (const next of entries) {
    const isSame = (place: number) => {
      const earlier = joined[place]
      return earlier !== undefined && isSameExchange(earlier, next)
    }
    // An entry that repeats no earlier one comes to the end of the list.
    const place = index.findLast(next.entry, isSame) ?? joined.length
    const earlier = joined[place]
    joined[place] = earlier ? mergeEntries(earlier, next) : next
    index.add(next.entry, place)
  }
  return joined
}

/** The places of entries in order, by the texts of their responses. */
type PlacesByText = Map<string, number[]>

/**
 * Remembers at which place of a list each entry stands, under keys such as `page GET https://…` and
 * the text of its response, so that only entries with a key and a text in common are compared. To
 * compare each with each would take seconds in a recording of ten thousand.
 */
function createEntryIndex() {
  const placesByKey = new Map<string, PlacesByText>()
  return {
    /** Remembers that an entry stands at a place of the list. */
    add(entry: Entry, place: number): void {
      const text = readText(entry)
      for (const key of listKeys(entry)) {
        const placesByText: PlacesByText = placesByKey.get(key) ?? new Map()
        placesByKey.set(key, placesByText)
        const places = placesByText.get(text)
        if (places) places.push(place)
        else placesByText.set(text, [place])
      }
    },

    /**
     * Finds the last place of the list at which the same exchange as in an entry stands. Undefined if there
     * is none. Compares only entries that have a key in common with a counterpart of this one.
     */
    findLast(entry: Entry, isSame: (place: number) => boolean): number | undefined {
      let lastPlace: number | undefined
      for (const key of listCounterpartKeys(entry)) {
        for (const places of listCandidates(placesByKey.get(key), readText(entry))) {
          const place = places.findLast(isSame)
          if (place !== undefined) lastPlace = Math.max(place, lastPlace ?? place)
        }
      }
      return lastPlace
    },
  }
}

/** Reads the text of a response; empty if none was recorded, which may have been any. */
function readText({ response }: Entry): string {
  return response?.text ?? ''
}

/** Lists the places at which a response may have had the same text. */
function listCandidates(placesByText: PlacesByText | undefined, text: string): number[][] {
  if (!placesByText) return []
  if (text === '') return [...placesByText.values()]
  return [placesByText.get(text) ?? [], placesByText.get('') ?? []]
}

/**
 * Lists the keys under which an entry is found as a copy of another one: `page GET https://…`, and such keys
 * with its ids and its start.
 */
function listKeys(entry: Entry): string[] {
  const { serviceId, recorderId, startedDateTime, isOfServiceWorker } = entry
  const target = describeTarget(entry)
  const names = [`${isOfServiceWorker ? 'worker' : 'page'} ${target}`]
  if (serviceId !== undefined) names.push(`service ${serviceId} ${target}`)
  if (recorderId !== undefined) names.push(`recorder ${recorderId} ${target}`)
  // Invalid values, such as an object, are never equal.
  if (typeof startedDateTime === 'string') names.push(`start ${startedDateTime} ${target}`)
  return names
}

/** Lists the keys of entries that may be the same: any one, if one of both is of a service worker. */
function listCounterpartKeys(entry: Entry): string[] {
  const target = describeTarget(entry)
  if (entry.isOfServiceWorker) return [`worker ${target}`, `page ${target}`]

  // The first key, `page …`, is left out: two entries of pages must also have an id or a start in common.
  const [, ...keysWithId] = listKeys(entry)
  return [`worker ${target}`, ...keysWithId]
}

function describeTarget({ method, url }: Entry): string {
  return `${method} ${url}`
}

/**
 * Whether two entries show one and the same exchange: their messages are equal, and the service gave them
 * one id. Without such ids, their times must overlap, and the recorder must have a reason to record twice.
 */
function isSameExchange(one: TimedEntry, other: TimedEntry): boolean {
  const isSameMessage =
    isSameRequest(one.entry, other.entry) && isSameResponse(one.entry, other.entry)
  if (!isSameMessage) return false

  const { serviceId } = one.entry
  const areNamed = serviceId !== undefined && other.entry.serviceId !== undefined
  if (areNamed) return serviceId === other.entry.serviceId

  if (!isAtSameTime(one.times, other.times)) return false
  const { recorderId } = one.entry
  const isOneForRecorder = recorderId !== undefined && recorderId === other.entry.recorderId
  const isOfServiceWorker = one.entry.isOfServiceWorker || other.entry.isOfServiceWorker
  return isOneForRecorder || isOfServiceWorker || isCopy(one.entry, other.entry)
}

/** Whether two entries are equal, even in the time at which they began. */
function isCopy(one: Entry, other: Entry): boolean {
  const isSameStart = one.startedDateTime === other.startedDateTime
  return isSameStart && one.startedDateTime !== undefined
}

function isSameRequest(one: Entry, other: Entry): boolean {
  if (one.method !== other.method || one.url !== other.url) return false

  const { body } = one.request
  const isUnknown = body === undefined || other.request.body === undefined
  return isUnknown || body === other.request.body
}

/** Whether the responses of two entries are equal, as far as both were recorded. */
function isSameResponse(one: Entry, other: Entry): boolean {
  if (!one.response || !other.response) return true
  if (one.response.status !== other.response.status) return false

  const { text } = one.response
  const isUnknown = text === '' || other.response.text === ''
  return isUnknown || text === other.response.text
}

function isAtSameTime(one: EntryTimes, other: EntryTimes): boolean {
  return one.sentAt <= other.completeAt && other.sentAt <= one.completeAt
}

/** Merges two entries of one exchange: a body, a response or an id that the first lacks is the second's. */
function mergeEntries(one: TimedEntry, other: TimedEntry): TimedEntry {
  const { request, response } = one.entry
  const isBodyKnown = request.body !== undefined
  const isTextKnown = response !== undefined && response.text !== ''
  const fullResponse = isTextKnown ? response : (other.entry.response ?? response)
  const hasNoResponse = one.entry.hasNoResponse && other.entry.hasNoResponse
  return {
    times: one.times,
    entry: {
      ...one.entry,
      request: isBodyKnown ? request : other.entry.request,
      response: fullResponse,
      isBodyMissing: fullResponse === undefined && !hasNoResponse,
      hasNoResponse,
      serviceId: one.entry.serviceId ?? other.entry.serviceId,
    },
  }
}
