import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect } from 'vitest'

/** A receiver of deliveries with a configurable response. */
export interface Receiver {
  readonly url: string
  /** What it received, oldest first. */
  readonly got: {
    readonly id: string
    readonly path: string
    readonly timestamp: number
    readonly body: string
    isAborted?: boolean
  }[]
  /** The ids of the deliveries. */
  readonly ids: readonly string[]
  /** The maximum of concurrent deliveries. */
  readonly most: number
  /** Sets the status of all further responses; initially 204. */
  respondWith(status: number | Promise<number>): void
  /** Responds to nothing until the returned function is called. */
  hold(): (status?: number) => void
  /** Runs work between the next delivery and its response. */
  meanwhile(work: () => Promise<unknown>): void
  /** Waits until this many deliveries arrived. */
  came(count: number): Promise<void>
  /** Waits until each delivery has ended. */
  ended(): Promise<void>
  close(): Promise<void>
}

export async function receiver(): Promise<Receiver> {
  let status: number | Promise<number> = 204
  let work: (() => Promise<unknown>) | undefined
  let [open, most] = [0, 0]
  const got: Receiver['got'] = []
  const server = createServer(async (incoming, outgoing) => {
    most = Math.max(most, ++open)
    const body = Buffer.concat(await incoming.toArray()).toString()
    const { 'webhook-id': id, 'webhook-timestamp': timestamp } = incoming.headers
    const path = String(incoming.url)
    const delivery: Receiver['got'][number] = { id: String(id), path, timestamp: Number(timestamp), body }
    got.push(delivery)
    outgoing.on('close', () => {
      open--
      delivery.isAborted = !outgoing.writableEnded
    })
    const now = work
    work = undefined
    await now?.()
    outgoing.writeHead(await status).end()
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}/deliveries`,
    got,
    get ids() {
      return got.map(({ id }) => id)
    },
    get most() {
      return most
    },
    respondWith(next) {
      status = next
    },
    hold() {
      const { promise, resolve } = Promise.withResolvers<number>()
      status = promise
      return (code = 204) => resolve(code)
    },
    meanwhile(next) {
      work = next
    },
    came: (count) => expect.poll(() => got.length, { interval: 5 }).toBeGreaterThanOrEqual(count),
    ended: () => expect.poll(() => open, { interval: 5 }).toBe(0),
    async close() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}
