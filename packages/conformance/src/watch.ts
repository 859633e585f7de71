import { BROKEN_CLONE, isClonable } from './clone.ts'
import type { ReceivedResponse } from './history.ts'
import { between, TRAFFIC_OPTIONS, type TrafficOptions, validateOptions } from './options.ts'
import { failureMessage } from './report/findings.ts'
import type { Finding, Result } from './report/result.ts'
import { isFailing } from './report/summary.ts'
import { decodeContent } from './send/transport.ts'
import { type PendingExchange, readTraffic, UNKNOWN_BODY } from './traffic.ts'

/** Options of `watchFetch`. */
export interface WatchOptions extends TrafficOptions {
  /** Milliseconds within which the body of a response must end to be judged. Default: 10,000. */
  readonly readWithinMs?: number
}

/** A fetch that judges its traffic with one service. */
export interface WatchedFetch {
  (input: string | URL | Request, init?: RequestInit): Promise<Response>
  /**
   * The findings so far, after pending responses were read. The most severe first.
   *
   * @throws {Error} as `result` and `assertNone` do, where the environment of the test loses the
   *   bodies of responses that are copied
   */
  findings(): Promise<readonly Finding[]>
  /** The whole result, with coverage and verdicts, for reports. */
  result(): Promise<Result>
  /**
   * @throws {Error} if no request was judged, although one of the contract went to another host
   * @throws {Error} with a line per finding; with `strict: false`, deviations are ignored, except
   *   critical ones, such as a second payment for a value that can be used once
   */
  assertNone(options?: { readonly strict?: boolean }): Promise<void>
}

/**
 * Wraps a fetch, and judges the traffic of an app's tests: each response, and what several together
 * show, such as a record that changes by itself. The app receives responses as before, since a copy
 * is judged. Event streams, and bodies that do not end in time, are not judged: `unknown` of the
 * result counts them.
 *
 * @throws {TypeError} if an option is unknown or invalid
 * @throws {ContractError} if the contract cannot be read
 *
 * @example
 * const watched = watchFetch(fetch, { baseUrl: 'http://127.0.0.1:4010' })
 * const payments = createPayments({ baseUrl: 'http://127.0.0.1:4010', auth, fetch: watched })
 * await payments.keys.check('beltrana@example.com')
 * await watched.assertNone()
 */
export function watchFetch(send: typeof fetch, options: WatchOptions = {}): WatchedFetch {
  const { readWithinMs = 10_000, ...rest } = options
  validateOptions('watchFetch', options, {
    ...TRAFFIC_OPTIONS,
    readWithinMs: between(1, 3_600_000),
  })
  const traffic = readTraffic(rest)
  /** The exchanges whose responses are not read yet. */
  const unfinishedWork = new Set<Promise<void>>()
  /** The number of responses that the app received and that cannot be judged. */
  let unreadResponses = 0
  /** The number of requests without a response, which may have taken effect. */
  let lostResponses = 0
  /** Whether a response could not be copied, as in happy-dom. */
  let hasBrokenClone = false
  /** The address of a request of the contract to another host than that of `baseUrl`. */
  let otherAddress: string | undefined

  /**
   * Waits for the response to a request of an app, reads a copy of it, and adds both to the traffic. If the
   * copy cannot be read, the exchange is added without a response.
   */
  async function watch(
    pendingExchange: PendingExchange,
    request: Request,
    pendingResponse: Promise<Response>,
  ): Promise<void> {
    const copy = copyResponse(pendingResponse)
    copy.then(pendingExchange.respond, () => undefined)
    const [body, response] = await Promise.all([
      readRequestBody(request),
      readResponse(copy, readWithinMs).catch(() => undefined),
    ])
    if (!response) await countMissing(pendingResponse)
    pendingExchange.end(body, response)
  }

  /** Counts a response that cannot be judged: one that did not arrive, or of which only the copy could not be read. */
  async function countMissing(pendingResponse: Promise<Response>): Promise<void> {
    try {
      await pendingResponse
      unreadResponses++
    } catch {
      lostResponses++
    }
  }

  /**
   * The `fetch` that the app calls: sends a request and returns the promise of its response. If the request
   * goes to the service, it is also added to the traffic, without delaying the app.
   */
  async function watched(input: string | URL | Request, init?: RequestInit): Promise<Response> {
    const request = new Request(input, init)
    const { method, url, headers } = request
    const sent = { method, url, headers: Object.fromEntries(headers) }
    const pendingExchange = traffic.begin(sent)
    const isJudged = pendingExchange !== undefined
    if (!isJudged) {
      // If no request is judged at all, this one shows that `baseUrl` is wrong.
      if (traffic.isOfContract(sent)) otherAddress = url.split('?', 1)[0]
      return send(request)
    }

    const copy = request.clone()
    const pendingResponse = send(request)
    pendingResponse.then(noteBrokenClone, () => undefined)

    const work = watch(pendingExchange, copy, pendingResponse).finally(() =>
      unfinishedWork.delete(work),
    )
    work.catch(() => undefined)
    unfinishedWork.add(work)
    return pendingResponse
  }

  /** Notes that responses cannot be copied here, which `result` throws. */
  function noteBrokenClone(response: Response): void {
    if (!isClonable(response)) hasBrokenClone = true
  }

  /** Builds the result of the traffic so far, once each response was read. Throws if responses cannot be copied here. */
  async function result(): Promise<Result> {
    await Promise.allSettled(unfinishedWork)
    if (hasBrokenClone) throw new Error(BROKEN_CLONE)
    return traffic.result('so far', {
      responseBodies: unreadResponses,
      notResponded: lostResponses,
    })
  }

  return Object.assign(watched, {
    result,
    findings: async () => (await result()).findings,
    /** Throws if there are findings, or if nothing was judged because all requests went to another host. */
    async assertNone({ strict = true } = {}) {
      const { requests, findings: allFindings } = await result()
      if (requests === 0 && otherAddress !== undefined)
        throw new Error(`No request was judged: expected one to baseUrl, got ${otherAddress}`)

      const findings = allFindings.filter((finding) => strict || isFailing(finding, {}))
      if (findings.length > 0)
        throw new Error(failureMessage('The traffic does not conform to the contract:', findings))
    },
  })
}

/** Reads the body of a request; undefined if it has none. */
async function readRequestBody(
  request: Request,
): Promise<string | undefined | typeof UNKNOWN_BODY> {
  if (request.body === null) return undefined
  return request.text().catch((): typeof UNKNOWN_BODY => UNKNOWN_BODY)
}

/**
 * Copies a response before the app can read its body. Undefined for a stream of events, which never ends, and
 * in happy-dom, where the app would lose the body. Rejects if there is no response.
 */
function copyResponse(pendingResponse: Promise<Response>): Promise<Response | undefined> {
  const copy = pendingResponse.then((response) => {
    // Such as `text/event-stream; charset=utf-8`.
    const mediaType = response.headers.get('content-type') ?? ''
    const isEndless = mediaType.startsWith('text/event-stream')
    const canBeRead = !isEndless && isClonable(response)
    return canBeRead ? response.clone() : undefined
  })
  // Whoever awaits the copy handles its error. Until then, Node must not take it for one that nobody handles.
  copy.catch(() => undefined)
  return copy
}

/**
 * Reads the copy of a response, with its whole body. Undefined if there is no copy, or the body does not end
 * within `ms`.
 */
async function readResponse(
  copy: Promise<Response | undefined>,
  ms: number,
): Promise<ReceivedResponse | undefined> {
  const response = await copy
  if (!response) return undefined

  const bytes = await readBytes(response, ms)
  if (bytes === undefined) return undefined

  const headers = Object.fromEntries(response.headers)
  return { status: response.status, headers, ...decodeContent(bytes) }
}

/** Reads the bytes of the body of a copied response; undefined if it does not end within `ms`. */
async function readBytes({ body }: Response, ms: number): Promise<Uint8Array | undefined> {
  if (!body) return new Uint8Array()

  const reader = body.getReader()
  let isLate = false
  const timer = setTimeout(() => {
    isLate = true
    // Ends the reading below. Cancels only this copy, and settles when the app has read its own.
    reader.cancel().catch(() => undefined)
  }, ms)

  try {
    const parts: Uint8Array[] = []
    for (let part = await reader.read(); !part.done; part = await reader.read())
      parts.push(part.value)
    return isLate ? undefined : Buffer.concat(parts)
  } finally {
    clearTimeout(timer)
  }
}
