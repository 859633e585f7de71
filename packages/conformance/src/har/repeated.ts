import type { Entry } from './entries.ts'
import type { EntryTimes } from './times.ts'

/** An entry with its time. */
export interface TimedEntry {
  readonly entry: Entry
  readonly times: EntryTimes
}

/** A place in the list of joined entries, and the entry that stands there so far. */
interface Slot {
  readonly place: number
  joined: TimedEntry
}

/**
 * Joins entries of a recording that are one and the same exchange, and returns the list without
 * duplicates. An exchange is recorded twice by a page and by its service worker, by a redirect inside the
 * browser, or if two recordings were put together. What one entry lacks is taken from the other one.
 */
export function joinRepeated(entries: readonly TimedEntry[]): TimedEntry[] {
  const slots: Slot[] = []
  const index = createSlotIndex()
  for (const timed of entries) {
    let slot = index.findLast(timed)
    if (slot) {
      slot.joined = mergeEntries(slot.joined, timed)
    } else {
      slot = { place: slots.length, joined: timed }
      slots.push(slot)
    }
    index.add(timed.entry, slot)
  }
  return slots.map(({ joined }) => joined)
}

/** Slots in order, by the texts of their responses. */
type SlotsByText = Map<string, Slot[]>

/**
 * Remembers the slot of each entry, under keys such as `page GET https://…` and the text of its response, so
 * that only entries with a key and a text in common are compared. To compare each with each would take
 * seconds in a recording of ten thousand.
 */
function createSlotIndex() {
  const slotsByKey = new Map<string, SlotsByText>()
  return {
    /** Remembers that an entry stands in a slot. */
    add(entry: Entry, slot: Slot): void {
      for (const key of listKeys(entry)) {
        const slotsByText: SlotsByText = slotsByKey.get(key) ?? new Map()
        slotsByKey.set(key, slotsByText)
        addSlot(slotsByText, readText(entry), slot)
      }
    },

    /** Finds the last slot in which the same exchange as in an entry stands. Undefined if there is none. */
    findLast(timed: TimedEntry): Slot | undefined {
      const text = readText(timed.entry)
      let last: Slot | undefined
      for (const key of listCounterpartKeys(timed.entry)) {
        for (const slots of listCandidates(slotsByKey.get(key), text)) {
          const slot = slots.findLast(({ joined }) => isSameExchange(joined, timed))
          if (slot) last = chooseLater(slot, last)
        }
      }
      return last
    },
  }
}

function chooseLater(slot: Slot, other: Slot | undefined): Slot {
  return other && other.place >= slot.place ? other : slot
}

function addSlot(slotsByText: SlotsByText, text: string, slot: Slot): void {
  const slots = slotsByText.get(text)
  if (slots) slots.push(slot)
  else slotsByText.set(text, [slot])
}

/** Reads the text of a response; empty if none was recorded, which may have been any. */
function readText({ response }: Entry): string {
  return response?.text ?? ''
}

/** Lists the slots in which a response may have had the same text. */
function listCandidates(slotsByText: SlotsByText | undefined, text: string): Slot[][] {
  if (!slotsByText) return []
  if (text === '') return [...slotsByText.values()]
  return [slotsByText.get(text) ?? [], slotsByText.get('') ?? []]
}

/** Lists the keys under which an entry is found as a copy of another one: `page GET https://…` and others. */
function listKeys(entry: Entry): string[] {
  const sender = entry.isOfServiceWorker ? 'worker' : 'page'
  return [`${sender} ${describeTarget(entry)}`, ...listIdKeys(entry)]
}

/** Lists the keys of an entry with its ids and its start: `service req_1 GET https://…`. */
function listIdKeys(entry: Entry): string[] {
  const { serviceId, recorderId, startedDateTime } = entry
  const target = describeTarget(entry)
  const keys: string[] = []
  if (serviceId !== undefined) keys.push(`service ${serviceId} ${target}`)
  if (recorderId !== undefined) keys.push(`recorder ${recorderId} ${target}`)
  // Invalid values, such as an object, are never equal.
  if (typeof startedDateTime === 'string') keys.push(`start ${startedDateTime} ${target}`)
  return keys
}

/** Lists the keys of entries that may be the same: any one, if one of both is of a service worker. */
function listCounterpartKeys(entry: Entry): string[] {
  const target = describeTarget(entry)
  if (entry.isOfServiceWorker) return [`worker ${target}`, `page ${target}`]
  // Two entries of pages must also have an id or a start in common.
  return [`worker ${target}`, ...listIdKeys(entry)]
}

function describeTarget({ method, url }: Entry): string {
  return `${method} ${url}`
}

/**
 * Whether two entries show one and the same exchange: their messages are equal, and the service gave them
 * one id. Without such ids, their times must overlap, and the recorder must have a reason to record twice.
 */
function isSameExchange(one: TimedEntry, other: TimedEntry): boolean {
  if (!isSameRequest(one.entry, other.entry)) return false
  if (!isSameResponse(one.entry, other.entry)) return false

  const { serviceId } = one.entry
  const { serviceId: otherId } = other.entry
  const haveIds = serviceId !== undefined && otherId !== undefined
  if (haveIds) return serviceId === otherId

  return isAtSameTime(one.times, other.times) && canBeRecordedTwice(one.entry, other.entry)
}

/** Whether the recorder says that two entries are one, or records such entries twice. */
function canBeRecordedTwice(one: Entry, other: Entry): boolean {
  const isOneForRecorder = one.recorderId !== undefined && one.recorderId === other.recorderId
  const isOfServiceWorker = one.isOfServiceWorker || other.isOfServiceWorker
  return isOneForRecorder || isOfServiceWorker || isCopy(one, other)
}

/** Whether two entries are equal, even in the time at which they began. */
function isCopy(one: Entry, other: Entry): boolean {
  const isSameStart = one.startedDateTime === other.startedDateTime
  return isSameStart && one.startedDateTime !== undefined
}

function isSameRequest(one: Entry, other: Entry): boolean {
  if (one.method !== other.method || one.url !== other.url) return false

  const { body } = one.request
  const { body: otherBody } = other.request
  const isUnknown = body === undefined || otherBody === undefined
  return isUnknown || body === otherBody
}

/** Whether the responses of two entries are equal, as far as both were recorded. */
function isSameResponse(one: Entry, other: Entry): boolean {
  if (!one.response || !other.response) return true
  if (one.response.status !== other.response.status) return false

  const text = readText(one)
  const otherText = readText(other)
  const isUnknown = text === '' || otherText === ''
  return isUnknown || text === otherText
}

function isAtSameTime(one: EntryTimes, other: EntryTimes): boolean {
  return one.sentAt <= other.completeAt && other.sentAt <= one.completeAt
}

/** Merges two entries of one exchange: a body, a response or an id that the first lacks is the second's. */
function mergeEntries({ entry, times }: TimedEntry, { entry: other }: TimedEntry): TimedEntry {
  const hasRequestBody = entry.request.body !== undefined
  const response = chooseFullResponse(entry, other)
  const hasNoResponse = entry.hasNoResponse && other.hasNoResponse
  const merged: Entry = {
    ...entry,
    request: hasRequestBody ? entry.request : other.request,
    response,
    isBodyMissing: response === undefined && !hasNoResponse,
    hasNoResponse,
    serviceId: entry.serviceId ?? other.serviceId,
  }
  return { times, entry: merged }
}

/** The response of the first entry, unless it has no text and the second entry has a response. */
function chooseFullResponse(one: Entry, other: Entry): Entry['response'] {
  const hasText = readText(one) !== ''
  if (hasText) return one.response
  return other.response ?? one.response
}
