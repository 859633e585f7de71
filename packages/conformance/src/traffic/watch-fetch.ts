import { type OptionNames, refuseUnknown, requireDocument } from '../engine/known-options.ts'
import type { Finding, Result } from '../engine/result.ts'
import { type ContractSource, loadContract } from '../model/contract-source.ts'
import type { HttpRequest, HttpResponse } from '../model/http.ts'
import { failureMessage } from './failure-message.ts'
import { baseUrlOf, isPreflight, pathBelow } from './request-scope.ts'
import { createWatcher, type Watcher } from './watcher.ts'

/** Options of `watchFetch`. */
export interface WatchOptions {
  /** A changed copy of the contract, bundled. Default: the partner payments contract. */
  readonly contract?: object
  /**
   * Base URL of the service. Requests elsewhere, or outside the paths of the contract, are not judged. Default: the
   * first server of the contract.
   */
  readonly baseUrl?: string
  /** Whether requests are judged too. Default: true. */
  readonly requests?: boolean
  /** Milliseconds within which the body of a response must end to be judged. Default: 10,000. */
  readonly readWithinMs?: number
}

const DEFAULT_READ_MS = 10_000

/** A fetch that judges its traffic with one service. */
export interface WatchedFetch {
  (input: string | URL | Request, init?: RequestInit): Promise<Response>
  /** The findings so far, after pending responses were read. The most severe first. */
  findings(): Promise<readonly Finding[]>
  /** The whole result, with coverage and verdicts, for reports. */
  result(): Promise<Result>
  /**
   * @throws {Error} with a line per finding; with `strict: false`, deviations are ignored
   */
  assertNone(options?: { readonly strict?: boolean }): Promise<void>
}

/**
 * Wraps a fetch, and judges the traffic of an app's tests. The app receives responses as before, since a copy is
 * judged. Event streams, and bodies that do not end in time, are not judged.
 *
 * @throws {TypeError} if an option is unknown or invalid.
 *
 * @example
 * const watched = watchFetch(fetch, { baseUrl: 'http://127.0.0.1:4010' })
 * const payments = createPayments({ baseUrl: 'http://127.0.0.1:4010', auth, fetch: watched })
 * await payments.keys.check('beltrana@example.com')
 * await watched.assertNone()
 */
export function watchFetch(send: typeof fetch, options: WatchOptions = {}): WatchedFetch {
  refuseUnknown('watchFetch', options, WATCH_OPTIONS)
  requireDocument(options.contract)
  const { readWithinMs = DEFAULT_READ_MS } = options
  if (!(readWithinMs > 0))
    throw new TypeError(`readWithinMs must be a number above 0, got ${String(readWithinMs)}`)
  const ready = open(options)
  // Avoids an unhandled rejection; `findings` reports the error.
  ready.catch(() => undefined)
  const pending = new Set<Promise<void>>()

  async function watch(request: Request, pendingResponse: Promise<Response>): Promise<void> {
    const { base, watcher, contract } = await ready
    const path = pathBelow(base, contract, request.url)
    const sent = await requestOf(request)
    if (path === undefined || isPreflight(sent)) return
    const response = await responseOf(pendingResponse, request.signal, readWithinMs)
    if (response) watcher.see({ ...sent, path }, response)
  }

  async function watched(input: string | URL | Request, init?: RequestInit): Promise<Response> {
    const request = new Request(input, init)
    const copy = request.clone()
    const pendingResponse = send(request)
    const work = watch(copy, copyOf(pendingResponse)).finally(() => pending.delete(work))
    work.catch(() => undefined)
    pending.add(work)
    return pendingResponse
  }

  async function result(): Promise<Result> {
    const { watcher } = await ready
    await Promise.allSettled(pending)
    return watcher.result()
  }

  return Object.assign(watched, {
    result,
    findings: async () => (await result()).findings,
    async assertNone({ strict = true } = {}) {
      const findings = (await result()).findings.filter(({ kind }) => strict || kind === 'failure')
      if (findings.length > 0)
        throw new Error(failureMessage('The traffic does not conform to the contract:', findings))
    },
  })
}

const WATCH_OPTIONS = {
  contract: true,
  baseUrl: true,
  requests: true,
  readWithinMs: true,
} satisfies OptionNames<WatchOptions>

async function open({
  contract,
  baseUrl,
  requests = true,
}: WatchOptions): Promise<{ base: URL; watcher: Watcher; contract: ContractSource['contract'] }> {
  const source: ContractSource = await loadContract(contract)
  const base = baseUrlOf(source.contract, baseUrl)
  return { base, contract: source.contract, watcher: createWatcher({ ...source, url: base.href, requests }) }
}

/** Clones before the app can read the body. */
function copyOf(pendingResponse: Promise<Response>): Promise<Response> {
  const copy = pendingResponse.then((it) => (isEndless(it) ? new Response(null, it) : it.clone()))
  copy.catch(() => undefined)
  return copy
}

function isEndless({ headers }: Response): boolean {
  return headers.get('content-type')?.startsWith('text/event-stream') ?? false
}

async function requestOf(request: Request): Promise<Omit<HttpRequest, 'path'>> {
  const headers = Object.fromEntries(request.headers)
  const body = request.body === null ? undefined : await request.text()
  return { method: request.method, headers, body }
}

/** The response, or why none arrived; undefined if the app aborted, or the body does not end. */
async function responseOf(
  pendingResponse: Promise<Response>,
  signal: AbortSignal,
  readWithinMs: number,
): Promise<HttpResponse | undefined> {
  const began = performance.now()
  try {
    const response = await pendingResponse
    if (isEndless(response)) return undefined
    const text = await textOf(response, readWithinMs)
    if (text === undefined) return undefined
    const { status, headers } = response
    return { status, headers: Object.fromEntries(headers), text, ms: performance.now() - began }
  } catch (error) {
    if (signal.aborted) return undefined
    return {
      status: 0,
      headers: {},
      text: error instanceof Error ? error.message : String(error),
      ms: performance.now() - began,
    }
  }
}

/** The body; undefined if it does not end in time. */
async function textOf({ body }: Response, ms: number): Promise<string | undefined> {
  if (!body) return ''
  const reader = body.getReader()
  let isLate = false
  const timer = setTimeout(() => {
    isLate = true
    // Cancels only this copy, and settles when the app has read its own.
    reader.cancel().catch(() => undefined)
  }, ms)
  try {
    const parts: Uint8Array[] = []
    for (let it = await reader.read(); !it.done; it = await reader.read()) parts.push(it.value)
    return isLate ? undefined : new TextDecoder().decode(Buffer.concat(parts))
  } finally {
    clearTimeout(timer)
  }
}
