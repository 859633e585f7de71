import { readFileSync } from 'node:fs'
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net'
import { connect as connectTls, createServer as createTlsServer } from 'node:tls'
import type { Endpoint, Open } from '../../src/deliveries/dial.ts'
import { createPoster, type PosterOptions } from '../../src/deliveries/post.ts'

/** A receiver on loopback. The test decides what it does with each connection. */
export type Receiver = Awaited<ReturnType<typeof receiver>>

/** Starts a receiver that passes each connection to the test when data arrives. */
export function receiver(serve: (socket: Socket) => void) {
  return listening(createServer(), 'connection', serve)
}

/** The same with TLS, by an untrusted certificate for hooks.loja.teste and localhost. */
export function tlsReceiver(serve: (socket: Socket) => void) {
  return listening(createTlsServer({ key, cert: certificate }), 'secureConnection', serve)
}

/**
 * Posts a delivery, and returns its outcome. The poster stays open, so it does not close the
 * connection either.
 */
export async function post(url: string, options: PosterOptions = {}, headers: object = {}) {
  const delivery = { url, headers: { 'webhook-id': 'msg_1', ...headers }, body: '{"é":1}' }
  const posted = await createPoster(options).post(delivery)
  return posted.outcome
}

/** Writes a response without a body. */
export function respondWith(status: number, headers = ''): (socket: Socket) => void {
  return (socket) => socket.write(`HTTP/1.1 ${status} x\r\n${headers}content-length: 0\r\n\r\n`)
}

/**
 * Connects to a receiver on loopback, whatever the address, and records the requested endpoints. So
 * tests can use public addresses without reaching them.
 */
export function createOpening(port: number): { open: Open; opened: Endpoint[] } {
  const opened: Endpoint[] = []
  const open: Open = (endpoint) => {
    opened.push(endpoint)

    const { servername } = endpoint
    const host = '127.0.0.1'
    if (servername === undefined) return connect({ host, port })
    return connectTls({ host, port, servername, ca: certificate })
  }

  return { open, opened }
}

// Made for these tests: openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes
// -days 36500 -subj /CN=hooks.loja.teste -addext subjectAltName=DNS:hooks.loja.teste,DNS:localhost
const key = readFileSync(new URL('tls/key.pem', import.meta.url))
export const certificate = readFileSync(new URL('tls/cert.pem', import.meta.url), 'utf8')

async function listening(
  server: Server,
  event: 'connection' | 'secureConnection',
  serve: (socket: Socket) => void,
) {
  const sockets = new Set<Socket>()
  const chunks: Buffer[] = []
  let made = 0

  server.on('tlsClientError', () => {})
  server.on(event, (socket: Socket) => {
    made += 1
    sockets.add(socket)
    socket.on('error', () => {}).on('close', () => sockets.delete(socket))
    socket.on('data', (chunk) => chunks.push(chunk))
    socket.once('data', () => serve(socket))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo

  return {
    port,
    url: `http://127.0.0.1:${port}/pix`,
    /** Everything it received, on all connections. */
    received: () => Buffer.concat(chunks).toString('latin1'),
    /** How many connections there were, and how many are open. */
    connections: () => ({ made, open: sockets.size }),
    async [Symbol.asyncDispose]() {
      for (const socket of sockets) socket.destroy()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}
