import { type OptionNames, refuseUnknown, requireDocument } from '../engine/known-options.ts'
import type { Result } from '../engine/result.ts'
import { loadContract } from '../model/contract-source.ts'
import { propertyOf } from '../model/document.ts'
import type { HttpRequest, HttpResponse } from '../model/http.ts'
import { baseUrlOf, isPreflight, pathBelow } from './request-scope.ts'
import { createWatcher } from './watcher.ts'

/** Options of `checkHar`. */
export interface HarOptions {
  /** A changed copy of the contract, bundled. Default: the partner payments contract. */
  readonly contract?: object
  /** Base URL of the service in the recording. Default: the first server of the contract. */
  readonly baseUrl?: string
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

/**
 * Checks recorded traffic (HAR 1.2): responses by all rules that judge responses, and requests by the contract.
 * Nothing is sent.
 *
 * @throws {HarError} if the input is not HAR 1.2
 * @throws {ContractError} if the contract cannot be read.
 * @throws {TypeError} if the base URL is not absolute, or an option is unknown
 *
 * @example
 * const har: unknown = JSON.parse(readFileSync('session.har', 'utf8'))
 * const { findings, leftOut } = await checkHar(har, { baseUrl: 'http://127.0.0.1:4020' })
 */
export async function checkHar(har: unknown, options: HarOptions = {}): Promise<HarResult> {
  refuseUnknown('checkHar', options, { contract: true, baseUrl: true } satisfies OptionNames<HarOptions>)
  requireDocument(options.contract)
  const entries = entriesOf(har).map(readEntry)
  const source = await loadContract(options.contract)
  const base = baseUrlOf(source.contract, options.baseUrl)
  const watcher = createWatcher({ ...source, url: base.href })
  let leftOut = 0
  let withoutBody = 0
  for (const { url, request, response } of entries) {
    const path = pathBelow(base, source.contract, url)
    if (path === undefined || isPreflight(request)) leftOut++
    else if (!response) withoutBody++
    else watcher.see({ ...request, path }, response)
  }
  return { ...watcher.result(), leftOut, withoutBody }
}

interface Entry {
  readonly url: string
  readonly request: Omit<HttpRequest, 'path'>
  /** Undefined if the body was not recorded. */
  readonly response: HttpResponse | undefined
}

function entriesOf(har: unknown): readonly unknown[] {
  const entries = propertyOf(propertyOf(har, 'log'), 'entries')
  if (Array.isArray(entries)) return entries
  throw new HarError('expected a HAR 1.2 with log.entries, got something else')
}

function readEntry(entry: unknown, index: number): Entry {
  const request = propertyOf(entry, 'request')
  const response = propertyOf(entry, 'response')
  const [url, method, status] = [
    propertyOf(request, 'url'),
    propertyOf(request, 'method'),
    propertyOf(response, 'status'),
  ]
  if (typeof url !== 'string' || typeof method !== 'string' || typeof status !== 'number')
    throw new HarError(`log.entries[${index}]: expected request.url, request.method and response.status`)
  const body = propertyOf(propertyOf(request, 'postData'), 'text')
  const sent = { method, headers: headersOf(request), body: typeof body === 'string' ? body : undefined }
  return {
    url,
    request: sent,
    response: responseOf(request, response, status, Number(propertyOf(entry, 'time') ?? 0)),
  }
}

function responseOf(
  request: unknown,
  response: unknown,
  status: number,
  ms: number,
): HttpResponse | undefined {
  if (status === 0) return { status: 0, headers: {}, text: 'the recording has no response', ms }
  const headers = headersOf(response)
  const content = propertyOf(response, 'content')
  const text = propertyOf(content, 'text')
  if (typeof text !== 'string')
    return isBodyMissing(content, propertyOf(request, 'method') === 'HEAD' ? 204 : status)
      ? undefined
      : { status, headers, text: '', ms }
  const isEncoded = propertyOf(content, 'encoding') === 'base64'
  return { status, headers, text: isEncoded ? Buffer.from(text, 'base64').toString() : text, ms }
}

/** Statuses without a body (RFC 9110, section 6.4.1). */
const EMPTY = [204, 205, 304]

/** Whether the recorder left out a body: it recorded a size or a media type, but no text. */
function isBodyMissing(content: unknown, status: number): boolean {
  const [size, type] = [propertyOf(content, 'size'), propertyOf(content, 'mimeType')]
  if (EMPTY.includes(status)) return typeof size === 'number' && size > 0
  if (typeof size === 'number' && size !== 0) return true
  return typeof type === 'string' && type !== '' && type !== 'x-unknown'
}

/** Names in lower case, without the pseudo-headers of HTTP/2. */
function headersOf(message: unknown): Record<string, string> {
  const headers: Record<string, string> = {}
  const listed = propertyOf(message, 'headers')
  for (const header of Array.isArray(listed) ? listed : []) {
    const name = String(propertyOf(header, 'name')).toLowerCase()
    const value = String(propertyOf(header, 'value'))
    if (!name.startsWith(':')) headers[name] = name in headers ? `${headers[name]}, ${value}` : value
  }
  return headers
}
