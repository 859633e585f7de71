import { Bounded } from './bounded.ts'
import type { Exchange } from './exchange.ts'

/** The last reads, for comparison with HEAD. */
export interface Reads {
  /** The GET of the same path and credentials since which nothing was written. */
  before(exchange: Exchange): Exchange | undefined
  fold(exchange: Exchange): void
}

/** Reads that are remembered. */
const MOST = 100

export function createReads(): Reads {
  const known = new Bounded<string, Exchange>(MOST)
  return {
    before: (exchange) => (exchange.beside.length > 0 ? undefined : known.get(keyOf(exchange))),
    fold(exchange) {
      const { method } = exchange.request
      if (method === 'GET') known.set(keyOf(exchange), exchange)
      else if (method !== 'HEAD') known.clear()
    },
  }
}

function keyOf({ request: { path, headers } }: Exchange): string {
  return `${path} ${headers.authorization ?? ''}`
}
