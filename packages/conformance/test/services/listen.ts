import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { requestOf } from './call.ts'

/** Serves a fetch function on a free port of this machine. */
export async function listen(fetch: (request: Request) => Promise<Response>) {
  const server = createServer(async (incoming, outgoing) => {
    try {
      await write(await fetch(await read(incoming)), outgoing)
    } catch {
      // For requests that fetch cannot represent, such as an invalid path.
      outgoing.writeHead(400, { 'x-request-id': 'req_unreadable', connection: 'close' }).end()
    }
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  // A server that listens on a port has an AddressInfo.
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}`,
    async close() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}

async function read(incoming: IncomingMessage): Promise<Request> {
  const { method = 'GET', url, headers } = incoming
  const bytes = new Uint8Array(Buffer.concat(await incoming.toArray()))
  const sent = new Headers()
  for (const [name, values = []] of Object.entries(incoming.headersDistinct))
    for (const value of values) sent.append(name, value)
  return requestOf({ method, url: new URL(`http://${headers.host}${url}`), headers: sent, bytes })
}

async function write(response: Response, outgoing: ServerResponse): Promise<void> {
  // A network error means that no response is sent.
  if (response.type === 'error') return void outgoing.destroy()
  outgoing.writeHead(response.status, Object.fromEntries(response.headers))
  for await (const part of response.body ?? []) outgoing.write(part)
  outgoing.end()
}

/** The HTTP request of a delivery. */
export interface Posted {
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

/** Sends a delivery to its receiver. Resolves with the status of the response. */
export type Send = (posted: Posted) => Promise<number>

/** The headers of a delivery. */
const SENT = ['content-type', 'webhook-id', 'webhook-timestamp', 'webhook-signature'] as const

/** A server that gets the deliveries instead of their receivers. */
export async function listenAsRelay(relay: (posted: Posted, send: Send) => Promise<number>) {
  const { url, close } = await listen(async (request) => {
    const headers: Record<string, string> = {}
    for (const name of SENT) {
      const value = request.headers.get(name)
      if (value !== null) headers[name] = value
    }
    const posted = { url: request.url, headers, body: await request.text() }
    const status = await relay(posted, send).catch(() => 502)
    return new Response(null, { status })
  })
  return { port: Number(new URL(url).port), close }
}

async function send({ url, headers, body }: Posted): Promise<number> {
  const sent = { ...headers, connection: 'close' }
  const response = await fetch(url, {
    method: 'POST',
    headers: sent,
    body,
    redirect: 'manual',
  })
  await response.body?.cancel()
  return response.status
}
