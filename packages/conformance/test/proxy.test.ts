import { once } from 'node:events'
import { type AddressInfo, connect, createServer } from 'node:net'
import { text } from 'node:stream/consumers'
import { expect, onTestFinished, test, vi } from 'vitest'
import { startProxy } from '../src/proxy.ts'
import type { Finding } from '../src/report/result.ts'
import { listUnknown } from '../src/report/summary.ts'

const USERS = '/mobile-bff/v1/partner/user'
const RIGHT_HEAD = 'HTTP/1.1 200 OK\r\ncontent-type: application/json\r\nx-request-id: req_1'
/** A response with a finding, of a rule that reads one exchange alone. */
const WRONG = `${RIGHT_HEAD}\r\ncontent-length: 11\r\n\r\n{"users":7}`

/** A service that responds to each connection with the next of these bytes, or else with `WRONG`. */
async function startRaw(...responses: readonly string[]) {
  const received: string[] = []
  const waiting = [...responses]
  const server = createServer((socket) => {
    socket.on('error', () => undefined)
    socket.once('data', () => socket.end(Buffer.from(waiting.shift() ?? WRONG, 'latin1')))
    socket.on('data', (bytes) => received.push(bytes.toString('latin1')))
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => void server.close())
  const { port } = server.address() as AddressInfo
  return { url: `http://127.0.0.1:${port}`, received }
}

/** Sends bytes to the proxy, and returns all that comes back. */
function send(url: string, head: string): Promise<string> {
  const { hostname, port } = new URL(url)
  const socket = connect(Number(port), hostname)
  socket.write(head)
  return text(socket)
}

function requestOf(target: string, headers = ''): string {
  return `GET ${target} HTTP/1.1\r\nhost: 127.0.0.1\r\nconnection: close\r\n${headers}\r\n`
}

const ODD = [
  {
    title: 'that switches protocols',
    response:
      'HTTP/1.1 101 Switching Protocols\r\nupgrade: websocket\r\nconnection: upgrade\r\n\r\n',
    status: 502,
  },
  { title: 'with the status 099', response: WRONG.replace('200 OK', '099 Odd'), status: 502 },
  { title: 'with the status 000', response: WRONG.replace('200 OK', '000 Odd'), status: 502 },
  { title: 'with the status 1000', response: WRONG.replace('200 OK', '1000 Odd'), status: 502 },
  {
    title: 'with a control character in its reason',
    response: WRONG.replace('OK', 'O\u0001K'),
    status: 502,
  },
  {
    title: 'after hints that are none',
    response: `HTTP/1.1 103 Early Hints\r\nlink: nonsense\r\n\r\n${WRONG}`,
    status: 200,
  },
  {
    title: 'that announces trailers and has none',
    response: WRONG.replace('OK', 'OK\r\ntrailer: x-sum'),
    status: 200,
  },
  { title: 'that is none', response: 'SSH-2.0-OpenSSH\r\n', status: 502 },
  { title: 'that never comes', response: '', status: 502 },
]

test.each(ODD)(
  'it reports what comes after a response $title, as it appears and at the end',
  async ({ response, status }) => {
    const service = await startRaw(response)
    const found: Finding[] = []
    const proxy = await startProxy({ url: service.url, onFinding: (it) => found.push(it) })
    expect(await send(proxy.url, requestOf(USERS))).toMatch(new RegExp(`^HTTP/1.1 ${status} `))
    expect(await send(proxy.url, requestOf(USERS))).toMatch(/^HTTP\/1\.1 200 /)
    await expect.poll(() => found.map(({ rule }) => rule)).toContain('responses-shape')
    expect((await proxy.close()).requests).toBe(2)
  },
)

test('it judges a status that it cannot pass on', async () => {
  const service = await startRaw(WRONG.replace('200 OK', '099 Odd'))
  const proxy = await startProxy({ url: service.url })
  const response = await send(proxy.url, requestOf(USERS))
  expect(response).toContain('The response of the service cannot be passed on: ')
  const { findings } = await proxy.close()
  expect(findings.map(({ rule }) => rule)).toContain('responses-status')
})

const UPLOAD = 'POST /mobile-bff/v1/pix/dict/check/ HTTP/1.1\r\nhost: 127.0.0.1'
const CUT = [
  { coding: 'content-length: 50\r\n\r\n{"dict_key":', response: '' },
  { coding: 'transfer-encoding: chunked\r\n\r\nc\r\n{"dict_key":\r\n', response: '' },
  { coding: 'content-length: 50\r\n\r\n{"dict_key":', response: WRONG.replace('200', '401') },
]

test.each(CUT)('it does not judge the body of an upload that was cut, %j', async (upload) => {
  const service = await startRaw(upload.response)
  const proxy = await startProxy({ url: service.url })
  const { hostname, port } = new URL(proxy.url)
  const socket = connect(Number(port), hostname)
  socket.on('error', () => undefined)
  socket.write(`${UPLOAD}\r\ncontent-type: application/json\r\n${upload.coding}`)
  await expect.poll(() => service.received.join('')).toContain('dict_key')
  socket.destroy()
  await expect.poll(() => proxy.result().unknown.requestBodies).toBe(1)
  const { findings } = await proxy.close()
  expect(findings.map(({ rule }) => rule)).not.toContain('requests-valid')
})

test.each([
  { when: 'that responds early', response: WRONG.replace('200 OK', '413 Content Too Large') },
  { when: 'that closes the connection', response: '' },
])('it responds to a request after an upload to a service $when', async ({ response }) => {
  const service = await startRaw(response)
  const proxy = await startProxy({ url: service.url })
  const { hostname, port } = new URL(proxy.url)
  const socket = connect(Number(port), hostname)
  // More than the buffers between them hold.
  const upload = 'x'.repeat(8_000_000)
  socket.write(`${UPLOAD}\r\ncontent-length: ${upload.length}\r\n\r\n${upload}`)
  socket.write(requestOf(USERS))
  const responses = await text(socket)
  expect(responses.match(/HTTP\/1\.1 \d+/g)).toEqual([
    response === '' ? 'HTTP/1.1 502' : 'HTTP/1.1 413',
    'HTTP/1.1 200',
  ])
  await proxy.close()
})

test('it ends a response that ends with the connection of the service', async () => {
  const body = '{"users":7}'
  const service = await startRaw(`${RIGHT_HEAD}\r\ntransfer-encoding: gzip\r\n\r\n${body}`)
  const proxy = await startProxy({ url: service.url })
  const keptAlive = requestOf(USERS).replace('connection: close\r\n', '')
  expect(await send(proxy.url, keptAlive)).toContain(body)
  await proxy.close()
})

test('it passes a request on that announces trailers and has none, and adds no body', async () => {
  const service = await startRaw()
  const proxy = await startProxy({ url: service.url })
  const head = requestOf('/mobile-bff/v1/x', 'trailer: x-sum\r\n').replace('GET', 'POST')
  expect(await send(proxy.url, head)).toMatch(/^HTTP\/1\.1 200 /)
  await proxy.close()
  expect(service.received.join('').toLowerCase()).not.toContain('transfer-encoding')
})

const TARGETS = [
  { base: '/base', target: '/x//y?a=1', sent: '/base/x//y?a=1' },
  { base: '/base/', target: 'OWN/x', sent: '/base/x' },
  { base: '/base', target: 'SERVICE/base/x', sent: '/base/x' },
  { base: '', target: 'OWN?a=1', sent: '/?a=1' },
  { base: '', target: 'SERVICE', sent: '/' },
  { base: '', target: '//elsewhere.example/x', sent: '//elsewhere.example/x' },
]

test.each(TARGETS)('it sends $target below "$base" as $sent', async ({ base, target, sent }) => {
  const service = await startRaw()
  const proxy = await startProxy({ url: service.url + base })
  const written = target.replace('OWN', proxy.url).replace('SERVICE', service.url)
  expect(await send(proxy.url, requestOf(written))).toMatch(/^HTTP\/1\.1 200 /)
  await proxy.close()
  const { host } = new URL(service.url)
  expect(service.received.join('')).toMatch(`GET ${sent} HTTP/1.1\r\nhost: ${host}\r\n`)
})

test.each(['http://elsewhere.example/x', 'http://127.0.0.1:1/x', 'http://localhost/x'])(
  'it refuses the absolute target %s, although the base has no port',
  async (target) => {
    const proxy = await startProxy({ url: 'http://service.invalid' })
    expect(await send(proxy.url, requestOf(target))).toMatch(/^HTTP\/1\.1 400 /)
    await proxy.close()
  },
)

const PAYMENTS = '/mobile-bff/v1/pix/out/'
/** The targets of payments, as a client wrote them, which a service may take for that path. */
const NOT_NORMAL = [
  '/mobile-bff/v1/pix/./out/',
  '/mobile-bff/v1/x/../pix/out/',
  '/mobile-bff/v1/pix\\out/',
  `${PAYMENTS}#x`,
]

test.each(NOT_NORMAL)(
  'it passes %s on as it is, and says that nothing judged it',
  async (target) => {
    const service = await startRaw()
    const proxy = await startProxy({ url: service.url })
    await send(proxy.url, requestOf(target).replace('GET', 'POST'))
    const result = await proxy.close()
    expect(service.received.join('')).toContain(`POST ${target} HTTP/1.1`)
    expect({ requests: result.requests, targets: result.unknown.targets }).toEqual({
      requests: 0,
      targets: 1,
    })
    expect(listUnknown(result)).toContain('1 request whose path is not in normal form')
  },
)

test.each(['?a="b"', '?a=<b>', "?a='b'"])(
  'it judges a request with the query %s',
  async (query) => {
    const service = await startRaw()
    const proxy = await startProxy({ url: service.url })
    await send(proxy.url, requestOf(USERS + query))
    const { findings, unknown } = await proxy.close()
    expect(findings.map(({ rule }) => rule)).toContain('responses-shape')
    expect(unknown.targets).toBe(0)
  },
)

test('it takes an asterisk for the whole service, and not for a path', async () => {
  const service = await startRaw()
  const proxy = await startProxy({ url: service.url })
  await send(proxy.url, requestOf('*').replace('GET', 'OPTIONS'))
  const { unknown } = await proxy.close()
  expect(service.received.join('')).toContain('OPTIONS * HTTP/1.1')
  expect(unknown.targets).toBe(0)
})

test('it judges a path of the service in capitals', async () => {
  const service = await startRaw()
  const proxy = await startProxy({ url: service.url })
  await send(proxy.url, requestOf(USERS.toUpperCase()))
  const { findings } = await proxy.close()
  expect(findings.map(({ rule }) => rule)).toContain('requests-valid')
})

const UNREADABLE = [
  {
    title: 'in an unknown encoding',
    response: `${RIGHT_HEAD}\r\ncontent-encoding: magic\r\n\r\nx`,
  },
  { title: 'that is cut', response: `${RIGHT_HEAD}\r\ncontent-length: 50\r\n\r\n{"users":` },
  { title: 'of 201 levels', response: `${RIGHT_HEAD}\r\n\r\n${'['.repeat(201)}${']'.repeat(201)}` },
  { title: 'of 3 MB', response: `${RIGHT_HEAD}\r\n\r\n"${'x'.repeat(3_000_000)}"` },
]

test('it counts a request that ends without a response, which may have taken effect', async () => {
  const service = await startRaw('')
  const proxy = await startProxy({ url: service.url })
  expect(await send(proxy.url, requestOf(USERS))).toMatch(/^HTTP\/1\.1 502 /)
  const { unknown } = await proxy.close()
  expect(unknown).toMatchObject({ responseBodies: 0, notResponded: 1 })
})

test('it keeps an idle connection open for longer than the judging may take', async () => {
  const service = await startRaw(WRONG)
  const proxy = await startProxy({ url: service.url })
  onTestFinished(async () => void (await proxy.close()))
  const { headers } = await fetch(`${proxy.url}${USERS}`)
  expect(headers.get('keep-alive')).toBe('timeout=300')
})

test('it passes a response on and has no result after an error of the judging', async () => {
  const service = await startRaw(WRONG)
  const error = new Error('not judged')
  const proxy = await startProxy({
    url: service.url,
    onFinding() {
      throw error
    },
  })
  expect(await send(proxy.url, requestOf(USERS))).toMatch(/"users":7/)
  await vi.waitFor(() => expect(() => proxy.result()).toThrow(error))
  await expect(proxy.close()).rejects.toThrow(error)
})

test.each(UNREADABLE)('it counts a response $title, which nothing judges', async ({ response }) => {
  const service = await startRaw(response)
  const proxy = await startProxy({ url: service.url })
  await send(proxy.url, requestOf(USERS))
  const { unknown } = await proxy.close()
  expect(unknown.responseBodies).toBe(1)
})

test('it judges a 304 to a payment, which no cache gives', async () => {
  const service = await startRaw(
    'HTTP/1.1 304 Not Modified\r\n\r\n',
    'HTTP/1.1 304 Not Modified\r\n\r\n',
  )
  const proxy = await startProxy({ url: service.url })
  await send(proxy.url, requestOf(USERS))
  await send(proxy.url, requestOf(PAYMENTS, 'content-length: 0\r\n').replace('GET', 'POST'))
  const { requests, findings } = await proxy.close()
  expect(requests).toBe(1)
  expect(findings.map(({ rule }) => rule)).toContain('responses-status')
})
