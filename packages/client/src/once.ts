import { isBrowser } from './runtime.ts'

/**
 * Headers with which a connection ends with its response, so that no surplus response can reach the next request, which
 * may be a payment. A browser ignores `connection`.
 */
export function closing(headers: Readonly<Record<string, string>>): Readonly<Record<string, string>> {
  return isBrowser() ? headers : { ...headers, connection: 'close' }
}

/**
 * The part of `RequestInit` that keeps every layer below from sending a request twice.
 *
 * A stream can be read once, so it cannot be sent again: not after a 421 (Fetch Standard, HTTP-network-or-cache fetch,
 * step for status 421), and not where a kept-alive connection breaks, after which Deno repeats a string.
 *
 * A browser sends a stream over HTTP/2 only, so it gets the string.
 */
export function onceInit(body = '', headers: Readonly<Record<string, string>>) {
  if (isBrowser()) return { body: body || null, headers }
  const bytes = new TextEncoder().encode(body)
  const stream = new ReadableStream({
    start(controller) {
      if (body) controller.enqueue(bytes)
      controller.close()
    },
  })
  // A `fetch` of the user's may expect a string.
  Object.assign(stream, { toString: () => body })
  const sized = { ...headers, 'content-length': `${bytes.length}` }
  return { body: stream, headers: sized, duplex: 'half' as const }
}
