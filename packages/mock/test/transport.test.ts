import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { text } from 'node:stream/consumers'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { type RunningMock, serve } from '../src/index.ts'

// Every case has to end by itself: a request that hangs fails here by the time limit of its test.
let mock: RunningMock
/** Waits for half a second only; on a busy machine a request that is whole can take as long. */
let hasty: RunningMock

beforeAll(async () => {
  ;[mock, hasty] = await Promise.all([serve({ port: 0 }), serve({ port: 0, timeout: 500 })])
})

afterAll(() => Promise.all([mock.close(), hasty.close()]))

const head = (...headers: string[]) =>
  [
    'POST /mobile-bff/v1/pix/dict/check/ HTTP/1.1',
    'host: mock',
    'authorization: Bearer t',
    'content-type: application/json',
    ...headers,
    '',
    '',
  ].join('\r\n')

it('answers a body that ends early with 400', async () => {
  expectAnswer(await exchange(`${head('content-length: 100')}{"dict_key":`, 'end'), 400)
})

it('survives a client that leaves in the middle of its body', async () => {
  const socket = await open()
  socket.write(`${head('content-length: 100')}{"dict_key":`)
  socket.destroy()
  await expectAlive()
})

it('answers a body shorter than its content-length with 408, once the time is up', async () => {
  expectAnswer(await exchange(`${head('content-length: 100')}{}`, 'wait', hasty), 408)
})

it('answers headers that never end with 408', async () => {
  expectAnswer(await exchange('GET / HTTP/1.1\r\nhost: mock\r\n', 'wait', hasty), 408)
})

it('answers a body longer than its content-length with 400', async () => {
  expectAnswer(await exchange(`${head('content-length: 5')}{"dict_key":"beltrana@example.com"}`), 400)
})

it('answers huge headers with 431', async () => {
  expectAnswer(await exchange(head(`x-huge: ${'x'.repeat(20_000)}`)), 431)
})

it('answers what is no HTTP with 400', async () => {
  expectAnswer(await exchange('\x16\x03\x01 hello\r\n\r\n'), 400)
})

it('answers a method or a target that no Request can hold with 400', async () => {
  expectAnswer(await exchange('TRACE / HTTP/1.1\r\nhost: mock\r\nconnection: close\r\n\r\n'), 400)
  expectAnswer(await exchange('GET http://[ HTTP/1.1\r\nhost: mock\r\nconnection: close\r\n\r\n'), 400)
})

it('answers deeply nested JSON with 400', async () => {
  for (const body of ['['.repeat(30_000), '['.repeat(30_000) + ']'.repeat(30_000), nested(10_000)]) {
    expectAnswer(await exchange(`${head(`content-length: ${body.length}`, 'connection: close')}${body}`), 400)
  }
})

it('answers a large body with 413, and the next request on the same connection', async () => {
  const large = `${head('content-length: 1000000')}${'x'.repeat(1_000_000)}`
  const answers = await exchange(`${large}${head('content-length: 0', 'connection: close')}`)
  expect(answers.match(/HTTP\/1\.1 \d+/g)).toEqual(['HTTP/1.1 413', 'HTTP/1.1 400'])
})

it('answers a body without an end with 413, then closes', async () => {
  const socket = await open()
  socket.on('error', () => {})
  socket.write(head('transfer-encoding: chunked'))
  const endless = setInterval(() => socket.write(`4000\r\n${'x'.repeat(0x4000)}\r\n`), 20)
  const answer = await text(socket).catch(() => '')
  clearInterval(endless)
  expect(answer).toMatch(/^HTTP\/1\.1 413 /)
})

function nested(depth: number): string {
  return `{"dict_key":${'{"a":'.repeat(depth / 2)}1${'}'.repeat(depth / 2)}}`
}

async function exchange(bytes: string, then: 'wait' | 'end' = 'wait', to = mock): Promise<string> {
  const socket = await open(to)
  if (then === 'end') socket.end(bytes)
  else socket.write(bytes)
  return text(socket)
}

async function open({ url } = mock): Promise<Socket> {
  const { hostname, port } = new URL(url)
  const socket = connect(Number(port), hostname)
  await once(socket, 'connect')
  return socket
}

/** Problem details with the status of the answer. */
function expectAnswer(answer: string, status: number) {
  expect(answer).toMatch(new RegExp(`^HTTP/1.1 ${status} `))
  const [headers = '', body = ''] = answer.split('\r\n\r\n')
  const requestId = /^x-request-id: (.+)$/im.exec(headers)?.[1]
  expect(headers).toMatch(/^content-type: application\/problem\+json$/im)
  expect(JSON.parse(body)).toMatchObject({ status, request_id: requestId })
}

async function expectAlive() {
  expect((await fetch(mock.url)).status).toBe(404)
}
