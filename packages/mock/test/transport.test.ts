import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { text } from 'node:stream/consumers'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { type RunningMock, serve } from '../src/index.ts'

// Each request must end by itself; one that hangs exceeds the test timeout.
let mock: RunningMock
/**
 * A mock with a request timeout of half a second; a complete request may need that long on a busy
 * machine.
 */
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

it('survives a client that disconnects within its body', async () => {
  const socket = await open()
  socket.write(`${head('content-length: 100')}{"dict_key":`)
  socket.destroy()
  expect((await fetch(mock.url)).status).toBe(404)
})

it.each([
  { kind: 'a truncated body', bytes: `${head('content-length: 100')}{"dict_key":` },
  {
    kind: 'a body longer than its length',
    bytes: `${head('content-length: 5')}{"dict_key":"beltrana@example.com"}`,
  },
  { kind: 'invalid HTTP', bytes: '\x16\x03\x01 hello\r\n\r\n' },
  {
    kind: 'a method that Request cannot represent',
    bytes: 'TRACE / HTTP/1.1\r\nhost: mock\r\nconnection: close\r\n\r\n',
  },
  {
    kind: 'a target that Request cannot represent',
    bytes: 'GET http://[ HTTP/1.1\r\nhost: mock\r\n\r\n',
  },
  {
    kind: 'a backslash in the target',
    bytes:
      'GET /mobile-bff/v1/partner/user\\x HTTP/1.1\r\nhost: mock\r\nauthorization: Bearer t\r\n\r\n',
  },
  {
    kind: 'two Host headers',
    bytes:
      'GET /mobile-bff/v1/partner/user HTTP/1.1\r\nhost: mock\r\nhost: other\r\nauthorization: Bearer t\r\n\r\n',
  },
  {
    kind: 'no Host header',
    bytes: 'GET /mobile-bff/v1/partner/user HTTP/1.1\r\nauthorization: Bearer t\r\n\r\n',
  },
  { kind: 'CONNECT', bytes: 'CONNECT h:443 HTTP/1.1\r\nhost: h:443\r\n\r\n' },
  { kind: 'an open nest of JSON', bytes: withBody('['.repeat(30_000)) },
  { kind: 'a nest of arrays', bytes: withBody('['.repeat(30_000) + ']'.repeat(30_000)) },
  {
    kind: 'a nest of objects',
    bytes: withBody(`{"dict_key":${'{"a":'.repeat(5_000)}1${'}'.repeat(5_000)}}`),
  },
])('returns 400 for $kind', async ({ bytes }) => {
  const socket = await open()
  socket.end(bytes)
  expectResponse(await text(socket), 400)
})

it.each([
  { kind: 'a body shorter than its length', bytes: `${head('content-length: 100')}{}` },
  { kind: 'endless headers', bytes: 'GET / HTTP/1.1\r\nhost: mock\r\n' },
])('returns 408 after the timeout for $kind', async ({ bytes }) => {
  expectResponse(await exchange(bytes, hasty), 408)
})

it('returns 431 for huge headers', async () => {
  expectResponse(await exchange(head(`x-huge: ${'x'.repeat(20_000)}`)), 431)
})

it('returns 413 for a large body and serves the next request on the connection', async () => {
  const large = `${head('content-length: 1000000')}${'x'.repeat(1_000_000)}`
  const responses = await exchange(`${large}${head('content-length: 0', 'connection: close')}`)
  expect(responses.match(/HTTP\/1\.1 \d+/g)).toEqual(['HTTP/1.1 413', 'HTTP/1.1 400'])
})

it('returns 413 for a length that is too large, before the body', async () => {
  const socket = await open()
  socket.on('error', () => {})
  socket.write(head('content-length: 99999999999'))
  const [first] = (await once(socket, 'data')) as [Buffer]
  socket.destroy()
  expect(first.toString()).toMatch(/^HTTP\/1\.1 413 /)
})

it('returns 413 for an endless body, then closes', async () => {
  const socket = await open(hasty)
  socket.on('error', () => {})
  socket.write(head('transfer-encoding: chunked'))
  const endless = setInterval(() => socket.write(`40000\r\n${'x'.repeat(0x40000)}\r\n`), 5)

  const response = await text(socket).catch(() => '')
  clearInterval(endless)
  expect(response).toMatch(/^HTTP\/1\.1 413 /)
})

function withBody(body: string): string {
  return `${head(`content-length: ${body.length}`, 'connection: close')}${body}`
}

async function exchange(bytes: string, to = mock): Promise<string> {
  const socket = await open(to)
  socket.write(bytes)
  return text(socket)
}

async function open({ url } = mock): Promise<Socket> {
  const { hostname, port } = new URL(url)
  const socket = connect(Number(port), hostname)
  await once(socket, 'connect')
  return socket
}

/** Expects problem details with the HTTP status. */
function expectResponse(response: string, status: number) {
  expect(response).toMatch(new RegExp(`^HTTP/1.1 ${status} `))

  const [headers = '', body = ''] = response.split('\r\n\r\n')
  const requestId = /^x-request-id: (.+)$/im.exec(headers)?.[1]
  expect(headers).toMatch(/^content-type: application\/problem\+json$/im)
  expect(JSON.parse(body)).toMatchObject({ status, request_id: requestId })
}
