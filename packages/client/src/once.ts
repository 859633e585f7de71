import { isBrowser } from './runtime.ts'

/**
 * The part of `RequestInit` that keeps every layer below from sending a request twice.
 *
 * A stream can be read once, so it cannot be sent again: not after a 421 (Fetch Standard, HTTP-network-or-cache fetch,
 * step for status 421), and not where a kept-alive connection breaks, after which Deno repeats a string.
 * `connection: close` ends the connection with its response, so that no surplus response can reach the next request.
 *
 * A browser sends a stream over HTTP/2 only and ignores the header, so it gets the string.
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
  const added = { connection: 'close', 'content-length': `${bytes.length}` }
  return { body: stream, headers: { ...headers, ...added }, duplex: 'half' as const }
}
