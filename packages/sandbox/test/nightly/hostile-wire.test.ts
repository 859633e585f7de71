import { once } from 'node:events'
import { connect } from 'node:net'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type App, createApp } from '../../src/app.ts'
import { type Listening, listen } from '../../src/listen.ts'
import type { HandledRequest } from '../../src/service/service.ts'
import { issueToken } from '../callers.ts'
import { findFaults, parseResponses, writeRaw } from '../hostile/responses.ts'

let app: App
let server: Listening
const handledRequests: HandledRequest[] = []

beforeAll(async () => {
  app = await createApp({
    checksResponses: true,
    limitsRates: false,
    allowedHosts: ['a'],
    observe: {
      handled: (request) => {
        handledRequests.push(request)
      },
    },
  })
  return () => app.close()
})

// `ownsProcess` cannot be undone, so it comes last.
describe.each([false, true])('with ownsProcess: %s', (ownsProcess) => {
  beforeAll(async () => {
    server = await listen({ fetch: app.fetch, port: 0, host: '127.0.0.1', ownsProcess })
  })
  afterAll(() => server.close(0))

  test('responds to requests with unusual lines, headers or framing', async () => {
    const found: string[] = []
    for (const request of wiredRequests(await issueToken(app))) {
      const faults = await faultsOfWired(request)
      found.push(...faults)
    }
    expect(found).toEqual([])
  })

  test('reports no failure for what a client does to its connection', () => {
    const failures = handledRequests.filter(({ status, error }) => status >= 500 || error)
    expect(failures).toEqual([])
  })

  test('sends no second response if a body turns out to be invalid after the response', async () => {
    const text =
      'POST /mobile-bff/v1/pix/dict/check/ HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer x\r\n' +
      'Content-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n'
    const received = await writeRaw(port(), text, { after: 'z\r\n' })
    expect(parseResponses(received).map(({ status }) => status)).toEqual([401])
  })

  test('survives a client that disconnects before its CONNECT is refused', async () => {
    const socket = connect(port(), '127.0.0.1', () => {
      socket.write('CONNECT a:80 HTTP/1.1\r\nHost: a\r\n\r\n')
      setImmediate(() => socket.resetAndDestroy())
    })
    await once(socket, 'close')
    const [response] = parseResponses(await writeRaw(port(), 'CONNECT a:80 HTTP/1.1\r\n\r\n'))
    expect(response?.status).toBe(400)
  })
})

function port(): number {
  return Number(new URL(server.url).port)
}

async function faultsOfWired({
  text,
  responses: least = 1,
  half = false,
}: Wired): Promise<string[]> {
  const received = await writeRaw(port(), text, { half })
  const faults: string[] = []
  if (!received.isClosed) faults.push('still open')

  const responses = parseResponses(received)
  if (responses.length < least) faults.push(`${responses.length} responses: ${received.bytes}`)

  for (const response of responses) {
    if (isOfService(response)) faults.push(...(await findFaults(response)))
  }
  return faults.map((fault) => `${JSON.stringify(text.slice(0, 200))}: ${fault.slice(0, 300)}`)
}

/** Responses of the page have no request id. */
function isOfService({ headers, status }: Response): boolean {
  return status >= 400 || !headers.get('content-type')?.startsWith('text/html')
}

const USERS = '/mobile-bff/v1/partner/user'
const BODY = '{"dict_key":"beltrana@example.com"}'
const CLOSE = 'Connection: close\r\n'
const JSON_TYPE = 'Content-Type: application/json\r\n'
const CHUNKED = 'Transfer-Encoding: chunked\r\n'

/** A request as text. */
interface Wired {
  readonly text: string
  /** The minimum number of its responses; 1 by default. */
  readonly responses?: number
  /** Whether the client half-closes the connection after it. */
  readonly half?: boolean
}

/** Requests with unusual lines, headers or framing. */
function wiredRequests(bearer: string): Wired[] {
  const signed = `Authorization: ${bearer}\r\n`
  const sized = `Content-Length: ${BODY.length}\r\n`

  /** A request without a body. */
  const got = (line: string) => `${line}\r\nHost: a\r\n${signed}${CLOSE}\r\n`
  /** A key lookup that is valid up to its headers. */
  const posted = (rest: string) =>
    `POST /mobile-bff/v1/pix/dict/check/ HTTP/1.1\r\nHost: a\r\n${signed}${JSON_TYPE}${rest}`

  const last = got(`GET ${USERS} HTTP/1.1`)
  const requests: Wired[] = [
    { text: last.replace('GET', '\r\n\r\nGET') },
    { text: `PROXY TCP4 1.2.3.4 5.6.7.8 1 2\r\n${last}` },
    { text: 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n' },
    { text: '\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03' },
    { text: '\0'.repeat(100) },
    { text: posted(`${sized}\r\n${BODY}${last}`), responses: 2 },
    { text: posted(`${sized}\r\n${BODY}nonsense\r\n\r\n`), responses: 2 },
    { text: posted(`Content-Length: 2\r\n\r\n{}${last}`), responses: 2 },
  ]

  for (const target of TARGETS) requests.push({ text: got(`GET ${target} HTTP/1.1`) })
  for (const method of METHODS) requests.push({ text: got(`${method} ${USERS} HTTP/1.1`) })
  for (const header of HEADERS)
    requests.push({ text: posted(`${header}\r\n${CLOSE}${sized}\r\n${BODY}`) })
  for (const framed of FRAMED) requests.push({ text: posted(CLOSE + framed) })
  for (const headers of HALF)
    requests.push({ text: posted(`${CLOSE}${headers}\r\n\r\n${BODY}`), half: true })
  for (const cut of CUT) requests.push({ text: posted(CLOSE + cut), responses: 0, half: true })
  return requests
}

const TARGETS = [
  `${USERS}/`,
  `${USERS}//`,
  `/${USERS}`,
  '/mobile-bff//v1/partner/user',
  '/mobile-bff/v1/partner/user/%',
  `${USERS}/%zz`,
  `${USERS}/%00`,
  `${USERS}/%2F`,
  `${USERS}/%ff`,
  `${USERS}/%c0%af`,
  `${USERS}/%ed%a0%80`,
  `${USERS}/.`,
  `${USERS}/../user`,
  `${USERS}/%2e%2e/user`,
  `${USERS}/a/b`,
  `${USERS};a=b`,
  `${USERS}#x`,
  `${USERS}?`,
  `${USERS}??`,
  `${USERS}/<>`,
  `${USERS}/"`,
  `${USERS}/|`,
  '/',
  '//',
  '/.',
  '/..',
  '/%',
  '/*',
  '*',
  'a',
  '?',
  '#',
  '//a/b',
  '//a:99999/',
  '/_sandbox',
  '/_sandbox/',
  '/_sandbox/x',
  '/_sandbox/%00',
  '/_sandbox/../mobile-bff/v1/partner/user',
  '/assets/',
  '/assets/../../etc/passwd',
  '/assets/%2e%2e/x',
  '/%5f%73andbox/clock',
  '/__proto__',
  `http://a${USERS}`,
  `HTTP://a${USERS}`,
  `ftp://a${USERS}`,
  'http://',
  'http:///',
  `http://u:p@a${USERS}`,
  `http://[::1${USERS}`,
  `http://a:99999${USERS}`,
  'http:a',
  'a:80',
  'javascript:1',
  '/MOBILE-BFF/v1/partner/user',
  '/mobile-bff/v1/partner/%75ser',
  `${USERS}%20`,
  '/pix/key/',
  '/mobile-bff/v2/x',
  `${USERS}/\\`,
  `${USERS}\\..`,
  `${USERS}/\xff\xfe`,
  '',
  '\\',
  `${USERS}/${'x'.repeat(20_000)}`,
]

// HEAD is absent, because its responses have no body to check.
const METHODS = [
  'OPTIONS',
  'TRACE',
  'PUT',
  'POST',
  'PATCH',
  'DELETE',
  'CONNECT',
  'PROPFIND',
  'QUERY',
  'get',
  'FOO',
  'GETT',
  'PRI',
  'SOURCE',
  'M-SEARCH',
  '',
  ' GET',
  'G\0T',
  'GET GET',
  'X'.repeat(9_000),
]

const HEADERS = [
  'Content-Encoding: gzip',
  'Content-Encoding: identity',
  'Expect: 100-continue',
  'Expect: x',
  'Accept: text/html',
  'Connection: Upgrade\r\nUpgrade: websocket',
  'Connection: Upgrade\r\nUpgrade: h2c',
  'a b: c',
  ': c',
  'a',
  'a : b',
  '__proto__: x',
  '(: x',
  'x-request-id: mine',
  'x-http-method-override: DELETE',
  'range: bytes=0-',
  'cookie: a=b',
  'a\0: b',
  'a: b\0',
  ' a: b',
  'a: b\r\n c',
  'a: \x7f',
  'a: b\r',
  'a: b\r\r',
  '\r',
  `X-Large: ${'x'.repeat(15_000)}`,
  `X-Large: ${'x'.repeat(20_000)}`,
  `X-Large: ${'x'.repeat(200_000)}`,
  Array(1_500).fill('a: b').join('\r\n'),
  Array(10_000).fill('a: b').join('\r\n'),
]

const BIG = `8000\r\n${' '.repeat(0x8000)}\r\n`.repeat(4)

const FRAMED = [
  `Content-Length: 5\r\n\r\n${BODY}`,
  `Content-Length: 5\r\n${CHUNKED}\r\n${BODY}`,
  `\r\n${BODY}`,
  `${CHUNKED}\r\n23\r\n${BODY}\r\n0\r\n\r\n`,
  `${CHUNKED}\r\n${BIG}0\r\n\r\n`,
  `${CHUNKED}\r\n${BIG}`,
]

const HALF = [
  'Content-Length: -1',
  'Content-Length: 0x23',
  'Content-Length: 65537',
  'Content-Length: 35,36',
  'Transfer-Encoding: gzip',
  'Transfer-Encoding: chunked, chunked',
  'Transfer-Encoding: chunked, gzip',
  'Transfer-Encoding: identity',
]

const CUT = [
  `Content-Length: 100\r\n\r\n${BODY}`,
  `${CHUNKED}\r\nz\r\n\r\n`,
  `${CHUNKED}\r\n23`,
  `${CHUNKED}\r\n22\r\n${BODY}\r\n0\r\n\r\n`,
]
