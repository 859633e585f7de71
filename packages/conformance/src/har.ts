import { fieldsOf, valueAt } from './contract/json.ts'
import { type ReceivedResponse, type RecordedExchange, replay } from './history.ts'
import { TRAFFIC_OPTIONS, type TrafficOptions, validateOptions } from './options.ts'
import type { Result } from './report/result.ts'
import { readTraffic } from './traffic.ts'

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

/**
 * Checks recorded traffic (HAR 1.2) by the rules, and its requests by the contract. Nothing is
 * sent. A missing header authorization is unknown, since browsers leave it out.
 *
 * @throws {HarError} if the input is not HAR 1.2
 * @throws {ContractError} if the contract cannot be read
 * @throws {TypeError} if an option is unknown or invalid
 *
 * @example
 * const har: unknown = JSON.parse(readFileSync('session.har', 'utf8'))
 * const { findings, leftOut } = checkHar(har, { baseUrl: 'http://127.0.0.1:4020' })
 */
export function checkHar(har: unknown, options: TrafficOptions = {}): HarResult {
  validateOptions('checkHar', options, TRAFFIC_OPTIONS)
  const traffic = readTraffic(options)
  const entries = entriesOf(har).map(readEntry)
  const judged: RecordedExchange[] = []
  for (const { url, event } of entries) {
    const path = traffic.pathOf({ ...event.request, url })
    if (path !== undefined) judged.push({ ...event, request: { ...event.request, path } })
  }
  replay(judged, traffic.history)
  const withoutBody = judged.filter(({ response }) => !response).length
  return { ...traffic.result('at the end'), leftOut: entries.length - judged.length, withoutBody }
}

function entriesOf(har: unknown): readonly unknown[] {
  const entries = valueAt(har, '/log/entries')
  if (Array.isArray(entries)) return entries
  throw new HarError('expected a HAR 1.2 with log.entries, got something else')
}

function readEntry(entry: unknown, index: number): { url: string; event: RecordedExchange } {
  const { request, response, startedDateTime, time } = fieldsOf(entry)
  const { url, method } = fieldsOf(request)
  const { status } = fieldsOf(response)
  if (typeof url !== 'string' || typeof method !== 'string' || typeof status !== 'number')
    throw new HarError(
      `log.entries[${index}]: expected request.url, request.method and response.status`,
    )
  const started = Date.parse(String(startedDateTime))
  // Without times, the entries are in their order.
  const sentAt = Number.isNaN(started) ? index : started
  const took = typeof time === 'number' && time > 0 ? time : 0
  const body = valueAt(request, '/postData/text')
  // Browsers record status 0 if no response arrived.
  const received = status === 0 ? undefined : responseOf(method, response, status)
  return {
    url,
    event: {
      type: 'exchange',
      sentAt,
      completeAt: sentAt + took,
      request: {
        method,
        path: '',
        headers: headersOf(request),
        hidesCredentials: true,
        ...(typeof body === 'string' && { body }),
      },
      ...(received && { response: received }),
    },
  }
}

/** Undefined if the body was not recorded, so that nothing is known about it. */
function responseOf(
  method: string,
  response: unknown,
  status: number,
): ReceivedResponse | undefined {
  const headers = headersOf(response)
  const { text, encoding, size, mimeType } = fieldsOf(fieldsOf(response).content)

  if (typeof text === 'string') {
    const decoded = encoding === 'base64' ? Buffer.from(text, 'base64').toString() : text
    return { status, headers, text: decoded }
  }

  const isWithoutBody = method === 'HEAD' || WITHOUT_BODY.has(status)
  if (isBodyMissing(size, mimeType, isWithoutBody)) return undefined
  return { status, headers, text: '' }
}

/** Statuses of responses without a body (RFC 9110, section 6.4.1). */
const WITHOUT_BODY: ReadonlySet<number> = new Set([
  204, // No Content
  205, // Reset Content
  304, // Not Modified
])

/** Whether the recorder left out a body: it recorded a size or a media type, but no text. */
function isBodyMissing(size: unknown, mimeType: unknown, isWithoutBody: boolean): boolean {
  // Such a response may still name a media type.
  if (isWithoutBody) return typeof size === 'number' && size > 0
  if (typeof size === 'number' && size !== 0) return true
  return typeof mimeType === 'string' && mimeType !== '' && mimeType !== 'x-unknown'
}

/** Names in lower case, without the pseudo-headers of HTTP/2. */
function headersOf(message: unknown): Record<string, string> {
  const { headers: listed } = fieldsOf(message)
  const headers: Record<string, string> = {}
  for (const header of Array.isArray(listed) ? listed : []) {
    const name = String(fieldsOf(header).name).toLowerCase()
    const value = String(fieldsOf(header).value)
    if (name.startsWith(':')) continue
    headers[name] = name in headers ? `${headers[name]}, ${value}` : value
  }
  return headers
}
