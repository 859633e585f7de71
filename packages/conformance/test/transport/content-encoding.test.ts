import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib'
import { expect, onTestFinished, test } from 'vitest'
import { createHttpTransport } from '../../src/transport/transport.ts'

const GET = { method: 'GET', path: '/', headers: {}, body: undefined }

/** Starts a server, and returns a transport to it. */
async function transportTo(listener: RequestListener) {
  const server = createServer(listener).listen(0, '127.0.0.1')
  await new Promise((resolve) => server.once('listening', resolve))
  // A server that listens on a port has an AddressInfo.
  const transport = createHttpTransport(new URL(`http://127.0.0.1:${(server.address() as AddressInfo).port}`))
  onTestFinished(async () => {
    await transport.close()
    server.close()
  })
  return transport
}

test.each([
  ['gzip', gzipSync],
  ['deflate', deflateSync],
  ['br', brotliCompressSync],
] as const)('decodes %s', async (coding, encode) => {
  const transport = await transportTo((_, response) =>
    response.writeHead(200, { 'content-encoding': coding }).end(encode('Olá')),
  )
  expect((await transport.send(GET)).text).toBe('Olá')
})

test.each(['constructor', '__proto__', 'hasownproperty'])(
  'does not decode the unknown coding %s',
  async (coding) => {
    const transport = await transportTo((_, response) =>
      response.writeHead(200, { 'content-encoding': coding }).end('Olá'),
    )
    expect(await transport.send(GET)).toMatchObject({ status: 200, text: 'Olá' })
  },
)

test('treats a body that cannot be decoded as no response', async () => {
  const transport = await transportTo((_, response) =>
    response.writeHead(200, { 'content-encoding': 'gzip' }).end('Olá'),
  )
  expect((await transport.send(GET)).status).toBe(0)
})
