import { gzipSync } from 'node:zlib'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { checkHar } from '../src/har.ts'
import { startProxy } from '../src/proxy.ts'
import type { Finding } from '../src/report/result.ts'
import { watchFetch } from '../src/watch.ts'
import { changed, KEYS, type Service, signedIn, startService, WEBHOOKS } from './service.ts'

let service: Service
beforeAll(async () => {
  service = await startService()
})
afterEach(() => {
  service.edit = () => undefined
})
afterAll(() => service.close())

const KEY = { dict_key: 'beltrana@example.com' }

const named = (findings: readonly Finding[]) =>
  findings.map(({ rule, operation }) => `${rule}@${operation}`)

/** Creates a webhook, and reads it. */
async function useWebhook(send: Awaited<ReturnType<typeof signedIn>>): Promise<void> {
  const { json } = await send('POST', WEBHOOKS, { url: 'https://example.com/hook', type: 'all' })
  await send('GET', `${WEBHOOKS}/${json.id}`)
  await send('DELETE', `${WEBHOOKS}/${json.id}`)
}

/** The service shows another type of a webhook than was sent. */
function forgetTypes(): void {
  service.edit = (response, { method, url }) => {
    const isRead = method === 'GET' && url.includes(`${WEBHOOKS}/`)
    return isRead ? changed(response, { type: 'qrcode' }) : undefined
  }
}

describe('watchFetch', () => {
  const watch = (options = {}, send: typeof fetch = fetch) =>
    watchFetch(send, { baseUrl: service.url, ...options })

  test('it finds nothing in right traffic, and leaves the body to the app', async () => {
    const watched = watch()
    const send = await signedIn(watched, service.url)
    expect((await send('POST', KEYS, KEY)).json).toHaveProperty('owner_name', 'Beltrana de Tal')
    await useWebhook(send)
    await watched.assertNone()
    const { coverage, requests } = await watched.result()
    expect(requests).toBe(5)
    const lookUps = coverage.operations.find(({ operation }) => operation === 'checkKey')
    expect(lookUps?.successes).toBe(1)
  })

  test('it judges what several exchanges show together', async () => {
    forgetTypes()
    const watched = watch({ isComplete: true })
    await useWebhook(await signedIn(watched, service.url))
    expect(named(await watched.findings())).toContain('records-shown@getWebhook')
    await expect(watched.assertNone()).rejects.toThrow(
      /^The traffic does not conform to the contract:\n(- .*\n)*- getWebhook, records-shown: /,
    )
  })

  test('it knows that a sandbox was reset, and that its clock was moved', async () => {
    const watched = watch({ isComplete: true })
    const headers = { 'content-type': 'application/json' }
    const control = (path: string, body = '{}') =>
      watched(`${service.url}/_sandbox/${path}`, { method: 'POST', headers, body })
    const old = await signedIn(watched, service.url)
    const { json } = await old('POST', WEBHOOKS, { url: 'https://example.com/hook', type: 'all' })
    expect((await control('reset')).status).toBe(204)
    expect((await old('GET', `${WEBHOOKS}/`)).status).toBe(401)
    const send = await signedIn(watched, service.url)
    expect((await send('GET', `${WEBHOOKS}/${json.id}`)).status).toBe(404)
    await control('clock', '{"advance_seconds":7200}')
    expect((await send('GET', `${WEBHOOKS}/`)).status).toBe(401)
    await watched.assertNone()
  })

  const INVALID_REQUESTS = [
    {
      title: 'it finds an invalid request by default',
      options: {},
      finds: ['requests-valid@checkKey'],
    },
    {
      title: 'it finds no invalid request with the option requests: false',
      options: { requests: false },
      finds: [],
    },
  ]

  for (const { title, options, finds } of INVALID_REQUESTS) {
    test(title, async () => {
      const watched = watch(options)
      const send = await signedIn(watched, service.url)
      await send('POST', KEYS, { dict_key: 7 })
      expect(named(await watched.findings())).toEqual(finds)
    })
  }

  test('it ignores deviations if it is not strict', async () => {
    service.edit = (response, { url }) =>
      url.includes(KEYS) ? changed(response, { brand_new: 1 }) : undefined
    const watched = watch()
    const send = await signedIn(watched, service.url)
    await send('POST', KEYS, KEY)
    await watched.assertNone({ strict: false })
    await expect(watched.assertNone()).rejects.toThrow('responses-known')
  })

  test('it ignores other hosts, and other paths of the host', async () => {
    const elsewhere = watchFetch(fetch, { baseUrl: 'http://127.0.0.1:1' })
    await signedIn(elsewhere, service.url)
    const watched = watch()
    await watched(`${service.url}/assets/app.js`)
    expect((await elsewhere.result()).requests).toBe(0)
    expect((await watched.result()).requests).toBe(0)
  })

  test('it passes on a network failure, and knows that the request may have taken effect', async () => {
    const watched = watch({}, () => Promise.reject(new TypeError('fetch failed')))
    await expect(watched(`${service.url}${KEYS}`, { method: 'POST' })).rejects.toThrow(
      'fetch failed',
    )
    expect((await watched.result()).requests).toBe(1)
  })

  test('it judges no body that does not end, and leaves it to the app', async () => {
    let isCancelled = false
    const lines = new ReadableStream({
      start(controller) {
        controller.enqueue(new TextEncoder().encode('{"dict_key":"x"}\n'))
      },
      cancel() {
        isCancelled = true
      },
    })
    const headers = { 'content-type': 'application/x-ndjson' }
    const watched = watch({ readWithinMs: 20 }, async () => new Response(lines, { headers }))
    const response = await watched(`${service.url}${KEYS}`)
    const reader = response.body?.getReader()
    const { findings } = await watched.result()
    expect(findings.map(({ rule }) => rule)).not.toContain('responses-status')
    const part = await reader?.read()
    expect(new TextDecoder().decode(part?.value)).toContain('dict_key')
    await reader?.cancel()
    expect(isCancelled).toBe(true)
  })

  test('it refuses unknown options and an unreadable contract', () => {
    const misspelt = { baseURL: 'x' } as object
    expect(() => watchFetch(fetch, misspelt)).toThrow(
      'watchFetch has no option "baseURL"; it has contract, baseUrl',
    )
    expect(() => watch({ contract: {} })).toThrow('must have "openapi"')
  })
})

describe('checkHar', () => {
  const entry = (line: string, content: object, sent: Record<string, string> = {}) => {
    const [method, path] = line.split(' ')
    const listed = (headers: Record<string, string>) =>
      Object.entries(headers).map(([name, value]) => ({ name, value }))
    const headers = {
      'content-type': 'application/json',
      'x-request-id': `req_${Math.random()}`,
    }
    return {
      request: { method, url: `http://127.0.0.1:4010${path}`, headers: listed(sent) },
      response: { status: 200, headers: listed(headers), content },
    }
  }
  const har = (...entries: object[]) => ({ log: { version: '1.2', entries } })
  const text = (value: object) => ({ text: JSON.stringify(value) })
  const USERS = 'GET /mobile-bff/v1/partner/user'

  test('it judges responses and requests, and counts what it leaves out', () => {
    const users = { users: 7, total: 0 }
    const base64 = {
      text: Buffer.from(JSON.stringify(users)).toString('base64'),
      encoding: 'base64',
    }
    const preflight = { 'Access-Control-Request-Method': 'GET' }
    const recording = har(
      entry('GET /', {}),
      entry('OPTIONS /mobile-bff/v1/partner/user', {}, preflight),
      entry(`${USERS}?limits=5`, base64),
      entry(USERS, { size: -1, mimeType: 'application/json' }),
    )
    const { findings, leftOut, withoutBody, requests } = checkHar(recording)
    expect({ leftOut, withoutBody, requests }).toEqual({ leftOut: 2, withoutBody: 1, requests: 2 })
    expect(named(findings)).toEqual(
      expect.arrayContaining(['responses-shape@listUsers', 'requests-valid@listUsers']),
    )
  })

  test('it takes a missing authorization for unknown, although the recording is complete', () => {
    const recording = har(entry(USERS, text({ users: [], total: 0 })))
    const { findings } = checkHar(recording, { isComplete: true })
    expect(findings.filter(({ rule }) => rule.startsWith('access'))).toEqual([])
  })

  test('it masks the secrets of the recording', () => {
    const shown = text({ users: 'token-of-somebody', refresh_token: 'another-secret' })
    const recording = har(entry(USERS, shown, { Authorization: 'Bearer token-of-somebody' }))
    const { findings } = checkHar(recording)
    expect(findings.length).toBeGreaterThan(0)
    expect(JSON.stringify(findings)).not.toContain('token-of-somebody')
    expect(JSON.stringify(findings)).not.toContain('another-secret')
  })

  const UNREADABLE = [
    { value: {}, message: 'expected a HAR 1.2 with log.entries' },
    {
      value: har({}),
      message: 'log.entries[0]: expected request.url and request.method',
    },
  ]

  for (const { value, message } of UNREADABLE) {
    test(`it refuses ${JSON.stringify(value)}`, () => {
      expect(() => checkHar(value)).toThrow(message)
    })
  }
})

describe('startProxy', () => {
  test('it passes everything on unchanged, and reports a finding once, as it appears', async () => {
    forgetTypes()
    const found: Finding[] = []
    const proxy = await startProxy({
      url: service.url,
      isComplete: true,
      onFinding: (finding) => found.push(finding),
    })
    const send = await signedIn(fetch, proxy.url)
    await useWebhook(send)
    await expect.poll(() => named(found)).toContain('records-shown@getWebhook')
    await useWebhook(send)
    const { findings, requests } = await proxy.close()
    expect(requests).toBe(7)
    expect(found.map(({ id }) => id).sort()).toEqual(findings.map(({ id }) => id).sort())
  })

  test('it streams bytes, also compressed ones, and judges what they say', async () => {
    const body = gzipSync(JSON.stringify({ users: 7 }))
    const headers = {
      'content-type': 'application/json',
      'content-encoding': 'gzip',
      'x-request-id': 'req_1',
    }
    service.edit = (_, { url }) =>
      url.includes('/user') ? new Response(body, { headers }) : undefined
    const proxy = await startProxy({ url: service.url })
    const response = await fetch(`${proxy.url}/mobile-bff/v1/partner/user`)
    expect(response.headers.get('content-encoding')).toBe('gzip')
    expect(await response.json()).toEqual({ users: 7 })
    await expect.poll(() => named(proxy.result().findings)).toContain('responses-shape@listUsers')
    await proxy.close()
  })

  test('it passes a large body, and does not judge it', async () => {
    service.edit = () =>
      new Response('x'.repeat(3_000_000), { headers: { 'content-type': 'text/plain' } })
    const proxy = await startProxy({ url: service.url })
    const response = await fetch(`${proxy.url}/mobile-bff/v1/partner/user`)
    expect((await response.text()).length).toBe(3_000_000)
    await expect.poll(() => proxy.result().requests).toBe(1)
    expect((await proxy.close()).findings).toEqual([])
  })

  test('it responds with 502 if the service cannot be reached', async () => {
    const proxy = await startProxy({ url: 'http://127.0.0.1:9' })
    const response = await fetch(`${proxy.url}/mobile-bff/v1/partner/user`)
    expect(response.status).toBe(502)
    expect(await response.text()).toContain('cannot be reached')
    await proxy.close()
  })
})
