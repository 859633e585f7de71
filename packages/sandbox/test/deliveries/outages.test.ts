import { Socket } from 'node:net'
import { gzipSync } from 'node:zlib'
import { freePort } from '@partner-payments/programs'
import { expect, test } from 'vitest'
import type { PosterOptions } from '../../src/deliveries/post.ts'
import {
  createOpening,
  post,
  type Receiver,
  receiver,
  respondWith,
  tlsReceiver,
} from './receivers.ts'

const SOON_MS = 150

/** A receiver that does not take a delivery. */
interface Outage {
  readonly what: string
  readonly serve: (socket: Socket) => void
  readonly reason: string
  readonly status?: number
}

const OUTAGES: readonly Outage[] = [
  {
    what: 'closes without a word',
    serve: (socket) => socket.end(),
    reason: 'reset',
  },
  {
    what: 'resets when it has the request',
    serve: (socket) => socket.resetAndDestroy(),
    reason: 'reset',
  },
  {
    what: 'never responds',
    serve: () => {},
    reason: 'timeout',
  },
  {
    what: 'sends its headers a byte at a time',
    serve: (socket) => drip(socket, 'HTTP/1.1 200 OK\r\nx: ', 'a'),
    reason: 'timeout',
  },
  {
    what: 'sends 103 again and again',
    serve: (socket) => drip(socket, '', 'HTTP/1.1 103 Early Hints\r\nlink: x\r\n\r\n'),
    reason: 'timeout',
  },
  {
    what: 'sends endless headers',
    serve: (socket) => flood(socket, 'HTTP/1.1 200 OK\r\n', `x: ${'a'.repeat(1_000)}\r\n`),
    reason: 'answer_too_large',
  },
  {
    what: 'switches protocols',
    serve: respondWith(101, 'upgrade: x\r\nconnection: upgrade\r\n'),
    reason: 'protocol',
  },
  {
    what: 'speaks another protocol',
    serve: (socket) => socket.write('220 mail ESMTP\r\n'),
    reason: 'protocol',
  },
  {
    what: 'sends two lengths',
    serve: respondWith(200, 'content-length: 5\r\n'),
    reason: 'protocol',
  },
  {
    what: 'returns 500',
    serve: respondWith(500),
    reason: 'status',
    status: 500,
  },
  {
    what: 'returns 304',
    serve: respondWith(304),
    reason: 'redirect',
    status: 304,
  },
]

test.each(OUTAGES)(
  'a receiver that $what is not delivered to',
  async ({ serve, reason, status }) => {
    await using shop = await receiver(serve)
    const outcome = await deliver(shop.url, reason === 'timeout' ? { timeoutMs: SOON_MS } : {})
    expect(outcome).toEqual(undelivered(reason, status))
    await isGone(shop)
  },
)

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
    socket.on('close', () => {
      written = socket.bytesWritten
    })
    serve(socket)
  })
  expect(await deliver(shop.url)).toEqual({ ok: true, status: 200, durationMs: expect.any(Number) })
  await isGone(shop)
  // The socket buffers belong to the kernel. A body that were read on would exceed any limit.
  expect(written).toBeLessThan(16 * 1_048_576)
})

test('a receiver that does not listen is not delivered to', async () => {
  const url = `http://127.0.0.1:${await freePort()}/`
  expect(await deliver(url)).toEqual(undelivered('refused'))
})

test('a receiver without a route at both addresses is not delivered to', async () => {
  const sockets: Socket[] = []
  const open = () => {
    const socket = new Socket()
    sockets.push(socket)
    return socket
  }
  const outcome = await deliver(named, { open, lookup: twoAddresses, timeoutMs: SOON_MS })
  expect(outcome).toEqual(undelivered('timeout'))
  expect(sockets).toHaveLength(2)
  await expect.poll(() => sockets.every((socket) => socket.destroyed)).toBe(true)
})

test('a receiver is reached at its second address if the first has no route', async () => {
  await using shop = await tlsReceiver(respondWith(200))
  const { open } = createOpening(shop.port)
  const firstIsSilent: typeof open = (endpoint) =>
    endpoint.address === '8.8.8.8' ? new Socket() : open(endpoint)
  const options = { open: firstIsSilent, lookup: twoAddresses, timeoutMs: 3_000 }
  expect(await deliver(named, options)).toMatchObject({ ok: true })
})

test('a name that does not resolve, and one that never does', async () => {
  const { open, opened } = createOpening(1)
  const failing = { open, lookup: () => Promise.reject(new Error('ENOTFOUND')) }
  const detail = 'hooks.loja.teste did not resolve'
  expect(await deliver(named, failing)).toMatchObject({ ok: false, reason: 'dns', detail })
  expect(await deliver(named, { open, lookup: async () => [] })).toMatchObject({ reason: 'dns' })

  const hanging = { open, lookup: () => new Promise<never>(() => {}), timeoutMs: SOON_MS }
  expect(await deliver(named, hanging)).toMatchObject({ ok: false, reason: 'timeout' })
  expect(opened).toEqual([])
})

test('a receiver with an untrusted certificate gets nothing', async () => {
  await using shop = await tlsReceiver(respondWith(200))
  const url = `https://localhost:${shop.port}/`
  expect(await deliver(url)).toEqual(undelivered('tls'))
  expect(shop.received()).toBe('')
})

test('a receiver without TLS, and one that never ends the handshake', async () => {
  await using plain = await receiver((socket) => socket.end('HTTP/1.1 400 x\r\n\r\n'))
  expect(await deliver(plain.url.replace('http', 'https'))).toMatchObject({ reason: 'tls' })

  await using silent = await receiver(() => {})
  const outcome = await deliver(silent.url.replace('http', 'https'), { timeoutMs: SOON_MS })
  expect(outcome).toMatchObject({ reason: 'timeout' })
  await isGone(silent)
})

const named = 'https://hooks.loja.teste/'
const twoAddresses = async () => [{ address: '8.8.8.8' }, { address: '8.8.4.4' }]

const deliver = (url: string, options: PosterOptions = {}) =>
  post(url, { allowLoopback: true, ...options })

/** The outcome of an attempt that failed; without a status if there was no response. */
function undelivered(reason: string, status?: number) {
  const outcome = {
    ok: false,
    reason,
    detail: expect.any(String),
    durationMs: expect.any(Number),
  }
  return status === undefined ? outcome : { ...outcome, status }
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
    let isTaken = true
    while (isTaken && !socket.destroyed) isTaken = socket.write(more)
  }

  socket.on('drain', pour)
  socket.write(beginning)
  pour()
}
