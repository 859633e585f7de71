import { once } from 'node:events'
import { connect } from 'node:net'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type App, createApp } from '../src/app.ts'
import { type Listening, listen } from '../src/listen.ts'
import type { HandledRequest } from '../src/service/service.ts'
import { callersOf } from './callers.ts'
import { faultsOf, PATIENCE } from './hostile/held.ts'
import { type Wired, wiredRequests } from './hostile/requests.ts'
import { answersIn, say } from './hostile/wire.ts'

let app: App
let server: Listening
let bearer: string
const told: HandledRequest[] = []

beforeAll(async () => {
  app = await createApp({
    checksResponses: true,
    limitsRates: false,
    allowedHosts: ['a'],
    observe: { handled: (it) => void told.push(it) },
  })
  bearer = (await callersOf(app.service)).tokens.partner
})
afterAll(() => app.close())

// That the process is the sandbox's alone, as from the command line, cannot be taken back; so it comes last.
describe.each([false, true])('where the process is its own: %s', (ownsProcess) => {
  beforeAll(async () => {
    server = await listen({ fetch: app.fetch, port: 0, host: '127.0.0.1', ownsProcess })
  })
  afterAll(() => server.close(0))

  test('answers 300 requests whose line, headers or framing are odd', async () => {
    const requests = wiredRequests(bearer)
    expect(requests.length).toBeGreaterThanOrEqual(300)
    const found: string[] = []
    for (const request of requests) found.push(...(await faultsOfWired(request)))
    expect(found).toEqual([])
  })

  test('tells no failure of its own for what a client does to its connection', () => {
    expect(told.filter(({ status, error }) => status >= 500 || error)).toEqual([])
  })

  const LOOK_UP = '{"dict_key":"beltrana@example.com"}'
  const lookUp = (token: string, body: string) =>
    `POST /mobile-bff/v1/pix/dict/check/ HTTP/1.1\r\nHost: a\r\nAuthorization: ${token}\r\n` +
    `Content-Type: application/json\r\n${body}`
  const whole = `Content-Length: ${LOOK_UP.length}\r\n\r\n${LOOK_UP}`

  test('refuses nonsense behind a request only after that request is answered', async () => {
    const heard = await say(port(), Buffer.from(`${lookUp(bearer, whole)}nonsense\r\n\r\n`))
    expect(answersIn(heard).map(({ status }) => status)).toEqual([200, 400])
  })

  test('says nothing more where the request was answered before its body turned out to be broken', async () => {
    const heard = await say(port(), Buffer.from(lookUp('Bearer x', 'Transfer-Encoding: chunked\r\n\r\n')), {
      after: 'z\r\n',
    })
    expect(answersIn(heard).map(({ status }) => status)).toEqual([401])
  })

  test('lives on where a client is gone before its CONNECT is refused', async () => {
    const socket = connect(port(), '127.0.0.1', () => {
      socket.write('CONNECT a:80 HTTP/1.1\r\nHost: a\r\n\r\n')
      setImmediate(() => socket.resetAndDestroy())
    })
    await once(socket, 'close')
    expect(answersIn(await say(port(), Buffer.from('CONNECT a:80 HTTP/1.1\r\n\r\n')))[0]?.status).toBe(400)
  })
})

function port(): number {
  return Number(new URL(server.url).port)
}

async function faultsOfWired({ name, bytes, answers: least = 1, isHead = false, half = false }: Wired) {
  const heard = await say(port(), bytes, { half })
  const answers = answersIn(heard, isHead)
  const faults = [
    ...(heard.isClosed && heard.ms < PATIENCE ? [] : [`still open after ${PATIENCE} ms`]),
    ...(answers.length >= least ? [] : [`${answers.length} answers: ${heard.bytes}`]),
  ]
  for (const answer of answers) if (!isHead && isOfService(answer)) faults.push(...(await faultsOf(answer)))
  return faults.map((fault) => `${name.slice(0, 80)}: ${fault.slice(0, 300)}`)
}

/** The page is no answer of the service, and has no id. */
function isOfService({ headers, status }: Response): boolean {
  return status >= 400 || !headers.get('content-type')?.startsWith('text/html')
}
