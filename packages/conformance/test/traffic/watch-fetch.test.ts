import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { watchFetch } from '../../src/traffic/watch-fetch.ts'
import { type Service, startService, without } from '../service.ts'

let service: Service
let authorization: string

beforeAll(async () => {
  service = await startService()
  const basic = `Basic ${btoa('partner:secret')}`
  const url = `${service.url}/mobile-bff/v1/auth/partner/token/`
  const answer = await fetch(url, { method: 'POST', headers: { authorization: basic } })
  authorization = `Bearer ${((await answer.json()) as { access_token: string }).access_token}`
})
afterEach(() => {
  service.change = undefined
})
afterAll(() => service.close())

const KEYS = '/mobile-bff/v1/pix/dict/check'
const check = (send: ReturnType<typeof watchFetch>, body: unknown = { dict_key: 'beltrana@example.com' }) =>
  send(`${service.url}${KEYS}/`, {
    method: 'POST',
    headers: { authorization, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })
const watch = (options = {}, send: typeof fetch = fetch) =>
  watchFetch(send, { baseUrl: service.url, ...options })

test('finds nothing in traffic that keeps the contract, and leaves the body to the app', async () => {
  const watched = watch()
  const answer = await check(watched)
  expect(await answer.json()).toHaveProperty('owner_name', 'Beltrana de Tal')
  await watched.assertNone()
  expect(await watched.findings()).toEqual([])
  expect(
    (await watched.result()).coverage.operations.find((it) => it.operation === 'checkKey')?.successes,
  ).toBe(1)
})

test('finds what breaks the contract, also where the app reads no body', async () => {
  service.change = without('ispb', KEYS)
  const watched = watch()
  await check(watched)
  expect(await watched.findings()).toMatchObject([{ rule: 'response-schema', operation: 'checkKey' }])
  await expect(watched.assertNone()).rejects.toThrow(
    /^The traffic does not conform to the contract:\n- checkKey, response-schema: /,
  )
})

test('finds a request that breaks the contract, unless requests are not asked about', async () => {
  const [all, answers] = [watch(), watch({ requests: false })]
  await check(all, { dict_key: 7 })
  await check(answers, { dict_key: 7 })
  expect((await all.findings()).map(({ rule }) => rule)).toEqual(['request-conforms'])
  expect(await answers.findings()).toEqual([])
})

test('lets deviations pass where it is not strict', async () => {
  service.change = (answer) => ({ ...answer, body: answer.body.replace('{', '{"brand_new":1,') })
  const watched = watch()
  await check(watched)
  await watched.assertNone({ strict: false })
  await expect(watched.assertNone()).rejects.toThrow('undeclared-fields')
})

test('passes on what is sent elsewhere', async () => {
  const watched = watchFetch(fetch, { baseUrl: 'http://127.0.0.1:1' })
  expect((await check(watched)).status).toBe(200)
  expect((await watched.result()).requests).toBe(0)
})

test('passes on the pages and files of the same host', async () => {
  const watched = watch()
  await watched(`${service.url}/assets/app.js`)
  expect((await watched.result()).requests).toBe(0)
})

test('sends a Request as it is', async () => {
  const watched = watch()
  const request = new Request(`${service.url}/mobile-bff/v1/partner/user?limit=1`, {
    headers: { authorization },
  })
  expect((await watched(request)).status).toBe(200)
  expect((await watched.result()).requests).toBe(1)
})

test('hands on a failure of the network, and finds it', async () => {
  const failing = watchFetch(() => Promise.reject(new TypeError('fetch failed')), { baseUrl: service.url })
  await expect(check(failing)).rejects.toThrow('fetch failed')
  expect((await failing.findings()).map(({ rule }) => rule)).toEqual(['response-received'])
})

test('finds nothing where the app itself gave up', async () => {
  const watched = watch()
  const request = watched(`${service.url}${KEYS}/`, { method: 'GET', signal: AbortSignal.abort() })
  await expect(request).rejects.toThrow()
  expect(await watched.findings()).toEqual([])
})

test('tells of a contract that cannot be read when findings are asked for', async () => {
  const watched = watchFetch(fetch, { baseUrl: service.url, contract: {} })
  expect((await check(watched)).status).toBe(200)
  await expect(watched.findings()).rejects.toThrow('must be 3.1')
})

test('passes on a stream of events, which has no end', async () => {
  const endless = () =>
    Promise.resolve(new Response(new ReadableStream(), { headers: { 'content-type': 'text/event-stream' } }))
  const watched = watchFetch(endless, { baseUrl: service.url })
  expect((await check(watched)).body).not.toBeNull()
  expect((await watched.result()).requests).toBe(0)
})

test('leaves out an answer that does not end, though nothing says so', async () => {
  let isCancelled = false
  const lines = new ReadableStream({
    start: (controller) => controller.enqueue(new TextEncoder().encode('{"dict_key":"x"}\n')),
    cancel() {
      isCancelled = true
    },
  })
  const endless = () =>
    Promise.resolve(new Response(lines, { headers: { 'content-type': 'application/x-ndjson' } }))
  const watched = watch({ readWithinMs: 20 }, endless)
  const reader = (await check(watched)).body?.getReader()
  expect((await watched.result()).requests).toBe(0)
  // The app reads on, and its stream ends when it is done with it.
  expect(new TextDecoder().decode((await reader?.read())?.value)).toContain('dict_key')
  expect(isCancelled).toBe(false)
  await reader?.cancel()
  expect(isCancelled).toBe(true)
})
