import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { watchFetch } from '../../src/traffic/watch-fetch.ts'
import { type Service, startService, without } from '../sandbox-proxy.ts'

let service: Service
let authorization: string

beforeAll(async () => {
  service = await startService()
  const basic = `Basic ${btoa('partner:secret')}`
  const url = `${service.url}/mobile-bff/v1/auth/partner/token/`
  const response = await fetch(url, { method: 'POST', headers: { authorization: basic } })
  authorization = `Bearer ${((await response.json()) as { access_token: string }).access_token}`
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

test('finds nothing in valid traffic, and does not consume the body', async () => {
  const watched = watch()
  const response = await check(watched)
  expect(await response.json()).toHaveProperty('owner_name', 'Beltrana de Tal')
  await watched.assertNone()
  expect(await watched.findings()).toEqual([])
  expect(
    (await watched.result()).coverage.operations.find((it) => it.operation === 'checkKey')?.successes,
  ).toBe(1)
})

test('finds violations, also if the app does not read the body', async () => {
  service.change = without('ispb', KEYS)
  const watched = watch()
  await check(watched)
  expect(await watched.findings()).toMatchObject([{ rule: 'response-schema', operation: 'checkKey' }])
  await expect(watched.assertNone()).rejects.toThrow(
    /^The traffic does not conform to the contract:\n- checkKey, response-schema: /,
  )
})

test('finds an invalid request, unless requests are excluded', async () => {
  const [all, withoutRequests] = [watch(), watch({ requests: false })]
  await check(all, { dict_key: 7 })
  await check(withoutRequests, { dict_key: 7 })
  expect((await all.findings()).map(({ rule }) => rule)).toEqual(['request-conforms'])
  expect(await withoutRequests.findings()).toEqual([])
})

test('accepts deviations if it is not strict', async () => {
  service.change = (response) => ({ ...response, body: response.body.replace('{', '{"brand_new":1,') })
  const watched = watch()
  await check(watched)
  await watched.assertNone({ strict: false })
  await expect(watched.assertNone()).rejects.toThrow('undeclared-fields')
})

test('ignores requests to other hosts', async () => {
  const watched = watchFetch(fetch, { baseUrl: 'http://127.0.0.1:1' })
  expect((await check(watched)).status).toBe(200)
  expect((await watched.result()).requests).toBe(0)
})

test('ignores pages and files of the same host', async () => {
  const watched = watch()
  await watched(`${service.url}/assets/app.js`)
  expect((await watched.result()).requests).toBe(0)
})

test('sends a Request unchanged', async () => {
  const watched = watch()
  const request = new Request(`${service.url}/mobile-bff/v1/partner/user?limit=1`, {
    headers: { authorization },
  })
  expect((await watched(request)).status).toBe(200)
  expect((await watched.result()).requests).toBe(1)
})

test('rethrows a network failure, and reports it', async () => {
  const failing = watchFetch(() => Promise.reject(new TypeError('fetch failed')), { baseUrl: service.url })
  await expect(check(failing)).rejects.toThrow('fetch failed')
  expect((await failing.findings()).map(({ rule }) => rule)).toEqual(['response-received'])
})

test('finds nothing if the app aborted the request', async () => {
  const watched = watch()
  const request = watched(`${service.url}${KEYS}/`, { method: 'GET', signal: AbortSignal.abort() })
  await expect(request).rejects.toThrow()
  expect(await watched.findings()).toEqual([])
})

test('reports an unreadable contract when findings are requested', async () => {
  const watched = watchFetch(fetch, { baseUrl: service.url, contract: {} })
  expect((await check(watched)).status).toBe(200)
  await expect(watched.findings()).rejects.toThrow('must be 3.1')
})

test('ignores an event stream, which does not end', async () => {
  const endless = () =>
    Promise.resolve(new Response(new ReadableStream(), { headers: { 'content-type': 'text/event-stream' } }))
  const watched = watchFetch(endless, { baseUrl: service.url })
  expect((await check(watched)).body).not.toBeNull()
  expect((await watched.result()).requests).toBe(0)
})

test('ignores a response that does not end without being declared as a stream', async () => {
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
  // The app continues to read, and its stream ends when the app stops.
  expect(new TextDecoder().decode((await reader?.read())?.value)).toContain('dict_key')
  expect(isCancelled).toBe(false)
  await reader?.cancel()
  expect(isCancelled).toBe(true)
})
