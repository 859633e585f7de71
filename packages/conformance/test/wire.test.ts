import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib'
import { expect, onTestFinished, test } from 'vitest'
import { createWire } from '../src/transport/transport.ts'

const GET = { method: 'GET', path: '/', headers: {}, body: undefined }

/** A wire to a server. */
async function wireTo(listener: RequestListener) {
  const server = createServer(listener).listen(0, '127.0.0.1')
  await new Promise((resolve) => server.once('listening', resolve))
  // A server that listens on a port has an address of this kind.
  const wire = createWire(new URL(`http://127.0.0.1:${(server.address() as AddressInfo).port}`))
  onTestFinished(async () => {
    await wire.close()
    server.close()
  })
  return wire
}

test.each([
  ['gzip', gzipSync],
  ['deflate', deflateSync],
  ['br', brotliCompressSync],
] as const)('reads what is coded in %s', async (coding, encode) => {
  const wire = await wireTo((_, response) =>
    response.writeHead(200, { 'content-encoding': coding }).end(encode('Olá')),
  )
  expect((await wire.send(GET)).text).toBe('Olá')
})

test('an answer that is not of the coding it names is none', async () => {
  const wire = await wireTo((_, response) =>
    response.writeHead(200, { 'content-encoding': 'gzip' }).end('Olá'),
  )
  expect((await wire.send(GET)).status).toBe(0)
})
