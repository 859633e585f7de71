import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib'
import { expect, onTestFinished, test } from 'vitest'
import { parsedJson } from '../../src/contract/json.ts'
import { run } from '../../src/run.ts'
import type { Timer } from '../../src/send/limits.ts'
import {
  CannotRun,
  ConnectionClosed,
  fetchTransport,
  type HttpOptions,
  httpTransport,
  MAX_CONCURRENT,
  type Transport,
} from '../../src/send/transport.ts'
import { partner as credentials } from '../service.ts'

const GET = { method: 'GET', path: '/', headers: {} }
const NEVER = new AbortController().signal
type Respond = (response: ServerResponse, request: IncomingMessage) => unknown

/** Starts a service, and returns a transport to it, and how many requests and connections it got. */
async function startService(respond: Respond, options?: HttpOptions) {
  let count = 0
  let connections = 0
  const server = createServer((request, response) => {
    count++
    respond(response, request)
  }).listen(0, '127.0.0.1')
  server.on('connection', () => connections++)
  await once(server, 'listening')
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const { transport, close } = httpTransport(new URL(url), options)
  onTestFinished(async () => {
    await close()
    server.closeAllConnections()
    server.close()
  })
  return { url, transport, count: () => count, connections: () => connections }
}

/** Responds by the socket itself. */
function raw(work: (socket: Socket) => void): Respond {
  return ({ socket }) => {
    if (socket) work(socket)
  }
}
const closes = raw((socket) => socket.destroy())

test('the transport loses no request where the service closes connections without saying so', async () => {
  const { transport, count } = await startService((response) => {
    const { socket } = response
    response.end('{}', () => setImmediate(() => socket?.destroy()))
  })
  for (const method of ['GET', 'GET', 'POST', 'GET', 'DELETE', 'HEAD'])
    expect(await transport({ ...GET, method }, NEVER)).toMatchObject({ status: 200 })
  expect(count()).toBe(6)
})

/** Sends requests one after the other. */
async function sendAll(transport: Transport, count: number, method: string): Promise<void> {
  for (let sent = 0; sent < count; sent++)
    expect(await transport({ ...GET, method }, NEVER)).toMatchObject({ status: 200 })
}

test('writes share connections once reads have shown that the service keeps them open', async () => {
  const service = await startService((response) => response.end('{}'), { mayShareWrites: true })
  await sendAll(service.transport, 3, 'POST')
  await sendAll(service.transport, 51, 'GET')
  expect(service.connections()).toBe(4)
  await sendAll(service.transport, 3, 'POST')
  expect(service.connections()).toBe(4)
})

test('each write has its own connection where the service has closed one without saying so', async () => {
  let closesNext = false
  const respond: Respond = (response) => {
    if (!closesNext) return response.end('{}')
    closesNext = false
    return response.socket?.destroy()
  }
  const { transport, connections } = await startService(respond, { mayShareWrites: true })
  await sendAll(transport, 51, 'GET')
  closesNext = true
  // This read is repeated.
  await sendAll(transport, 1, 'GET')
  const connectionsBefore = connections()
  await sendAll(transport, 3, 'POST')
  expect(connections()).toBe(connectionsBefore + 3)
})

test('each write to a live service has its own connection', async () => {
  const { transport, connections } = await startService((response) => response.end('{}'))
  await sendAll(transport, 51, 'GET')
  await sendAll(transport, 3, 'POST')
  expect(connections()).toBe(4)
})

test('a write that is lost over a shared connection is not sent again', async () => {
  let closes = false
  const respond: Respond = (response) => (closes ? response.socket?.destroy() : response.end('{}'))
  const { transport, count } = await startService(respond, { mayShareWrites: true })
  await sendAll(transport, 51, 'GET')
  closes = true
  await expect(transport({ ...GET, method: 'POST' }, NEVER)).rejects.toThrow(ConnectionClosed)
  expect(count()).toBe(52)
})

/** Writes a part again and again, until the other side ends the connection. */
const floods = (part: string, head = '') =>
  raw((socket) => {
    const write = () => {
      let isWritable = true
      while (isWritable && !socket.destroyed) isWritable = socket.write(part)
    }
    socket.write(head)
    socket.on('drain', write)
    write()
  })

/** Writes a body that does not end, a character at a time. */
const drips = raw((socket) => {
  socket.write(`${OK}\r\n`)
  const timer = setInterval(() => {
    if (socket.destroyed) clearInterval(timer)
    else socket.write('x')
  }, 20)
})
const OK = 'HTTP/1.1 200 OK\r\n'
const bomb: Respond = (response) =>
  response.setHeader('content-encoding', 'gzip').end(gzipSync('0'.repeat(5_000_000)))

interface EndlessRow {
  readonly title: string
  readonly respond: Respond
  readonly reason: RegExp
  /** Those that never end get a short time. */
  readonly timeoutMs?: number
}

const ENDLESS: readonly EndlessRow[] = [
  {
    title: 'it ends an exchange with an endless body',
    respond: floods('x'.repeat(65_536), `${OK}\r\n`),
    reason: /more than 2000000 bytes/,
  },
  {
    title: 'it ends an exchange with endless headers',
    respond: floods(`x-a: ${'a'.repeat(1_000)}\r\n`, OK),
    reason: /header|overflow/i,
  },
  {
    title: 'it ends an exchange with endless 1xx responses',
    respond: floods('HTTP/1.1 103 Early Hints\r\n\r\n'),
    reason: /within 300 ms|bad response/,
    timeoutMs: 300,
  },
  {
    title: 'it ends an exchange with a body that drips',
    respond: drips,
    reason: /within 300 ms/,
    timeoutMs: 300,
  },
  {
    title: 'it ends an exchange with no response',
    respond: () => undefined,
    reason: /within 300 ms/,
    timeoutMs: 300,
  },
  {
    title: 'it ends an exchange with a body that grows when it is decoded',
    respond: bomb,
    reason: /length|size|larger/i,
  },
  {
    title: 'it ends an exchange with a connection that breaks',
    respond: closes,
    reason: /other side closed|ECONNRESET|socket/,
  },
]

for (const { title, respond, reason, timeoutMs } of ENDLESS) {
  test(title, async () => {
    const { transport } = await startService(respond, { timeoutMs })
    await expect(transport(GET, NEVER)).rejects.toThrow(reason)
  })
}

// With its type, the compiler does not compare the overloads of the four functions, which takes
// seconds.
test.each<{ coding: string; encode: (text: string) => Buffer }>([
  { coding: 'gzip', encode: gzipSync },
  { coding: 'deflate', encode: deflateSync },
  { coding: 'br', encode: brotliCompressSync },
  { coding: 'constructor', encode: Buffer.from },
])('it decodes a body in $coding', async ({ coding, encode }) => {
  const { transport } = await startService((response) =>
    response.setHeader('content-encoding', coding).end(encode('Olá')),
  )
  expect((await transport(GET, NEVER)).text).toBe('Olá')
  const headers = { 'content-encoding': coding }
  const inProcess = fetchTransport(() => new Response(new Uint8Array(encode('Olá')), { headers }))
  expect((await inProcess(GET, NEVER)).text).toBe('Olá')
})

test('no request waits for the connection of another', async () => {
  const held: ServerResponse[] = []
  const { transport } = await startService(
    (response) => {
      held.push(response)
      if (held.length === MAX_CONCURRENT) for (const each of held) each.end('{}')
    },
    { timeoutMs: 2_000 },
  )
  const requests = Array.from({ length: MAX_CONCURRENT }, () => transport(GET, NEVER))
  const responses = await Promise.all(requests)
  expect(responses.every(({ status }) => status === 200)).toBe(true)
})

test('it closes an idle connection itself, so that no request meets one that the service closes', async () => {
  const ended: Promise<unknown>[] = []
  const respond: Respond = (response, { socket }) => {
    ended.push(once(socket, 'end'))
    response.end()
  }
  const { transport } = await startService(respond, { idleMs: 10 })
  await transport(GET, NEVER)
  await Promise.all(ended)
})

test('it does not follow a redirect', async () => {
  const { transport, count } = await startService((response) =>
    response.writeHead(302, { location: '/' }).end(),
  )
  const { status } = await transport(GET, NEVER)
  expect(status).toBe(302)
  expect(count()).toBe(1)
})

test('it ends an exchange with the run', async () => {
  const { transport } = await startService(() => undefined)
  const ending = new AbortController()
  const sent = transport(GET, ending.signal)
  ending.abort()
  await expect(sent).rejects.toThrow('the run was ended')
})

const json = (response: ServerResponse, status: number, body: unknown) =>
  response
    .writeHead(status, { 'content-type': 'application/json', 'retry-after': '0' })
    .end(typeof body === 'string' ? body : JSON.stringify(body))

/** A time that passes at once when a run waits for it. */
function skipWaits(): Timer {
  let skippedMs = 0
  return {
    now: () => Date.now() + skippedMs,
    async sleep(ms) {
      skippedMs += ms
    },
  }
}

/** Runs plans on a service that signs in, and then responds like this. */
async function runOn(respond: Respond, only?: readonly string[]) {
  const { transport, url, count } = await startService((response, request) => {
    if (!request.url?.endsWith('/auth/partner/token/')) return respond(response, request)
    const access_token = `token-${Math.random()}`
    return json(response, 200, {
      access_token,
      refresh_token: 'r',
      type: 'Bearer',
      expiration: 3600,
    })
  })
  const result = await run({
    target: 'sandbox',
    isDisposable: true,
    transport,
    url,
    credentials,
    lagMs: 20,
    timer: skipWaits(),
    ...(only && { only }),
  })
  return { ...result, count: count() }
}

test('it ends a run if all requests are refused with 429', async () => {
  const { interrupted, count } = await runOn((response) => json(response, 429, {}))
  expect(interrupted).toMatch(
    /^the last \d+ requests got no response, or were refused with 429; set a lower --rate/,
  )
  expect(count).toBeLessThan(100)
})

test('it ends a run if the service stops responding', async () => {
  const { interrupted, count } = await runOn(closes)
  expect(interrupted).toMatch(/^the last \d+ requests got no response: /)
  expect(count).toBeLessThan(100)
})

const STRANGE: readonly { title: string; respond: Respond }[] = [
  {
    title: 'it survives a service that always returns 401',
    respond: (response) => json(response, 401, {}),
  },
  {
    title: 'it survives a service that always returns arrays in arrays',
    respond: (response) => json(response, 200, '['.repeat(20_000)),
  },
  {
    title: 'it survives a service that always returns objects',
    respond: (response) => json(response, 200, `${'{"id":'.repeat(20_000)}1${'}'.repeat(20_000)}`),
  },
  {
    title: 'it survives a service that always returns a wide array',
    respond: (response) => json(response, 200, `{"data":[${'{},'.repeat(5_000)}{}]}`),
  },
  {
    title: 'it survives a service that always returns escapes',
    respond: (response) => json(response, 200, { ...ESCAPED, data: [ESCAPED] }),
  },
]

for (const { title, respond } of STRANGE) {
  test(title, async () => {
    const { findings, count } = await runOn(respond, ['examples'])
    expect(findings.filter(({ message }) => /\p{Cc}/u.test(message))).toEqual([])
    expect(count).toBeLessThan(100)
  })
}

const ESCAPES = '\u001b[2J\u001b]0;owned\u0007\u009b31m\r\n'
const ESCAPED = { id: ESCAPES, user_id: ESCAPES, [ESCAPES]: ESCAPES }

const UNUSABLE: readonly { title: string; respond: Respond; message: string }[] = [
  {
    title: 'it says why a run cannot begin: wrong credentials',
    respond: (response) => json(response, 401, {}),
    message:
      'the sign-in as "partner" returned 401 from URL/mobile-bff/v1/auth/partner/token/: are the client key and the secret right?',
  },
  {
    title: 'it says why a run cannot begin: a page',
    respond: (response) =>
      response.setHeader('content-type', 'text/html').writeHead(404).end('<html>'),
    message:
      'this does not look like the API of the contract: the sign-in returned 404 with text/html from URL/mobile-bff/v1/auth/partner/token/; is it the base URL?',
  },
  {
    title: 'it says why a run cannot begin: a redirect',
    respond: (response) =>
      response.writeHead(308, { location: 'https://x.example/?secret=1' }).end(),
    message:
      'the sign-in as "partner" returned 308 from URL/mobile-bff/v1/auth/partner/token/, a redirect to https://x.example/; give that base URL',
  },
  {
    title: 'it says why a run cannot begin: nothing',
    respond: closes,
    message: 'the service cannot be reached: ECONNRESET: socket hang up',
  },
]

for (const { title, respond, message } of UNUSABLE) {
  test(title, async () => {
    const { transport, url } = await startService(respond)
    const running = run({ target: 'sandbox', isDisposable: true, transport, url, credentials })
    const error: unknown = await running.catch((reason: unknown) => reason)
    expect(error).toBeInstanceOf(CannotRun)
    expect(String(error)).toBe(`CannotRun: ${message.replace('URL', url)}`)
  })
}

test('it takes JSON that is nested too deeply for no JSON', () => {
  const nested = (levels: number) => `${'["[",'.repeat(levels)}0${']'.repeat(levels)}`
  expect(parsedJson(nested(100))).toBeDefined()
  expect(parsedJson(nested(100_000))).toBeUndefined()
})

test('it sends a body without its length if the header says so', async () => {
  const { transport } = await startService((response, { headers }) =>
    response.end(JSON.stringify(headers)),
  )
  const headers = { 'transfer-encoding': 'chunked' }
  const request = { method: 'POST', path: '/', headers, body: '{}' }
  const { text } = await transport(request, NEVER)
  expect(Object.keys(JSON.parse(text)).sort()).toEqual(['connection', 'host', 'transfer-encoding'])
})
