import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { type Fetch, type Listening, type ListenOptions, listen } from '../src/listen.ts'

let server: Listening
const sockets: Socket[] = []
afterEach(async () => {
  for (const socket of sockets.splice(0)) socket.destroy()
  await server.close(0)
})

async function serve(fetch: Fetch, limits: ListenOptions['limits'] = {}): Promise<void> {
  server = await listen({ fetch, port: 0, host: '127.0.0.1', limits })
}

const port = () => Number(new URL(server.url).port)

/** Opens a connection and writes a text. It reads nothing until the test does. */
function write(text: string): Socket {
  const socket = connect(port(), '127.0.0.1')
  socket.pause().on('error', () => {})
  socket.write(text)
  sockets.push(socket)
  return socket
}

/** Everything that a connection receives until it is closed. */
async function readAll(socket: Socket): Promise<string> {
  const chunks = await socket.toArray().catch(() => [])
  return Buffer.concat(chunks).toString()
}

const GET = 'GET / HTTP/1.1\r\nHost: localhost\r\n\r\n'
const LAST = 'GET / HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n'

const MEGABYTE = new Uint8Array(1_048_576)

/** A body that is longer than the system's buffers for a client that does not read. */
const longBody = () => ReadableStream.from(Array.from({ length: 16 }, () => MEGABYTE))

it('says in every response that it is a sandbox, as evidence of it is none of a service', async () => {
  await serve(async () => new Response('ok'))
  const { headers } = await fetch(server.url)
  expect(headers.get('server')).toMatch(/^partner-payments-sandbox\/\d+\.\d+\.\d+$/)
})

it('closes without waiting for keep-alive connections', async () => {
  const response = Promise.withResolvers<Response>()
  const arrived = Promise.withResolvers<void>()
  await serve(() => {
    arrived.resolve()
    return response.promise
  })

  // A connection of fetch is kept alive for five seconds.
  const received = fetch(server.url)
  await arrived.promise

  const closed = server.close().then(() => 'closed')
  response.resolve(new Response('late'))
  expect(await (await received).text()).toBe('late')
  expect(await Promise.race([closed, sleep(4_000, 'kept')])).toBe('closed')
})

describe('CONNECT', () => {
  const CONNECT = 'CONNECT a:80 HTTP/1.1\r\nHost: a\r\n\r\n'

  it('is refused after the response before it', async () => {
    await serve(async () => new Response('first'))
    const received = await readAll(write(GET + CONNECT))
    expect(received.match(/HTTP\/1.1 \d+|first/g)).toEqual([
      'HTTP/1.1 200',
      'first',
      'HTTP/1.1 400',
    ])
  })

  it('does not keep a connection that its client leaves open', async () => {
    await serve(async () => new Response())
    const socket = connect({ port: port(), host: '127.0.0.1', allowHalfOpen: true })
    sockets.push(socket.on('error', () => {}))
    socket.write(CONNECT)
    await once(socket.resume(), 'end')
    expect(socket.readableEnded).toBe(true)
    await server.close()
  })
})

describe('pipelining', () => {
  it('serves more requests than one read of the socket contains', async () => {
    let started = 0
    await serve(async () => {
      started += 1
      return new Response(`response ${started};`)
    })

    const long = GET.replace('\r\n\r\n', `\r\nX-Long: ${'x'.repeat(4_000)}\r\n\r\n`)
    const socket = write(long.repeat(299) + LAST)
    expect((await readAll(socket)).match(/response \d+/g)).toHaveLength(300)
  })

  it('closes a connection with more than 32 waiting requests, and runs none of them', async () => {
    const handle = vi.fn(() => new Promise<Response>(() => {}))
    await serve(handle)
    expect(await readAll(write(GET.repeat(34)))).toBe('')
    expect(handle).toHaveBeenCalledTimes(1)
  })

  it('runs no request whose connection was closed before its turn', async () => {
    const first = Promise.withResolvers<Response>()
    const handle = vi.fn((_: Request) => first.promise.then((response) => response.clone()))
    await serve(handle)
    const socket = write(GET + GET)
    await expect.poll(() => handle.mock.calls.length).toBe(1)

    socket.resetAndDestroy()
    first.resolve(new Response())
    await expect.poll(() => handle.mock.calls[0]?.[0].signal.aborted).toBe(true)

    await fetch(server.url)
    expect(handle).toHaveBeenCalledTimes(2)
  })
})

describe('a client that does not read', () => {
  it('is disconnected after one request, and 50 of them do not delay others', async () => {
    let started = 0
    let cut = 0
    await serve(
      async (request) => {
        if (request.url.endsWith('/ordinary')) return new Response('ordinary')

        started += 1
        request.signal.addEventListener('abort', () => {
          cut += 1
        })
        return new Response(longBody())
      },
      { stallMs: 300 },
    )

    for (let i = 0; i < 50; i++) write(GET.repeat(20))
    await expect.poll(() => started).toBe(50)
    expect(await (await fetch(`${server.url}/ordinary`)).text()).toBe('ordinary')
    await expect.poll(() => cut).toBe(50)
    expect(started).toBe(50)
  })

  it('is not disconnected because its response is slow or pauses', async () => {
    // Then a connection without a request is disconnected.
    const limit = () => once(write('').resume(), 'close')
    const paused = async function* () {
      yield Buffer.from('one')
      await limit()
      yield Buffer.from('two')
    }

    const slow = async () => {
      await limit()
      return new Response(ReadableStream.from(paused()))
    }

    await serve(slow, { stallMs: 100 })
    expect(await (await fetch(server.url)).text()).toBe('onetwo')
  })
})

it('closes a connection above the limit, and serves the others', async () => {
  await serve(async () => new Response('ok'), { connections: 2 })
  const open = [write(GET), write(GET)]
  await Promise.all(open.map((socket) => once(socket.resume(), 'data')))
  expect(await readAll(write(GET))).toBe('')

  const [last] = open
  last?.write(LAST)
  expect(await readAll(last as Socket)).toContain('200 OK')
})
