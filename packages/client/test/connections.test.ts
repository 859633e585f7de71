import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { type ClientOptions, createPayments } from '../src/index.ts'
import { TRANSFER } from './service.ts'

let server: Server
let connections: number

beforeEach(async () => {
  connections = 0
  server = createServer((request, response) => {
    const status = request.url?.includes('/pix/out/') ? 201 : 200
    const body = JSON.stringify({ users: [], data: {} })
    request
      .resume()
      .on('end', () => response.writeHead(status, { 'content-type': 'application/json' }).end(body))
  })
  server.on('connection', () => connections++)
  await once(server.listen(0, '127.0.0.1'), 'listening')
})

afterEach(() => {
  server.closeAllConnections()
  server.close()
})

describe('a connection', () => {
  it('carries one request, of any effect, so that no payment uses one that was kept alive', async () => {
    const payments = client()
    for (let round = 0; round < 3; round++) {
      await payments.users.list()
      await payments.keys.check('beltrana@example.com')
      await payments.transfers.create(TRANSFER)
    }
    expect(connections).toBe(9)
  })

  it('is shared by requests whose fetch removes "connection: close"', async () => {
    const payments = client((url, init) => {
      const headers = new Headers(init.headers)
      headers.delete('connection')
      return fetch(url, { ...init, headers })
    })
    for (let round = 0; round < 3; round++) {
      await payments.users.list()
      await payments.keys.check('beltrana@example.com')
    }
    // The second request may begin before the first connection is free again.
    expect(connections).toBeLessThanOrEqual(2)
  })
})

function client(fetch?: ClientOptions['fetch']) {
  const { port } = server.address() as AddressInfo
  const options = { baseUrl: `http://127.0.0.1:${port}`, auth: { token: () => 't' } }
  return createPayments({ ...options, ...(fetch && { fetch }) })
}
