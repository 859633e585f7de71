import type { SentRequest } from './operation.ts'

/** Every browser calls itself Mozilla; Node, Deno, Bun and edge workers do not. */
export function isBrowser(): boolean {
  return /^Mozilla/.test(globalThis.navigator?.userAgent)
}

/**
 * The `RequestInit` of an attempt, which keeps every layer below from sending a request twice.
 *
 * `connection: close` keeps a surplus response from the next request, which may be a payment. A
 * browser ignores it.
 */
export function initOf(request: SentRequest, signal: AbortSignal): RequestInit {
  const { method, effect, headers, body = '' } = request
  const init: RequestInit = {
    method,
    headers,
    body: body || null,
    signal,
    // Following a redirect could leak the credentials or turn a POST into a GET.
    redirect: 'manual',
  }
  if (isBrowser()) return init

  const closing = { ...init, headers: { ...headers, connection: 'close' } }
  if (effect === 'once') return streaming(closing, body)
  return closing
}

/**
 * Sends the body of effect `once` as a stream, which can be read only once. It cannot be repeated
 * after a 421 (Fetch Standard, HTTP-network-or-cache fetch, step for status 421), nor after a
 * kept-alive connection breaks, when Deno repeats a string.
 *
 * A browser gets the string, since it sends streams over HTTP/2 only.
 */
function streaming(init: RequestInit, text: string): RequestInit {
  const bytes = new TextEncoder().encode(text)
  const body = new ReadableStream({
    start(controller) {
      if (text) controller.enqueue(bytes)
      controller.close()
    },
  })
  // A user-supplied `fetch` may expect a string.
  Object.assign(body, { toString: () => text })
  // A stream has no length of its own.
  const headers = { ...init.headers, 'content-length': `${bytes.length}` }
  return { ...init, headers, body, duplex: 'half' } as RequestInit
}
