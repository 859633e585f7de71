import type { Transport } from './transport.ts'

/** Milliseconds without a complete response after which a run ends: longer than one request may take. */
const MAX_IDLE_MS = 15_000

/**
 * Reports if no request got a complete response for a time, however many wait for one or ended without. Requests that
 * run into their timeout one after another would take minutes.
 */
export function createIdleTimeout(
  transport: Transport,
  onTimeout: (reason: string) => void,
  ms = MAX_IDLE_MS,
): Transport {
  let pending = 0
  let since = 0
  /** Milliseconds before the pending requests. Between requests, no time passes. */
  let idle = 0
  const report = () => {
    if (performance.now() - since >= ms) onTimeout(`no request got a complete response for ${ms} ms`)
  }
  return {
    async send(request, signal) {
      const began = performance.now()
      if (pending++ === 0) since = began - idle
      // A timer can be early by a millisecond.
      const timer = setTimeout(report, since + ms - began + 1)
      const response = await transport.send(request, signal)
      clearTimeout(timer)
      pending--
      if (response.status !== 0) since = performance.now()
      idle = performance.now() - since
      return response
    },
    close: () => transport.close(),
  }
}
