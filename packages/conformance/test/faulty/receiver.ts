import { once } from 'node:events'
import { createServer, type IncomingHttpHeaders } from 'node:http'
import type { AddressInfo } from 'node:net'

/** A delivery that came. */
export interface Received {
  readonly headers: IncomingHttpHeaders
  readonly body: string
}

/** A receiver on this machine, which answers with the same status always. */
export async function receiver(status = 204) {
  const got: Received[] = []
  const server = createServer(async (incoming, outgoing) => {
    const body = Buffer.concat(await incoming.toArray()).toString()
    got.push({ headers: incoming.headers, body })
    outgoing.writeHead(status).end()
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  // A server that listens on a port has an address of this kind.
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}/pix`,
    got,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}
