import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { noResponseReason } from '../../src/transport/no-response-reason.ts'
import { createHttpTransport } from '../../src/transport/transport.ts'

const CALL = { method: 'GET', path: '/', headers: {}, body: undefined }

/** The reason for a server that gets a TLS connection. */
async function said(server: Server): Promise<string> {
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const transport = createHttpTransport(
    new URL(`https://127.0.0.1:${(server.address() as AddressInfo).port}`),
  )
  onTestFinished(async () => {
    server.closeAllConnections()
    server.close()
    await transport.close()
  })
  return (await transport.send(CALL)).text
}

test('says that a server does not speak TLS', async () => {
  const plain = createServer((_, response) => response.end())
  expect(await said(plain)).toMatch(/^it does not speak TLS \([A-Z_]+\): is its URL http, and not https\?$/)
})

test('says for a self-signed certificate how to trust its authority', () => {
  const error = Object.assign(new Error('self-signed certificate'), { code: 'DEPTH_ZERO_SELF_SIGNED_CERT' })
  expect(noResponseReason(error)).toBe(
    'its certificate is not trusted (DEPTH_ZERO_SELF_SIGNED_CERT): name the file of its authority in NODE_EXTRA_CA_CERTS',
  )
})

test('falls back to the code of an error without a message', async () => {
  const transport = createHttpTransport(new URL('http://127.0.0.1:1'))
  expect((await transport.send(CALL)).text).toMatch(/^ECONNREFUSED/)
  await transport.close()
})

test('an error without a code is its message', () => {
  const error = Object.assign(new Error('Content-Length beside Transfer-Encoding'), { code: undefined })
  expect(noResponseReason(error)).toBe('Content-Length beside Transfer-Encoding')
})
