import { once } from 'node:events'
import { connect } from 'node:net'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type App, createApp } from '../../src/app.ts'
import { type Listening, listen } from '../../src/listen.ts'
import type { HandledRequest } from '../../src/service/service.ts'
import { tokenOf } from '../callers.ts'
import { type Wired, wiredRequests } from '../hostile/requests.ts'
import { faultsOf, RESPONSE_TIMEOUT_MS, responsesIn, writeRaw } from '../hostile/responses.ts'

let app: App
let server: Listening
const handledRequests: HandledRequest[] = []

beforeAll(async () => {
  app = await createApp({
    checksResponses: true,
    limitsRates: false,
    allowedHosts: ['a'],
    observe: { handled: (it) => void handledRequests.push(it) },
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
    for (const request of wiredRequests(await tokenOf(app))) found.push(...(await faultsOfWired(request)))
    expect(found).toEqual([])
  })

  test('reports no failure for what a client does to its connection', () => {
    expect(handledRequests.filter(({ status, error }) => status >= 500 || error)).toEqual([])
  })

  test('sends no second response if a body turns out to be invalid after the response', async () => {
    const text =
      'POST /mobile-bff/v1/pix/dict/check/ HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer x\r\n' +
      'Content-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n'
    const received = await writeRaw(port(), text, { after: 'z\r\n' })
    expect(responsesIn(received).map(({ status }) => status)).toEqual([401])
  })

  test('survives a client that disconnects before its CONNECT is refused', async () => {
    const socket = connect(port(), '127.0.0.1', () => {
      socket.write('CONNECT a:80 HTTP/1.1\r\nHost: a\r\n\r\n')
      setImmediate(() => socket.resetAndDestroy())
    })
    await once(socket, 'close')
    const [response] = responsesIn(await writeRaw(port(), 'CONNECT a:80 HTTP/1.1\r\n\r\n'))
    expect(response?.status).toBe(400)
  })
})

function port(): number {
  return Number(new URL(server.url).port)
}

async function faultsOfWired({ text, responses: least = 1, half = false }: Wired): Promise<string[]> {
  const received = await writeRaw(port(), text, { half })
  const isLate = !received.isClosed || received.ms >= RESPONSE_TIMEOUT_MS
  const faults = isLate ? [`still open after ${RESPONSE_TIMEOUT_MS} ms`] : []
  const responses = responsesIn(received)
  if (responses.length < least) faults.push(`${responses.length} responses: ${received.bytes}`)
  for (const response of responses) if (isOfService(response)) faults.push(...(await faultsOf(response)))
  return faults.map((fault) => `${JSON.stringify(text.slice(0, 200))}: ${fault.slice(0, 300)}`)
}

/** Responses of the page have no request id. */
function isOfService({ headers, status }: Response): boolean {
  return status >= 400 || !headers.get('content-type')?.startsWith('text/html')
}
