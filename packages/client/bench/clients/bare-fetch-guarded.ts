import { connect as connectByHand } from './bare-fetch.ts'
import type { Connection } from './connection.ts'

/**
 * The client by hand with the guards of ours that cost something in each `fetch`: a deadline, no
 * redirects and no cache. None of the peers has them by itself.
 */
export function connect({ fetch, ...connection }: Connection) {
  const guardedFetch: typeof fetch = (url, init) =>
    fetch(url, {
      ...init,
      signal: AbortSignal.timeout(DEADLINE_MS),
      redirect: 'manual',
      cache: 'no-store',
    })
  return connectByHand({ ...connection, fetch: guardedFetch })
}

/** The default of our client for an attempt. */
const DEADLINE_MS = 20_000
