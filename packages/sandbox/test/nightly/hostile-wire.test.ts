import { once } from 'node:events'
import { connect } from 'node:net'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type App, createApp } from '../../src/app.ts'
import { type Listening, listen } from '../../src/listen.ts'
import type { HandledRequest } from '../../src/service/service.ts'
import { callersOf } from '../callers.ts'
import { type Wired, wiredRequests } from '../hostile/requests.ts'
import { faultsOf, RESPONSE_TIMEOUT_MS, responsesIn, writeRaw } from '../hostile/responses.ts'

let app: App
let server: Listening
let bearer: string
const handledRequests: HandledRequest[] = []

beforeAll(async () => {
  app = await createApp({
    checksResponses: true,
    limitsRates: false,
    allowedHosts: ['a'],
    observe: { handled: (it) => void handledRequests.push(it) },
  })
  bearer = (await callersOf(app)).tokens.partner
})
afterAll(() => app.close())

// `ownsProcess` cannot be undone, so it comes last.
describe.each([false, true])('with ownsProcess: %s', (ownsProcess) => {
  beforeAll(async () => {
    server = await listen({ fetch: app.fetch, port: 0, host: '127.0.0.1', ownsProcess })
  })
  afterAll(() => server.close(0))

  test('responds to 300 requests with unusual lines, headers or framing', async () => {
    const requests = wiredRequests(bearer)
    expect(requests.length).toBeGreaterThanOrEqual(300)
    const found: string[] = []
    for (const request of requests) found.push(...(await faultsOfWired(request)))
    expect(found).toEqual([])
  })

  test('reports no failure for what a client does to its connection', () => {
    expect(handledRequests.filter(({ status, error }) => status >= 500 || error)).toEqual([])
  })
  const lookUp = (token: string, body: string) =>
    `POST /mobile-bff/v1/pix/dict/check/ HTTP/1.1\r\nHost: a\r\nAuthorization: ${token}\r\n` +
    `Content-Type: application/json\r\n${body}`

  test('sends no second response if a body turns out to be invalid after the response', async () => {
    const received = await writeRaw(
      port(),
      Buffer.from(lookUp('Bearer x', 'Transfer-Encoding: chunked\r\n\r\n')),
      {
        after: 'z\r\n',
      },
    )
    expect(responsesIn(received).map(({ status }) => status)).toEqual([401])
  })

  test('survives a client that disconnects before its CONNECT is refused', async () => {
    const socket = connect(port(), '127.0.0.1', () => {
      socket.write('CONNECT a:80 HTTP/1.1\r\nHost: a\r\n\r\n')
      setImmediate(() => socket.resetAndDestroy())
    })
    await once(socket, 'close')
    expect(responsesIn(await writeRaw(port(), Buffer.from('CONNECT a:80 HTTP/1.1\r\n\r\n')))[0]?.status).toBe(
      400,
    )
  })
})

function port(): number {
  return Number(new URL(server.url).port)
}

async function faultsOfWired({ name, bytes, responses: least = 1, isHead = false, half = false }: Wired) {
  const received = await writeRaw(port(), bytes, { half })
  const responses = responsesIn(received, isHead)
  const faults = [
    ...(received.isClosed && received.ms < RESPONSE_TIMEOUT_MS
      ? []
      : [`still open after ${RESPONSE_TIMEOUT_MS} ms`]),
    ...(responses.length >= least ? [] : [`${responses.length} responses: ${received.bytes}`]),
  ]
  for (const response of responses)
    if (!isHead && isOfService(response)) faults.push(...(await faultsOf(response)))
  return faults.map((fault) => `${name.slice(0, 80)}: ${fault.slice(0, 300)}`)
}

/** Responses of the page have no request id. */
function isOfService({ headers, status }: Response): boolean {
  return status >= 400 || !headers.get('content-type')?.startsWith('text/html')
}
