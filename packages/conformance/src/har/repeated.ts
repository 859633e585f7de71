import { isRead } from '../history.ts'
import { type Entry, nameResponseState } from './entries.ts'
import type { EntryTimes } from './times.ts'

/** An entry with its time. */
export interface TimedEntry {
  readonly entry: Entry
  readonly times: EntryTimes
}

/**
 * An entry is compared with so many exchanges at most of each key and text, the last ones. Without a limit, a recording
 * of 20,000 entries that begin at one time would take half a minute.
 */
const MAX_COMPARED_EXCHANGES = 1_000

/** One exchange, whose entries are joined so far. */
interface JoinedExchange {
  /** Its index in the list of all exchanges, by which the later one of two is chosen. */
  readonly position: number
  joined: TimedEntry
}

/**
 * Joins entries of a recording that are one and the same exchange, and returns one for each, in the order of the
 * first ones. An exchange is recorded twice by a page and its service worker, by a redirect inside the browser, or if
 * two recordings were put together. What one entry lacks, such as a body, is taken from the other one.
 */
export function joinRepeated(entries: readonly TimedEntry[]): TimedEntry[] {
  const exchanges: JoinedExchange[] = []
  const index = createExchangeIndex()
  for (const timed of entries) {
    const earlier = index.findLast(timed)
    if (earlier) {
      earlier.joined = mergeEntries(earlier.joined, timed)
      index.add(timed.entry, earlier)
    } else {
      const exchange = { position: exchanges.length, joined: timed }
      exchanges.push(exchange)
      index.add(timed.entry, exchange)
    }
  }
  return exchanges.map(({ joined }) => joined)
}

/** The exchanges with a key in common, in order. */
interface ExchangesOfKey {
  readonly all: JoinedExchange[]
  /** By the texts of their responses. */
  readonly byText: Map<string, JoinedExchange[]>
}

/**
 * Creates the index of the exchanges that were read so far, in which an entry finds the one that it shows again. It
 * compares only entries with a key in common, such as `page GET https://…`, and the same text of the response: each
 * with each would take seconds in a large recording.
 */
function createExchangeIndex() {
  /** By each key of their entries. */
  const exchangesByKey = new Map<string, ExchangesOfKey>()

  /** Lists the exchanges that may be that of the entry: for each key and text in common, those in their order. */
  function listCandidates(entry: Entry): JoinedExchange[][] {
    const text = readText(entry)
    return listCounterpartKeys(entry).flatMap((key) => listWithText(exchangesByKey.get(key), text))
  }

  return {
    /** Remembers that an entry belongs to an exchange. */
    add(entry: Entry, exchange: JoinedExchange): void {
      const text = readText(entry)
      for (const key of listKeys(entry)) {
        const exchangesOfKey = exchangesByKey.get(key) ?? { all: [], byText: new Map() }
        exchangesByKey.set(key, exchangesOfKey)
        addExchange(exchangesOfKey, text, exchange)
      }
    },

    /** Finds the last exchange that an entry shows again. Undefined if there is none. */
    findLast(timed: TimedEntry): JoinedExchange | undefined {
      let last: JoinedExchange | undefined
      for (const candidates of listCandidates(timed.entry)) {
        const lastCandidates = candidates.slice(-MAX_COMPARED_EXCHANGES)
        const match = lastCandidates.findLast(({ joined }) => isSameExchange(joined, timed))
        if (match) last = chooseLater(match, last)
      }
      return last
    },
  }
}

function chooseLater(one: JoinedExchange, other: JoinedExchange | undefined): JoinedExchange {
  return other && other.position > one.position ? other : one
}

/** Adds an exchange to those of a key, also to those whose response has the same text. */
function addExchange(
  { all, byText }: ExchangesOfKey,
  text: string,
  exchange: JoinedExchange,
): void {
  all.push(exchange)
  const withText = byText.get(text)
  if (withText) withText.push(exchange)
  else byText.set(text, [exchange])
}

/** Reads the text of a response; empty if none was recorded, which may have been any. */
function readText({ response }: Entry): string {
  return response?.text ?? ''
}

/**
 * Lists the exchanges in which a response may have had the same text: first those with that text, then those whose
 * text is unknown. An empty text is unknown, and may have been any.
 */
function listWithText(exchanges: ExchangesOfKey | undefined, text: string): JoinedExchange[][] {
  if (!exchanges) return []
  const { all, byText } = exchanges
  if (text === '') return [all]
  return [byText.get(text) ?? [], byText.get('') ?? []]
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

/** Lists the keys under which an entry looks for its exchange; `listKeys` lists those under which it is found. */
function listCounterpartKeys(entry: Entry): string[] {
  const target = describeTarget(entry)
  // A service worker passes on the request of a page, or of another worker: any with the same method and URL.
  if (entry.isOfServiceWorker) return [`worker ${target}`, `page ${target}`]
  // A page sends each request once, so that two entries of pages must also have an id or a start in common.
  return [`worker ${target}`, ...listIdKeys(entry)]
}

function describeTarget({ method, url }: Entry): string {
  return `${method} ${url}`
}

/**
 * Whether two entries show one and the same exchange: their messages are equal, and so are the `x-request-id` of both
 * responses or, if one has none, their times. Two entries of a write must be near in time too.
 */
function isSameExchange(one: TimedEntry, other: TimedEntry): boolean {
  if (!isSameRequest(one.entry, other.entry)) return false
  if (!isSameResponse(one.entry, other.entry)) return false

  const { serviceId } = one.entry
  const { serviceId: otherId } = other.entry
  const haveIds = serviceId !== undefined && otherId !== undefined
  // Equal requests at the same time may also be two, so that there must be a reason for two entries.
  if (!haveIds)
    return isAtSameTime(one.times, other.times) && canBeRecordedTwice(one.entry, other.entry)

  if (serviceId !== otherId) return false
  // To a read that is sent again, a cache responds with the id of the first response.
  if (isRead(one.entry)) return true
  // A service may respond to a payment that is sent again with the same id, such as that of the client.
  return mayBeAtSameTime(one.times, other.times)
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

/** Whether the requests of two entries are equal, as far as their bodies were recorded. */
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

/** Some recorders write times without milliseconds. */
const MAX_ROUNDING_MS = 1_000

/** Whether two entries are at about the same time, or one has no time. */
function mayBeAtSameTime(one: EntryTimes, other: EntryTimes): boolean {
  if (one.isUnknown || other.isUnknown) return true
  const gapMs = Math.max(one.sentAt - other.completeAt, other.sentAt - one.completeAt)
  return gapMs <= MAX_ROUNDING_MS
}

function isAtSameTime(one: EntryTimes, other: EntryTimes): boolean {
  return one.sentAt <= other.completeAt && other.sentAt <= one.completeAt
}

/**
 * Merges two entries of one exchange: the first one, with its times and with what it lacks from the second one. That
 * may be the body or the credentials of the request, the response, or the id of the service.
 */
function mergeEntries({ entry, times }: TimedEntry, { entry: other }: TimedEntry): TimedEntry {
  const response = chooseFullResponse(entry, other)
  const hasArrived = entry.responseState !== 'unknown' || other.responseState !== 'unknown'
  const merged: Entry = {
    ...entry,
    request: chooseFullRequest(entry, other),
    responseState: nameResponseState(response, hasArrived),
    response,
    serviceId: entry.serviceId ?? other.serviceId,
  }
  return { times, entry: merged }
}

/** Chooses the request with a body. If both entries or none have one, chooses the request with credentials. */
function chooseFullRequest({ request: one }: Entry, { request: other }: Entry): Entry['request'] {
  const isBodyInOne = one.body !== undefined
  const isBodyInOther = other.body !== undefined
  if (isBodyInOne !== isBodyInOther) return isBodyInOne ? one : other

  const hasCredentials = one.headers.authorization !== undefined
  return hasCredentials ? one : other
}

/** The response of the first entry, unless it has no text and the second entry has a response. */
function chooseFullResponse(one: Entry, other: Entry): Entry['response'] {
  const hasText = readText(one) !== ''
  if (hasText) return one.response
  return other.response ?? one.response
}
