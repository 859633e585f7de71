import { afterAll, beforeAll, expect, test } from 'vitest'
import { type App, createApp } from '../src/app.ts'
import { type Listening, listen } from '../src/serve.ts'
import type { Answered } from '../src/service/service.ts'
import { callersOf } from './callers.ts'
import { faultsOf, PATIENCE } from './hostile/held.ts'
import { type Wired, wiredRequests } from './hostile/requests.ts'
import { answersIn, say } from './hostile/wire.ts'

let app: App
let server: Listening
let bearer: string
const told: Answered[] = []

beforeAll(async () => {
  app = await createApp({
    checksAnswers: true,
    limitsRates: false,
    observe: { answered: (it) => void told.push(it) },
  })
  bearer = (await callersOf(app.service)).tokens.partner
  server = await listen({ fetch: app.fetch, port: 0, host: '127.0.0.1' })
})
afterAll(async () => {
  await server.close(0)
  await app.close()
})

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

async function faultsOfWired({ name, bytes, answers: least = 1, isHead = false, half = false }: Wired) {
  const heard = await say(Number(new URL(server.url).port), bytes, { half })
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
