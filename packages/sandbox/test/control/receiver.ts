import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

/** A receiver of deliveries with a configurable response. */
export interface Receiver {
  readonly url: string
  /** What it received, oldest first. */
  readonly got: { readonly id: string; readonly timestamp: number; readonly body: string }[]
  /** Sets the status of all further responses; initially 204. */
  respondWith(status: number): void
  /** Runs work between the next delivery and its response. */
  meanwhile(work: () => Promise<unknown>): void
  close(): Promise<void>
}

export async function receiver(): Promise<Receiver> {
  let status = 204
  let work: (() => Promise<unknown>) | undefined
  const got: Receiver['got'] = []
  const server = createServer(async (incoming, outgoing) => {
    const body = Buffer.concat(await incoming.toArray()).toString()
    const { 'webhook-id': id, 'webhook-timestamp': timestamp } = incoming.headers
    got.push({ id: String(id), timestamp: Number(timestamp), body })
    const now = work
    work = undefined
    await now?.()
    outgoing.writeHead(status).end()
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}/deliveries`,
    got,
    respondWith(next) {
      status = next
    },
    meanwhile(next) {
      work = next
    },
    async close() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}
