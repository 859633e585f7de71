import { isBrowser } from './runtime.ts'

/**
 * Adds `connection: close`, so that a surplus response cannot reach the next request, which may be a payment. A
 * browser ignores this header.
 */
export function closing(headers: Readonly<Record<string, string>>): Readonly<Record<string, string>> {
  return isBrowser() ? headers : { ...headers, connection: 'close' }
}

/**
 * The part of `RequestInit` that keeps every layer below from sending a request twice.
 *
 * The body is a stream, which can be read only once. It cannot be repeated after a 421 (Fetch Standard,
 * HTTP-network-or-cache fetch, step for status 421), nor after a kept-alive connection breaks, when Deno repeats a string.
 *
 * A browser gets the string, since it sends streams over HTTP/2 only.
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
  // A user-supplied `fetch` may expect a string.
  Object.assign(stream, { toString: () => body })
  const sized = { ...headers, 'content-length': `${bytes.length}` }
  return { body: stream, headers: sized, duplex: 'half' as const }
}
