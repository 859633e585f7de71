import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { request } from 'undici'

/** The HTTP request of a delivery. */
export interface Posted {
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

/** Sends a delivery to its receiver. Resolves with the status of the response. */
export type Send = (posted: Posted) => Promise<number>

const SENT = ['content-type', 'webhook-id', 'webhook-timestamp', 'webhook-signature'] as const

/** A server that gets the deliveries instead of their receivers. */
export async function listenAsRelay(relay: (posted: Posted, send: Send) => Promise<number>) {
  const server = createServer(async (incoming, outgoing) => {
    const { headers, url } = incoming
    const sent = SENT.flatMap((name) => (headers[name] ? [[name, String(headers[name])]] : []))
    const body = Buffer.concat(await incoming.toArray()).toString()
    const posted = { url: `http://${headers.host}${url}`, headers: Object.fromEntries(sent), body }
    outgoing.writeHead(await relay(posted, send).catch(() => 502)).end()
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  // A server that listens on a port has an AddressInfo.
  const { port } = server.address() as AddressInfo
  return {
    port,
    async close() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}

async function send({ url, headers, body }: Posted): Promise<number> {
  const response = await request(url, { method: 'POST', headers, body, reset: true })
  await response.body.dump()
  return response.statusCode
}
