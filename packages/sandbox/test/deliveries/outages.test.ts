import { Socket } from 'node:net'
import { gzipSync } from 'node:zlib'
import { freePort } from '@partner-payments/bench'
import { afterEach, expect, test } from 'vitest'
import { createPoster, type Poster, type PosterOptions } from '../../src/deliveries/post.ts'
import { openingAt, type Receiver, receiver, respondWith, tlsReceiver } from './receivers.ts'

const soon = 150

const outages: Record<string, [(socket: Socket) => void, object, PosterOptions?]> = {
  'closes without a word': [(socket) => socket.end(), { reason: 'reset' }],
  'resets when it has the request': [(socket) => socket.resetAndDestroy(), { reason: 'reset' }],
  'never responds': [() => {}, { reason: 'timeout' }, { timeoutMs: soon }],
  'sends its headers a byte at a time': [
    (socket) => drip(socket, 'HTTP/1.1 200 OK\r\nx: ', 'a'),
    { reason: 'timeout' },
    { timeoutMs: soon },
  ],
  'sends 103 again and again': [
    (socket) => drip(socket, '', 'HTTP/1.1 103 Early Hints\r\nlink: x\r\n\r\n'),
    { reason: 'timeout' },
    { timeoutMs: soon },
  ],
  'sends endless headers': [
    (socket) => flood(socket, 'HTTP/1.1 200 OK\r\n', `x: ${'a'.repeat(1_000)}\r\n`),
    { reason: 'answer_too_large' },
  ],
  'switches protocols': [
    (socket) => socket.write('HTTP/1.1 101 x\r\nupgrade: x\r\nconnection: upgrade\r\n\r\n'),
    { reason: 'protocol' },
  ],
  'speaks another protocol': [(socket) => socket.write('220 mail ESMTP\r\n'), { reason: 'protocol' }],
  'sends two lengths': [respondWith(200, 'content-length: 5\r\n'), { reason: 'protocol' }],
  'returns 500': [respondWith(500), { reason: 'status', status: 500 }],
  'returns 304': [respondWith(304), { reason: 'redirect', status: 304 }],
}

test.each(Object.entries(outages))('a receiver that %s', async (_, [serve, expected, options]) => {
  await using shop = await receiver(serve)
  expect(await post(shop.url, options)).toEqual({ ok: false, ...asUndelivered(expected) })
  await isGone(shop)
})

const oddBodies: Record<string, (socket: Socket) => void> = {
  'never comes': (socket) => socket.write('HTTP/1.1 200 OK\r\ncontent-length: 10\r\n\r\n'),
  'never ends': (socket) => flood(socket, 'HTTP/1.1 200 OK\r\n\r\n', 'a'.repeat(65_536)),
  'has broken chunks': (socket) =>
    socket.write('HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\nzz\r\n'),
  'is a bomb': (socket) => {
    socket.write(`HTTP/1.1 200 OK\r\ncontent-encoding: gzip\r\ncontent-length: ${bomb.length}\r\n\r\n`)
    socket.write(bomb)
  },
}
const bomb = gzipSync(Buffer.alloc(16 * 1_048_576))

test.each(Object.entries(oddBodies))(
  'a 2xx whose body %s is a success, and its connection is closed',
  async (_, serve) => {
    let written = 0
    await using shop = await receiver((socket) => {
      socket.on('close', () => (written = socket.bytesWritten))
      serve(socket)
    })
    expect(await post(shop.url)).toEqual({ ok: true, status: 200, durationMs: expect.any(Number) })
    await isGone(shop)
    // The socket buffers belong to the kernel. A body that were read on would exceed any limit.
    expect(written).toBeLessThan(16 * 1_048_576)
  },
)

test('a receiver that does not listen', async () => {
  const url = `http://127.0.0.1:${await freePort()}/`
  expect(await post(url)).toEqual({ ok: false, ...asUndelivered({ reason: 'refused' }) })
})

test('a receiver without a route, at both addresses', async () => {
  const sockets: Socket[] = []
  const open = () => {
    const socket = new Socket()
    sockets.push(socket)
    return socket
  }
  const lookup = async () => [{ address: '8.8.8.8' }, { address: '8.8.4.4' }]
  const outcome = await post(named, { open, lookup, timeoutMs: soon })
  expect(outcome).toEqual({ ok: false, ...asUndelivered({ reason: 'timeout' }) })
  await expect.poll(() => sockets.every((socket) => socket.destroyed)).toBe(true)
})

test('a receiver is reached at its second address if the first has no route', async () => {
  await using shop = await tlsReceiver(respondWith(200))
  const { open } = openingAt(shop.port)
  const lookup = async () => [{ address: '8.8.8.8' }, { address: '8.8.4.4' }]
  const outcome = await post(named, {
    open: (endpoint) => (endpoint.address === '8.8.8.8' ? new Socket() : open(endpoint)),
    lookup,
    timeoutMs: 3_000,
  })
  expect(outcome).toMatchObject({ ok: true })
})

test('a name that does not resolve, and one that never does', async () => {
  const { open, opened } = openingAt(1)
  const failing = { open, lookup: () => Promise.reject(new Error('ENOTFOUND')) }
  const detail = 'hooks.loja.teste did not resolve'
  expect(await post(named, failing)).toMatchObject({ ok: false, reason: 'dns', detail })
  expect(await post(named, { open, lookup: async () => [] })).toMatchObject({ reason: 'dns' })
  const hanging = { open, lookup: () => new Promise<never>(() => {}), timeoutMs: soon }
  expect(await post(named, hanging)).toMatchObject({ ok: false, reason: 'timeout' })
  expect(opened).toEqual([])
})

test('an untrusted certificate', async () => {
  await using shop = await tlsReceiver(respondWith(200))
  const url = `https://localhost:${shop.port}/`
  expect(await post(url)).toEqual({ ok: false, ...asUndelivered({ reason: 'tls' }) })
  expect(shop.received()).toBe('')
})

test('a receiver without TLS, and one that never ends the handshake', async () => {
  await using plain = await receiver((socket) => socket.end('HTTP/1.1 400 x\r\n\r\n'))
  expect(await post(plain.url.replace('http', 'https'))).toMatchObject({ reason: 'tls' })
  await using silent = await receiver(() => {})
  const outcome = await post(silent.url.replace('http', 'https'), { timeoutMs: soon })
  expect(outcome).toMatchObject({ reason: 'timeout' })
  await isGone(silent)
})

const named = 'https://hooks.loja.teste/'
const posters: Poster[] = []
afterEach(() => Promise.all(posters.splice(0).map((poster) => poster.close())))

async function post(url: string, options: PosterOptions = {}) {
  const poster = createPoster({ allowLoopback: true, ...options })
  posters.push(poster)
  return (await poster.post({ url, headers: {}, body: '{}' })).outcome
}

function asUndelivered(expected: object) {
  return { ...expected, detail: expect.any(String), durationMs: expect.any(Number) }
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
