import { valueAt } from './contract/json.ts'
import { createFolderReader, FOLDER_OPTION } from './har/attachments.ts'
import { type Entry, readEntry } from './har/entries.ts'
import {
  isRedactedHeader,
  isRedactedTarget,
  isRedactedWhole,
  type Redactions,
  readRedactions,
} from './har/placeholders.ts'
import { joinRepeated, type TimedEntry } from './har/repeated.ts'
import { assignTimes } from './har/times.ts'
import { type Recorded, type RecordedExchange, replay, type Unrecorded } from './history.ts'
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
  const { folder, ...rest } = options
  const traffic = readTraffic(rest)
  const recorded = readEntries(har)
  const entries = recorded.map((entry) => readEntry(entry, createFolderReader(folder)))
  requireReadable(entries)

  const readable = entries.filter((entry) => entry !== undefined)
  const ofService = readable.filter((entry) => isOfService(entry, traffic))
  const remaining = ofService.filter((entry) => !entry.isFromElsewhere)
  const times = assignTimes(remaining)
  const timed = remaining.map((entry, i) => ({ entry, times: times[i] as TimedEntry['times'] }))
  const joined = joinRepeated(timed)

  const redactions = readRedactions(joined.flatMap(({ entry }) => listBodies(entry)))
  replay(
    joined.flatMap((it) => buildEvent(it, redactions, traffic) ?? []),
    traffic.history,
  )

  const withoutBody = joined.filter(({ entry }) => entry.isBodyMissing).length
  const withoutResponse = joined.filter(({ entry }) => entry.hasNoResponse).length
  const result = traffic.result('at the end', {
    responseBodies: withoutBody,
    unreadable: entries.length - readable.length,
    notResponded: ofService.length - remaining.length + withoutResponse,
    recordedTwice: timed.length - joined.length,
  })
  return { ...result, leftOut: readable.length - ofService.length, withoutBody }
}

function readEntries(har: unknown): readonly unknown[] {
  const entries = valueAt(har, '/log/entries')
  if (Array.isArray(entries)) return entries
  throw new HarError('expected a HAR 1.2 with log.entries, got something else')
}

/** One entry that names no request does not make a recording unusable. All of them do. */
function requireReadable(entries: readonly (Entry | undefined)[]): void {
  const hasReadable = entries.length === 0 || entries.some((entry) => entry !== undefined)
  if (!hasReadable)
    throw new HarError(
      'log.entries[0]: expected request.url and request.method, got something else',
    )
}

function describeRequest({ method, url, request: { headers } }: Entry) {
  return { method, url, headers }
}

function isOfService(entry: Entry, traffic: Traffic): boolean {
  return (
    traffic.pathOf(describeRequest(entry)) !== undefined ||
    traffic.isControl(describeRequest(entry))
  )
}

function listBodies({ request, response }: Entry): string[] {
  return [request.body ?? '', response?.text ?? ''].filter((body) => body !== '')
}

/** The event that an entry shows: an exchange, or what the control API of a sandbox did. */
function buildEvent(
  { entry, times }: TimedEntry,
  redactions: Redactions,
  traffic: Traffic,
): Recorded | undefined {
  const sent = describeRequest(entry)
  const path = traffic.pathOf(sent)
  if (path === undefined) return traffic.controlEvent(sent, entry.response, times.completeAt)

  const { sentAt, completeAt } = times
  const exchange: RecordedExchange = {
    type: 'exchange',
    sentAt,
    completeAt,
    ...(times.isUnknown && { hasUnknownTime: true }),
    ...(entry.hasNoResponse && { hasNoResponse: true }),
    request: buildRequest(entry, path, redactions),
  }
  const response = buildResponse(entry, redactions)
  return response ? { ...exchange, response } : exchange
}

function buildRequest(
  { method, request }: Entry,
  path: string,
  redactions: Redactions,
): RecordedExchange['request'] {
  const { body, ...known } = removeRedacted(request, request.body, redactions)
  return {
    method,
    path,
    headers: known.headers,
    // Browsers leave it out.
    hidesCredentials: true,
    unrecorded: isRedactedTarget(path) ? { ...known.unrecorded, target: true } : known.unrecorded,
    ...(body !== undefined && { body }),
  }
}

function buildResponse({ response }: Entry, redactions: Redactions): RecordedExchange['response'] {
  if (!response) return undefined
  const headers = response.headers as Readonly<Record<string, string>>
  const known = removeRedacted({ ...response, headers }, response.text, redactions)
  // Nothing is known of a body that was redacted as a whole.
  if (known.body === undefined) return undefined
  return { ...response, headers: known.headers, unrecorded: known.unrecorded }
}

interface Message {
  readonly headers: Readonly<Record<string, string>>
  readonly unrecorded?: Unrecorded
}

/** A message whose redacted parts are unknown. */
function removeRedacted(
  { headers, unrecorded = {} }: Message,
  body: string | undefined,
  redactions: Redactions,
) {
  const entries = Object.entries(headers)
  const known = entries.filter(([, value]) => !isRedactedHeader(value))
  const hasRedacted = known.length < entries.length
  const marks: Unrecorded = hasRedacted ? { ...unrecorded, headers: true } : unrecorded
  const rest = { headers: Object.fromEntries(known) }

  if (body === undefined) return { ...rest, body, unrecorded: marks }
  if (isRedactedWhole(body))
    return { ...rest, body: undefined, unrecorded: { ...marks, body: [''] } }

  const pointers = redactions.pointersIn(body)
  const isRedacted = pointers.length > 0
  return { ...rest, body, unrecorded: isRedacted ? { ...marks, body: pointers } : marks }
}
