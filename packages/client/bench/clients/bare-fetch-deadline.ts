import { connect as connectByHand } from './bare-fetch.ts'
import type { Connection } from './connection.ts'

/** The client by hand, which ends a call in time: none of the peers does so by itself. */
export function connect({ fetch, ...connection }: Connection) {
  const fetchInTime: typeof fetch = (url, init) =>
    fetch(url, { ...init, signal: AbortSignal.timeout(DEADLINE_MS) })
  return connectByHand({ ...connection, fetch: fetchInTime })
}

/** The default of our client. */
const DEADLINE_MS = 20_000
