import { fieldsOf, listItems, stringAt, valueAt } from '../contract/json.ts'
import {
  isRead,
  type ReceivedResponse,
  type RequestHead,
  type SentRequest,
  WHOLE_BODY,
} from '../history.ts'
import { type BodyTools, type RecordedBody, readBody } from './bodies.ts'

/** An entry of a recording, as far as it can be read. */
export interface Entry {
  readonly method: string
  readonly url: string
  readonly startedDateTime: unknown
  readonly time: unknown
  readonly request: Pick<SentRequest, 'headers' | 'body' | 'unrecorded'>
  readonly responseState: ResponseState
  /** Undefined unless it was recorded as a whole. */
  readonly response: ReceivedResponse | undefined
  /** Whether something else than the service responded: a cache, the browser, a test. */
  readonly isFromElsewhere: boolean
  /** Whether it went through a service worker, or was sent by one. */
  readonly isOfServiceWorker: boolean
  /** The id that the service, or else the recorder, gave the request. */
  readonly serviceId: string | undefined
  readonly recorderId: string | undefined
}

/**
 * What was recorded of a response: all of it, or no body, or nothing, although the request may have taken
 * effect.
 */
type ResponseState = 'recorded' | 'body missing' | 'unknown'

/** Reads which request an entry names; undefined if it names none. */
export function readRequestHead(entry: unknown): RequestHead | undefined {
  const { request } = fieldsOf(entry)
  const { url, method } = fieldsOf(request)
  if (typeof url !== 'string' || typeof method !== 'string' || !URL.canParse(url)) return undefined
  return { method, url, headers: readHeaders(request) }
}

/**
 * Reads an entry of a HAR file: its request, its response, and what the recorder says of both, such as that
 * a cache responded. The method and the URL were read before.
 */
export function readEntry(entry: unknown, { method, url }: RequestHead, tools: BodyTools): Entry {
  const { request, response: recorded, startedDateTime, time } = fieldsOf(entry)
  const status = Number(fieldsOf(recorded).status)
  // A service worker may have passed the request on, and then changed the response of the service.
  const hasArrived = status >= 100 && !mayHavePassedOn(entry)
  const isWhole = hasArrived && !hasFailed(entry)
  // The response of an exchange that failed may be cut off.
  const response = isWhole ? buildResponse(method, recorded, status, tools) : undefined
  return {
    method,
    url,
    startedDateTime,
    time,
    request: buildRequest(method, request, tools),
    responseState: nameResponseState(response, hasArrived),
    response,
    isFromElsewhere: isFromElsewhere(entry, method, status),
    isOfServiceWorker: isOfServiceWorker(entry),
    serviceId: readHeaders(recorded)['x-request-id'],
    recorderId: readRecorderId(entry),
  }
}

/**
 * Names what is known of a response: `recorded`, or `body missing` if it arrived and was not recorded as a whole, or
 * `unknown` if nothing says whether the service responded.
 *
 * @param hasArrived Whether the service responded, as far as the recorder says.
 */
export function nameResponseState(
  response: ReceivedResponse | undefined,
  hasArrived: boolean,
): ResponseState {
  if (response) return 'recorded'
  return hasArrived ? 'body missing' : 'unknown'
}

/** Whether a recorder says that the exchange failed or was aborted, so that its response may be cut off. */
function hasFailed(entry: unknown): boolean {
  // Each recorder has a field of its own for that.
  const { response, _error, _wasAborted } = fieldsOf(entry)
  const { _error: errorOfResponse, _failureText } = fieldsOf(response)
  if (_wasAborted === true) return true
  const errors = [_error, errorOfResponse, _failureText]
  return errors.some((error) => typeof error === 'string' && error !== '')
}

/**
 * Fields of an entry, or of its response, with which recorders mark that they, or the browser,
 * responded themselves.
 */
const CACHE_MARKS = [
  // Chromium: 'disk', 'memory' or 'prefetch-cache'.
  '_fromCache',
  // chrome-har-capturer
  '_fromDiskCache',
  '_fromPrefetchCache',
  // Chromium: the store of a service worker.
  '_responseCacheStorageCacheName',
  // Playwright: a route of the test.
  '_wasFulfilled',
]

/** What WebKit names instead of a load from the network. */
const FETCH_TYPES: ReadonlySet<unknown> = new Set([
  'Disk Cache',
  'Memory Cache',
  'Inspector Override',
])

/** What WebKit names where a service worker responded, whether or not it asked the service. */
const WORKER_TYPE = 'Service Worker'

/** What a service worker responds with when it does not ask the service. */
const WORKER_SOURCES: ReadonlySet<unknown> = new Set([
  'cache-storage',
  'http-cache',
  'fallback-code',
])

/** Statuses below that of a success announce another response (RFC 9110, section 15.2). */
const OK = 200
/** The same request is to be sent to another URL (RFC 9110, section 15.4.8). */
const TEMPORARY_REDIRECT = 307
/** A cache has the body (RFC 9110, section 15.4.5). */
const NOT_MODIFIED = 304

/**
 * Whether something else than the service responded: a cache, the browser, or a mock of a test. Such a
 * response says nothing of the service.
 */
function isFromElsewhere(entry: unknown, method: string, status: number): boolean {
  // Nor does a response that only announces another, such as 103, or that opens a web socket.
  const isInterim = status >= 100 && status < OK
  const isWebSocket = fieldsOf(entry)._resourceType === 'websocket'
  if (isInterim || isWebSocket) return true

  if (isMarkedByRecorder(entry) || wasInCache(entry)) return true

  const headers = readHeaders(valueAt(entry, '/response'))
  // Chromium redirects to https by itself, with 307, and says so. A service can send the header with other responses.
  const namesReason = headers['non-authoritative-reason'] !== undefined
  if (namesReason && status === TEMPORARY_REDIRECT) return true

  // A cache responds only to reads. It sends all other requests to the service (RFC 9111, section 4).
  if (!isRead({ method })) return false

  // Only a cache sends the header `age` (RFC 9111, section 5.1), and 304 says that a cache has the body.
  const hasAge = Number(headers.age) > 0
  return hasAge || status === NOT_MODIFIED
}

/** Whether a field of the recorder says that a cache, the browser or a service worker responded. */
function isMarkedByRecorder(entry: unknown): boolean {
  // Chromium and others: `_fromCache: 'disk'`.
  for (const name of CACHE_MARKS) {
    if (readRecorderField(entry, name).some(isMark)) return true
  }

  // WebKit: `_fetchType: 'Disk Cache'`.
  const fetchTypes = readRecorderField(entry, '_fetchType')
  if (fetchTypes.some((type) => FETCH_TYPES.has(type))) return true

  // A service worker that did not ask the service: `_serviceWorkerResponseSource: 'cache-storage'`.
  const workerSources = readRecorderField(entry, '_serviceWorkerResponseSource')
  return workerSources.some((source) => WORKER_SOURCES.has(source))
}

/** Whether a service worker responded, which may have asked the service or not. */
function mayHavePassedOn(entry: unknown): boolean {
  return readRecorderField(entry, '_fetchType').includes(WORKER_TYPE)
}

/** Reads a field of a recorder, which stands in the entry or in its response: both values. */
function readRecorderField(entry: unknown, name: string): unknown[] {
  return [fieldsOf(entry)[name], fieldsOf(fieldsOf(entry).response)[name]]
}

function isMark(value: unknown): boolean {
  return value === true || (typeof value === 'string' && value !== '')
}

/**
 * Whether a cache had the response before the request, and nothing says that the network gave it
 * all the same (HAR 1.2, "cache").
 */
function wasInCache(entry: unknown): boolean {
  const before = valueAt(entry, '/cache/beforeRequest')
  const isInCache = typeof before === 'object' && before !== null
  if (!isInCache) return false

  const { bodySize, _transferSize } = fieldsOf(fieldsOf(entry).response)
  const isFromNetwork = isPositive(bodySize) || isPositive(_transferSize)
  return !isFromNetwork
}

/** Whether an entry went through a service worker, or was sent by one. */
function isOfServiceWorker(entry: unknown): boolean {
  const names = ['_serviceWorkerRef', '_fetchedViaServiceWorker', '_fromServiceWorker']
  return names.some((name) => readRecorderField(entry, name).some(Boolean))
}

/** Reads the id that the recorder gave a request. */
function readRecorderId(entry: unknown): string | undefined {
  const { _requestId, _request_id } = fieldsOf(entry)
  const id = _requestId ?? _request_id
  return typeof id === 'string' && id !== '' ? id : undefined
}

/** Methods whose requests have no body that the contract could describe. */
const WITHOUT_REQUEST_BODY: ReadonlySet<string> = new Set(['GET', 'HEAD', 'DELETE', 'OPTIONS'])

/**
 * Builds the request of an entry for the history. `unrecorded` names the parts that the recorder may have
 * left out, so that no rule reads them: `{ headers: true, body: WHOLE_BODY }` are both.
 */
function buildRequest(method: string, request: unknown, tools: BodyTools): Entry['request'] {
  const recordedHeaders = readHeaders(request)
  const headers = addMediaType(recordedHeaders, readPostedMediaType(request))
  // Every operation wants credentials. Where there are none, the recorder has left headers out, as browsers do.
  const hasCredentials = recordedHeaders.authorization !== undefined
  const unrecordedHeaders = hasCredentials ? {} : ({ headers: true } as const)

  const body = readRequestBody(request, tools)
  if (body) return { headers, body: body.text, unrecorded: unrecordedHeaders }

  const isWithoutBody =
    WITHOUT_REQUEST_BODY.has(method) || recordedHeaders['content-length'] === '0'
  if (isWithoutBody) return { headers, unrecorded: unrecordedHeaders }
  return { headers, unrecorded: { ...unrecordedHeaders, body: WHOLE_BODY } }
}

/** Reads the media type that the recorder names of the body of a request; empty if it names none. */
function readPostedMediaType(request: unknown): string {
  return String(valueAt(request, '/postData/mimeType') ?? '')
}

/** Reads the body of a request, which recorders write in one of two fields. Undefined if none has it. */
function readRequestBody(request: unknown, tools: BodyTools): RecordedBody | undefined {
  const { postData, _content, bodySize } = fieldsOf(request)
  const headers = readHeaders(request)
  const recording = {
    mimeType: headers['content-type'] ?? readPostedMediaType(request),
    contentEncoding: headers['content-encoding'],
    sizes: readSizes(bodySize, headers),
  }
  const postedBody = readBody({ ...recording, content: postData }, tools)
  return postedBody ?? readBody({ ...recording, content: _content }, tools)
}

/** Statuses of responses without a body (RFC 9110, section 6.4.1). */
const WITHOUT_BODY: ReadonlySet<number> = new Set([
  204, // No Content
  205, // Reset Content
  NOT_MODIFIED, // to a write, which no cache responds to
])

/**
 * Builds the response of an entry for the history. Undefined if it had a body that the recorder left out: a
 * response without its body must not be judged.
 */
function buildResponse(
  method: string,
  response: unknown,
  status: number,
  tools: BodyTools,
): ReceivedResponse | undefined {
  const recorded = readHeaders(response)
  // Each response has headers, so that none at all means that the recorder left them out.
  const hasHeaders = Object.keys(recorded).length > 0
  const message = {
    status,
    headers: addMediaType(recorded, readMediaType(response)),
    ...(!hasHeaders && { unrecorded: { headers: true as const } }),
  }

  const body = readResponseBody(response, tools)
  if (body) return { ...message, ...body }

  // HTTP forbids a body here, but not headers about one: only bytes that arrived count.
  const isBodyForbidden = method === 'HEAD' || WITHOUT_BODY.has(status)
  const isMissing = isBodyForbidden ? hasContentSize(response) : isBodyMissing(response)
  return isMissing ? undefined : { ...message, text: '' }
}

/** Whether the recorder counted bytes in the body of a response. */
function hasContentSize(response: unknown): boolean {
  return isPositive(valueAt(response, '/content/size'))
}

/** Reads the media type that the recorder names of the body of a response; empty if it names none. */
function readMediaType(response: unknown): string {
  return stringAt(response, '/content/mimeType') ?? ''
}

/** Reads the body of a response. Undefined if it is empty, or if the recorder left it out. */
function readResponseBody(response: unknown, tools: BodyTools): RecordedBody | undefined {
  const { content } = fieldsOf(response)
  const headers = readHeaders(response)
  const recording = {
    content,
    mimeType: headers['content-type'] ?? readMediaType(response),
    contentEncoding: headers['content-encoding'],
    sizes: readSizes(fieldsOf(content).size, headers),
  }
  return readBody(recording, tools)
}

/**
 * Whether the recorder left out the body of a response, of which no text could be read: it had one, or may have had
 * one. Such as `{ size: 215, mimeType: 'application/json' }`.
 */
function isBodyMissing(response: unknown): boolean {
  if (showsBody(response)) return true
  if (isSaidToBeEmpty(response)) return false

  // Only a body has a media type. Recorders write `x-unknown` for a response without one.
  const mimeType = readMediaType(response)
  return mimeType !== '' && mimeType !== 'x-unknown'
}

/** Whether a recorder shows that a response had a body: a size of it, or its text or file, though unreadable. */
function showsBody(response: unknown): boolean {
  const { content, bodySize } = fieldsOf(response)
  const { size, text, _file: fileName } = fieldsOf(content)
  const contentLength = readHeaders(response)['content-length']
  const hasSize = [size, bodySize, contentLength].some(isPositive)
  const hasFile = typeof fileName === 'string'
  const hasText = text !== undefined && text !== ''
  return hasSize || hasFile || hasText
}

/** Whether a header, or the recorder, says that a response had an empty body. */
function isSaidToBeEmpty(response: unknown): boolean {
  const { size, text } = fieldsOf(fieldsOf(response).content)
  const isRecordedAsEmpty = text === '' && size === 0
  return isRecordedAsEmpty || readHeaders(response)['content-length'] === '0'
}

function isPositive(size: unknown): boolean {
  return Number(size) > 0
}

/**
 * Lists the sizes in bytes that a body must have: the one that the recorder names, and `content-length`. The
 * latter counts encoded bytes, so that it is left out for an encoded body.
 */
function readSizes(size: unknown, headers: Readonly<Record<string, string>>): number[] {
  const isEncoded = headers['content-encoding'] !== undefined
  const sizes = isEncoded ? [size] : [size, headers['content-length']]
  return sizes.filter(isPositive).map(Number)
}

/** Adds the media type that the recorder names of a body, where no header was recorded. */
function addMediaType(
  headers: Readonly<Record<string, string>>,
  mimeType: string,
): Readonly<Record<string, string>> {
  const hasHeaders = Object.keys(headers).length > 0
  if (hasHeaders || mimeType === '') return headers
  return { 'content-type': mimeType }
}

/**
 * Reads the headers of a message in a recording, with names in lower case. Repeated ones are joined by
 * commas. Pseudo-headers of HTTP/2, such as `:path`, are left out.
 */
function readHeaders(message: unknown): Record<string, string> {
  const headers: Record<string, string> = {}
  for (const header of listItems(fieldsOf(message).headers)) {
    const { name: recordedName, value } = fieldsOf(header)
    if (typeof recordedName !== 'string' || typeof value !== 'string') continue

    const name = recordedName.toLowerCase()
    if (name.startsWith(':')) continue
    headers[name] = name in headers ? `${headers[name]}, ${value}` : value
  }
  return headers
}
