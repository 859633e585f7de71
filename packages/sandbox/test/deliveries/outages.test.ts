import { Socket } from 'node:net'
import { gzipSync } from 'node:zlib'
import { freePort } from '@partner-payments/bench'
import { expect, test } from 'vitest'
import type { PosterOptions } from '../../src/deliveries/post.ts'
import { openingAt, post, type Receiver, receiver, respondWith, tlsReceiver } from './receivers.ts'

const soon = 150

const outages: Record<string, [serve: (socket: Socket) => void, reason: string, status?: number]> =
  {
    'closes without a word': [(socket) => socket.end(), 'reset'],
    'resets when it has the request': [(socket) => socket.resetAndDestroy(), 'reset'],
    'never responds': [() => {}, 'timeout'],
    'sends its headers a byte at a time': [
      (socket) => drip(socket, 'HTTP/1.1 200 OK\r\nx: ', 'a'),
      'timeout',
    ],
    'sends 103 again and again': [
      (socket) => drip(socket, '', 'HTTP/1.1 103 Early Hints\r\nlink: x\r\n\r\n'),
      'timeout',
    ],
    'sends endless headers': [
      (socket) => flood(socket, 'HTTP/1.1 200 OK\r\n', `x: ${'a'.repeat(1_000)}\r\n`),
      'answer_too_large',
    ],
    'switches protocols': [respondWith(101, 'upgrade: x\r\nconnection: upgrade\r\n'), 'protocol'],
    'speaks another protocol': [(socket) => socket.write('220 mail ESMTP\r\n'), 'protocol'],
    'sends two lengths': [respondWith(200, 'content-length: 5\r\n'), 'protocol'],
    'returns 500': [respondWith(500), 'status', 500],
    'returns 304': [respondWith(304), 'redirect', 304],
  }

test.each(Object.entries(outages))('a receiver that %s', async (_, [serve, reason, status]) => {
  await using shop = await receiver(serve)
  const outcome = await deliver(shop.url, reason === 'timeout' ? { timeoutMs: soon } : {})
  expect(outcome).toEqual(undelivered(reason, status && { status }))
  await isGone(shop)
})

const oddBodies: Record<string, (socket: Socket) => void> = {
  'never comes': (socket) => socket.write('HTTP/1.1 200 OK\r\ncontent-length: 10\r\n\r\n'),
  'never ends': (socket) => flood(socket, 'HTTP/1.1 200 OK\r\n\r\n', 'a'.repeat(65_536)),
  'has broken chunks': (socket) =>
    socket.write('HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\nzz\r\n'),
  'is a bomb': (socket) => {
    socket.write(
      `HTTP/1.1 200 OK\r\ncontent-encoding: gzip\r\ncontent-length: ${bomb.length}\r\n\r\n`,
    )
    socket.write(bomb)
  },
}
const bomb = gzipSync(Buffer.alloc(16 * 1_048_576))

test.each(Object.entries(oddBodies))('a 2xx whose body %s is a success', async (_, serve) => {
  let written = 0
  await using shop = await receiver((socket) => {
    socket.on('close', () => (written = socket.bytesWritten))
    serve(socket)
  })
  expect(await deliver(shop.url)).toEqual({ ok: true, status: 200, durationMs: expect.any(Number) })
  await isGone(shop)
  // The socket buffers belong to the kernel. A body that were read on would exceed any limit.
  expect(written).toBeLessThan(16 * 1_048_576)
})

test('a receiver that does not listen', async () => {
  const url = `http://127.0.0.1:${await freePort()}/`
  expect(await deliver(url)).toEqual(undelivered('refused'))
})

test('a receiver without a route, at both addresses', async () => {
  const sockets = [new Socket(), new Socket()]
  const [...left] = sockets
  const open = () => left.pop() as Socket
  const outcome = await deliver(named, { open, lookup: twoAddresses, timeoutMs: soon })
  expect(outcome).toEqual(undelivered('timeout'))
  await expect.poll(() => sockets.every((socket) => socket.destroyed)).toBe(true)
})

test('a receiver is reached at its second address if the first has no route', async () => {
  await using shop = await tlsReceiver(respondWith(200))
  const { open } = openingAt(shop.port)
  const firstIsSilent: typeof open = (endpoint) =>
    endpoint.address === '8.8.8.8' ? new Socket() : open(endpoint)
  const options = { open: firstIsSilent, lookup: twoAddresses, timeoutMs: 3_000 }
  expect(await deliver(named, options)).toMatchObject({ ok: true })
})

test('a name that does not resolve, and one that never does', async () => {
  const { open, opened } = openingAt(1)
  const failing = { open, lookup: () => Promise.reject(new Error('ENOTFOUND')) }
  const detail = 'hooks.loja.teste did not resolve'
  expect(await deliver(named, failing)).toMatchObject({ ok: false, reason: 'dns', detail })
  expect(await deliver(named, { open, lookup: async () => [] })).toMatchObject({ reason: 'dns' })

  const hanging = { open, lookup: () => new Promise<never>(() => {}), timeoutMs: soon }
  expect(await deliver(named, hanging)).toMatchObject({ ok: false, reason: 'timeout' })
  expect(opened).toEqual([])
})

test('an untrusted certificate', async () => {
  await using shop = await tlsReceiver(respondWith(200))
  const url = `https://localhost:${shop.port}/`
  expect(await deliver(url)).toEqual(undelivered('tls'))
  expect(shop.received()).toBe('')
})

test('a receiver without TLS, and one that never ends the handshake', async () => {
  await using plain = await receiver((socket) => socket.end('HTTP/1.1 400 x\r\n\r\n'))
  expect(await deliver(plain.url.replace('http', 'https'))).toMatchObject({ reason: 'tls' })

  await using silent = await receiver(() => {})
  const outcome = await deliver(silent.url.replace('http', 'https'), { timeoutMs: soon })
  expect(outcome).toMatchObject({ reason: 'timeout' })
  await isGone(silent)
})

const named = 'https://hooks.loja.teste/'
const twoAddresses = async () => [{ address: '8.8.8.8' }, { address: '8.8.4.4' }]

const deliver = (url: string, options: PosterOptions = {}) =>
  post(url, { allowLoopback: true, ...options })

function undelivered(reason: string, more?: object | 0) {
  return { ok: false, reason, ...more, detail: expect.any(String), durationMs: expect.any(Number) }
}

async function isGone(shop: Receiver): Promise<void> {
  await expect.poll(() => shop.connections()).toEqual({ made: 1, open: 0 })
}

/** Writes a beginning, then something every few milliseconds until the socket closes. */
function drip(socket: Socket, beginning: string, drop: string): void {
  socket.write(beginning)
  const timer = setInterval(() => socket.write(drop), 5)
  socket.on('close', () => clearInterval(timer))
}

/** Writes a beginning, then as much as the other end reads. */
function flood(socket: Socket, beginning: string, more: string): void {
  const pour = () => {
    while (!socket.destroyed && socket.write(more));
  }

  socket.on('drain', pour)
  socket.write(beginning)
  pour()
}
