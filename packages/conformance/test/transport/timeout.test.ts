import { once } from 'node:events'
import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { createHttpTransport, createTimedTransport } from '../../src/transport/transport.ts'

const CALL = { method: 'GET', path: '/', headers: {}, body: undefined }

/** Starts a server with this handler, and returns its URL. */
async function served(handler: (response: ServerResponse) => void): Promise<URL> {
  const server = createServer((_, response) => handler(response)).listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  return new URL(`http://127.0.0.1:${(server.address() as AddressInfo).port}`)
}

/** Sends a byte at intervals, without end. */
function trickle(response: ServerResponse): void {
  response.writeHead(200, { 'content-type': 'application/json' })
  const timer = setInterval(() => response.write(' '), 10)
  response.on('close', () => clearInterval(timer))
}

test('stops waiting for a body that never ends', async () => {
  const transport = createHttpTransport(await served(trickle), { timeoutMs: 100 })
  expect(await transport.send(CALL)).toMatchObject({ status: 0, text: 'no complete response within 100 ms' })
  await transport.close()
})

test('stops waiting for a response, over HTTP and in process', async () => {
  const transport = createHttpTransport(await served(() => {}), { timeoutMs: 50 })
  expect(await transport.send(CALL)).toMatchObject({ status: 0, text: 'no complete response within 50 ms' })
  await transport.close()
  const never = { send: () => new Promise<never>(() => {}), close: async () => {} }
  expect(await createTimedTransport(never, 50).send(CALL)).toMatchObject({ status: 0 })
})

test('stops when its signal aborts, before and during the request', async () => {
  const controller = new AbortController()
  const transport = createHttpTransport(await served(() => controller.abort()))
  expect(await transport.send(CALL, controller.signal)).toMatchObject({
    status: 0,
    text: 'the run was ended',
  })
  expect(await transport.send(CALL, controller.signal)).toMatchObject({
    status: 0,
    text: 'the run was ended',
  })
  await transport.close()
})

test('treats a transport that throws as no response', async () => {
  const transport = createTimedTransport({
    send: () => Promise.reject(new Error('gone')),
    close: async () => {},
  })
  expect(await transport.send(CALL)).toMatchObject({ status: 0, text: 'gone' })
})
