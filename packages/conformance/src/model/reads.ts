import { isRead } from '../history.ts'
import { Bounded } from './bounded.ts'
import type { Exchange } from './exchange.ts'

/** The last GET of each path, with which the HEAD of that path is compared. */
export class Reads {
  readonly #lastGet = new Bounded<string, Exchange>(100)

  /**
   * The GET of the same path with the same credentials. Undefined if there is none, or something was
   * written since then.
   */
  findEarlierRead(exchange: Exchange): Exchange | undefined {
    const isWriteBeside = exchange.beside.some(({ request }) => !isRead(request))
    if (isWriteBeside) return undefined
    return this.#lastGet.get(readKey(exchange))
  }

  fold(exchange: Exchange): void {
    const { method } = exchange.request
    if (method === 'GET') this.#lastGet.set(readKey(exchange), exchange)
    else if (method !== 'HEAD') this.#lastGet.clear()
  }
}

/** The path and the credentials of a read, as a text. */
function readKey({ request: { path, headers } }: Exchange): string {
  return `${path} ${headers.authorization ?? ''}`
}
