import { once } from 'node:events'
import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

/** A received delivery. */
export interface Received {
  readonly path: string | undefined
  readonly headers: IncomingHttpHeaders
  readonly body: string
}

/** Milliseconds after which a slow receiver responds. */
const SLOW = 700

/** A receiver on this machine that always responds with the same status. */
export function receiver(status = 204) {
  return receiving((_, outgoing) => void outgoing.writeHead(status).end())
}

/** A receiver that breaks the connection, responds late, or redirects to another path. */
export function oddReceiver(manner: 'broken off' | 'slow' | 'redirect') {
  return receiving((path, outgoing) => {
    if (manner === 'broken off') outgoing.destroy()
    else if (manner === 'slow') setTimeout(() => outgoing.writeHead(204).end(), SLOW)
    else if (path === '/pix') outgoing.writeHead(302, { location: '/elsewhere' }).end()
    else outgoing.writeHead(204).end()
  })
}

async function receiving(respond: (path: string | undefined, outgoing: ServerResponse) => void) {
  const got: Received[] = []
  const server = createServer(async (incoming, outgoing) => {
    const body = Buffer.concat(await incoming.toArray()).toString()
    got.push({ path: incoming.url, headers: incoming.headers, body })
    respond(incoming.url, outgoing)
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  // A server that listens on a port has an AddressInfo.
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
