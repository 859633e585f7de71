import { once } from 'node:events'
import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { createTimedWire, createWire } from '../src/transport/transport.ts'

const CALL = { method: 'GET', path: '/', headers: {}, body: undefined }

/** Where a server listens that answers so. */
async function served(answer: (response: ServerResponse) => void): Promise<URL> {
  const server = createServer((_, response) => answer(response)).listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  return new URL(`http://127.0.0.1:${(server.address() as AddressInfo).port}`)
}

/** A body of which a byte comes every so often, without end. */
function trickle(response: ServerResponse): void {
  response.writeHead(200, { 'content-type': 'application/json' })
  const timer = setInterval(() => response.write(' '), 10)
  response.on('close', () => clearInterval(timer))
}

test('gives up an answer whose body never ends', async () => {
  const wire = createWire(await served(trickle), { timeoutMs: 100 })
  expect(await wire.send(CALL)).toMatchObject({ status: 0, text: 'no whole answer within 100 ms' })
  await wire.close()
})

test('gives up an answer that never begins, over HTTP and in this process', async () => {
  const wire = createWire(await served(() => {}), { timeoutMs: 50 })
  expect(await wire.send(CALL)).toMatchObject({ status: 0, text: 'no whole answer within 50 ms' })
  await wire.close()
  const never = { send: () => new Promise<never>(() => {}), close: async () => {} }
  expect(await createTimedWire(never, 50).send(CALL)).toMatchObject({ status: 0 })
})

test('gives an exchange up with its signal, whether it is under way or not begun', async () => {
  const controller = new AbortController()
  const wire = createWire(await served(() => controller.abort()))
  expect(await wire.send(CALL, controller.signal)).toMatchObject({ status: 0, text: 'the run was ended' })
  expect(await wire.send(CALL, controller.signal)).toMatchObject({ status: 0, text: 'the run was ended' })
  await wire.close()
})

test('a wire that throws is one that gets no answer', async () => {
  const wire = createTimedWire({ send: () => Promise.reject(new Error('gone')), close: async () => {} })
  expect(await wire.send(CALL)).toMatchObject({ status: 0, text: 'gone' })
})
