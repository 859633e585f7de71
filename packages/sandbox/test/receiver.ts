import { once } from 'node:events'
import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect } from 'vitest'

export type Receiver = Awaited<ReturnType<typeof receiver>>

interface Received {
  readonly id: string
  readonly path: string
  readonly timestamp: number
  readonly body: string
  readonly signature: string
  isAborted?: boolean
}

/** Starts a receiver of deliveries with a configurable response, initially 204. */
export async function receiver() {
  let status: number | Promise<number> = 204
  let open = 0
  let most = 0
  const got: Received[] = []

  const server = createServer(async (incoming, outgoing) => {
    open += 1
    most = Math.max(most, open)
    const delivery = await readDelivery(incoming)
    got.push(delivery)

    outgoing.on('close', () => {
      open -= 1
      delivery.isAborted = !outgoing.writableEnded
    })
    outgoing.writeHead(await status).end()
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo

  return {
    url: `http://127.0.0.1:${port}/deliveries`,
    /** What it received, oldest first. */
    got,
    get ids() {
      return got.map(({ id }) => id)
    },
    /** The maximum of concurrent deliveries. */
    get most() {
      return most
    },
    respondWith(next: number | Promise<number>) {
      status = next
    },
    /** Responds to nothing until the returned function is called. */
    hold() {
      const { promise, resolve } = Promise.withResolvers<number>()
      status = promise
      return (code = 204) => resolve(code)
    },
    /** Waits until this many deliveries arrived. */
    came: (count: number) =>
      expect.poll(() => got.length, { interval: 5 }).toBeGreaterThanOrEqual(count),
    /** Waits until each delivery has ended. */
    ended: () => expect.poll(() => open, { interval: 5 }).toBe(0),
    async close() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}

async function readDelivery(incoming: IncomingMessage): Promise<Received> {
  const chunks: Buffer[] = await incoming.toArray()
  return {
    id: String(incoming.headers['webhook-id']),
    path: String(incoming.url),
    timestamp: Number(incoming.headers['webhook-timestamp']),
    body: Buffer.concat(chunks).toString(),
    signature: String(incoming.headers['webhook-signature']),
  }
}
