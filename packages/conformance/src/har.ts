import type { ReadBody } from './contract/bodies.ts'
import { valueAt } from './contract/json.ts'
import { createFolderReader, FOLDER_OPTION } from './har/attachments.ts'
import { createDecompressor } from './har/decompression.ts'
import { type Entry, readEntry, readRequestHead } from './har/entries.ts'
import {
  isRedactedHeader,
  isRedactedTarget,
  isRedactedWhole,
  type Redactions,
  readRedactions,
} from './har/placeholders.ts'
import { joinRepeated, type TimedEntry } from './har/repeated.ts'
import { undoSetBacks } from './har/set-backs.ts'
import { assignTimes } from './har/times.ts'
import {
  type Recorded,
  type RecordedExchange,
  type RequestHead,
  replay,
  type Unrecorded,
  WHOLE_BODY,
} from './history.ts'
import { readDate } from './model/date.ts'
import { TRAFFIC_OPTIONS, type TrafficOptions, validateOptions } from './options.ts'
import type { Result } from './report/result.ts'
import { readTraffic, type Traffic } from './traffic.ts'

/** Options of `checkHar`. */
export interface HarOptions extends TrafficOptions {
  /**
   * The folder of the recording, whose files its entries may name (`_file`), as Playwright does.
   * Default: no file is read.
   */
  readonly folder?: string
}

/** The result of a recording. */
export interface HarResult extends Result {
  /** Entries of other hosts or paths, and CORS preflights. */
  readonly leftOut: number
  /** Responses without a recorded body, which cannot be judged. */
  readonly withoutBody: number
}

/** The input is not HAR 1.2. The message says where, and what was expected. */
export class HarError extends Error {
  override readonly name = 'HarError'
}

const OPTIONS = { ...TRAFFIC_OPTIONS, folder: FOLDER_OPTION }

/**
 * Checks recorded traffic (HAR 1.2) by the rules, and its requests by the contract. Nothing is
 * sent. What was not recorded, or was redacted, is unknown, and no rule reads it; `unknown` of the
 * result counts it. Responses of a cache, the browser or a test are left out, and so are requests
 * without a response, although they may have taken effect.
 *
 * @throws {HarError} if the input is not HAR 1.2
 * @throws {ContractError} if the contract cannot be read
 * @throws {TypeError} if an option is unknown or invalid
 *
 * @example
 * const har: unknown = JSON.parse(readFileSync('session.har', 'utf8'))
 * const { findings, leftOut } = checkHar(har, { baseUrl: 'http://127.0.0.1:4020' })
 */
export function checkHar(har: unknown, options: HarOptions = {}): HarResult {
  validateOptions('checkHar', options, OPTIONS)
  const { folder, ...trafficOptions } = options
  const traffic = readTraffic(trafficOptions)
  const recorded = readEntries(har)
  const readable = filterReadable(recorded)

  // Only the entries of the service are read: the bodies of others, such as images, are large.
  const tools = {
    readAttachment: createFolderReader(folder),
    decompress: createDecompressor(),
    readJson: traffic.readBody,
  }
  const ofService = readable
    .filter(({ head }) => isOfService(head, traffic))
    .map(({ entry, head }) => readEntry(entry, head, tools))

  // Then without the responses of a cache, the browser or a test, and then with one entry for each exchange.
  const fromService = ofService.filter((entry) => !entry.isFromElsewhere)
  const exchanges = joinRepeated(undoSetBacks(addTimes(fromService)))
  const events = buildEvents(exchanges, traffic)
  replay(
    events.filter((event) => event !== undefined),
    traffic.history,
  )

  const withoutBody = countResponses(exchanges, 'body missing') + countRedacted(exchanges, events)
  const withoutResponse = countResponses(exchanges, 'unknown')
  // Each of these lists is a part of the one before it: what was left out in between is counted.
  const result = traffic.result('at the end', {
    responseBodies: withoutBody,
    unreadable: recorded.length - readable.length,
    notResponded: ofService.length - fromService.length + withoutResponse,
    recordedTwice: fromService.length - exchanges.length,
  })
  return { ...result, leftOut: readable.length - ofService.length, withoutBody }
}

function countResponses(exchanges: readonly TimedEntry[], state: Entry['responseState']): number {
  return exchanges.filter(({ entry }) => entry.responseState === state).length
}

/** Counts the exchanges whose response was recorded, and whose event has none, because its body is redacted as a whole. */
function countRedacted(
  exchanges: readonly TimedEntry[],
  events: readonly (Recorded | undefined)[],
): number {
  const redacted = exchanges.filter(({ entry }, index) => {
    const event = events[index]
    return entry.response && event?.type === 'exchange' && !event.response
  })
  return redacted.length
}

/** An entry of a recording, and which request it names. */
interface ReadableEntry {
  readonly entry: unknown
  readonly head: RequestHead
}

/**
 * Filters the entries that name a request. One without does not make a recording unusable.
 *
 * @throws {HarError} if no entry names one: then it is no recording
 */
function filterReadable(recorded: readonly unknown[]): readonly ReadableEntry[] {
  const readable: ReadableEntry[] = []
  for (const entry of recorded) {
    const head = readRequestHead(entry)
    if (head) readable.push({ entry, head })
  }
  if (recorded.length > 0 && readable.length === 0)
    throw new HarError(
      'log.entries[0]: expected request.url and request.method, got something else',
    )
  return readable
}

/** Builds the event of the history that each entry of a recording shows; undefined for one that shows none. */
function buildEvents(
  exchanges: readonly TimedEntry[],
  traffic: Traffic,
): readonly (Recorded | undefined)[] {
  const bodies = exchanges.flatMap(({ entry }) => listBodies(entry))
  const redactions = readRedactions(bodies, traffic.readBody)
  return exchanges.map((timed) => buildEvent(timed, redactions, traffic))
}

function addTimes(entries: readonly Entry[]): TimedEntry[] {
  const times = assignTimes(entries)
  // There is one time for each entry.
  return entries.map((entry, index) => ({ entry, times: times[index] as TimedEntry['times'] }))
}

/** Reads the entries of a recording, whatever they contain. */
function readEntries(har: unknown): readonly unknown[] {
  const entries = valueAt(har, '/log/entries')
  if (Array.isArray(entries)) return entries
  throw new HarError('expected a HAR 1.2 with log.entries, got something else')
}

/** Whether a request is one to the checked service, or to the control API of a sandbox. */
function isOfService(head: RequestHead, traffic: Traffic): boolean {
  return traffic.findPath(head) !== undefined || traffic.isControl(head)
}

/** Lists the recorded bodies of an entry, of its request and its response. */
function listBodies({ request, response }: Entry): string[] {
  return [request.body ?? '', response?.text ?? ''].filter((body) => body !== '')
}

/**
 * Builds the event of the history that an entry shows: an exchange, or a change by the control API of a
 * sandbox, which moves its clock or resets it. Undefined if it is neither.
 */
function buildEvent(
  { entry, times }: TimedEntry,
  redactions: Redactions,
  traffic: Traffic,
): Recorded | undefined {
  const { method, url, request } = entry
  const head = { method, url, headers: request.headers }
  const path = traffic.findPath(head)
  if (path === undefined) return traffic.readControlEvent(head, entry.response, times.completeAt)

  const reading = { redactions, readBody: traffic.readBody }
  const { sentAt, completeAt } = times
  // The `Date` of the service proves the time that the recorder wrote.
  const hasDate = readDate(entry) !== undefined
  const exchange: RecordedExchange = {
    type: 'exchange',
    sentAt,
    completeAt,
    ...(times.isUnknown && { hasUnknownTime: true }),
    ...(!hasDate && { hasUnprovenTime: true }),
    ...(entry.responseState === 'unknown' && { hasNoResponse: true }),
    request: buildRequest(entry, path, reading),
  }
  const response = buildResponse(entry, reading)
  return response ? { ...exchange, response } : exchange
}

/**
 * Characters of a path with its query. Servers take a tenth of that, and a query of 2 MB may have a million parameters.
 * What follows is left out, and the target is unknown.
 */
const MAX_TARGET_LENGTH = 100_000

/** How the bodies of a recording are read, and how it was redacted. */
interface Reading {
  readonly redactions: Redactions
  readonly readBody: ReadBody
}

/** Builds the request of an event, without its redacted headers; redacted values are marked as unknown. */
function buildRequest(
  { method, request }: Entry,
  path: string,
  reading: Reading,
): RecordedExchange['request'] {
  const { headers, body, unrecorded } = removeRedacted(request, request.body, reading)
  const isTooLong = path.length > MAX_TARGET_LENGTH
  const isTargetUnknown = isTooLong || isRedactedTarget(path)
  return {
    method,
    path: isTooLong ? path.slice(0, MAX_TARGET_LENGTH) : path,
    headers,
    // Browsers leave credentials out of what they export.
    hidesCredentials: true,
    unrecorded: isTargetUnknown ? { ...unrecorded, target: true } : unrecorded,
    ...(body !== undefined && { body }),
  }
}

/**
 * Builds the response of an event, without its redacted headers; redacted values are marked as unknown.
 * Undefined if no response was recorded, or its body was redacted as a whole.
 */
function buildResponse({ response }: Entry, reading: Reading): RecordedExchange['response'] {
  if (!response) return undefined

  // A recording has one string for each header.
  const recordedHeaders = response.headers as Readonly<Record<string, string>>
  const message = { ...response, headers: recordedHeaders }
  const { headers, body, unrecorded } = removeRedacted(message, response.text, reading)
  // It was redacted as a whole.
  if (body === undefined) return undefined
  return { ...response, headers, unrecorded }
}

interface Message {
  readonly headers: Readonly<Record<string, string>>
  readonly unrecorded?: Unrecorded
}

interface KnownMessage {
  readonly headers: Readonly<Record<string, string>>
  /** Undefined if there is none, or if it was redacted as a whole. */
  readonly body: string | undefined
  /** What was not recorded, or was redacted. */
  readonly unrecorded: Unrecorded
}

/**
 * Removes the redacted headers of a message, and lists the pointers of the redacted values of its body in
 * `unrecorded`, so that no rule reads them: `{ unrecorded: { body: ['/secret'] } }`. A body that is redacted as a
 * whole becomes undefined.
 */
function removeRedacted(
  message: Message,
  body: string | undefined,
  { redactions, readBody }: Reading,
): KnownMessage {
  const { headers, unrecorded } = removeRedactedHeaders(message)
  if (body === undefined) return { headers, body, unrecorded }

  const { json } = readBody(body)
  if (isRedactedWhole(body, json))
    return { headers, body: undefined, unrecorded: { ...unrecorded, body: WHOLE_BODY } }

  const pointers = redactions.pointersIn(json)
  if (pointers.length === 0) return { headers, body, unrecorded }
  return { headers, body, unrecorded: { ...unrecorded, body: pointers } }
}

function removeRedactedHeaders({
  headers,
  unrecorded = {},
}: Message): Pick<KnownMessage, 'headers' | 'unrecorded'> {
  const recorded = Object.entries(headers)
  const readable = recorded.filter(([, value]) => !isRedactedHeader(value))
  const hasRedactedHeader = readable.length < recorded.length
  if (!hasRedactedHeader) return { headers, unrecorded }
  return { headers: Object.fromEntries(readable), unrecorded: { ...unrecorded, headers: true } }
}
