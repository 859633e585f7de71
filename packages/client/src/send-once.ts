import { chooseCache } from './cache.ts'
import { chooseConnection } from './connection.ts'
import type { SentRequest } from './operation.ts'
import { isBrowser, isReactNative } from './runtime.ts'

/**
 * The `RequestInit` of one attempt. Its options keep every layer below, such as a browser or a
 * connection pool, from sending a payment twice.
 */
export function createInit(request: SentRequest, signal: AbortSignal): RequestInit {
  const { method, effect, headers, body = '' } = request
  const { headers: connectionHeaders, ...connection } = chooseConnection(request)
  const init = {
    method,
    headers: { ...headers, ...connectionHeaders },
    body: body || null,
    signal,
    // Following a redirect could leak the credentials or turn a POST into a GET.
    redirect: 'manual',
    ...chooseCache(),
    ...connection,
    // No runtime has the types of the others.
  } as RequestInit
  if (effect === 'once' && canSendStreams()) return streaming(init, body)
  return init
}

/** A browser sends streams over HTTP/2 only. React Native, and old runtimes, send none. */
function canSendStreams(): boolean {
  if (isBrowser() || isReactNative()) return false
  return typeof ReadableStream === 'function'
}

/**
 * Sends the body of effect `once` as a stream, which can be read only once. It cannot be repeated
 * after a 421 (Fetch Standard, HTTP-network-or-cache fetch, step for status 421), nor after a
 * connection breaks, when Deno repeats a string.
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
