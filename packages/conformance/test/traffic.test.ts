import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import { text } from 'node:stream/consumers'
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

const TRANSFERS = '/mobile-bff/v1/pix/out/'

/** The service makes another transfer where it refuses a value that was used. */
function payTwice(): void {
  let paid: object | undefined
  service.edit = async (response, { url }) => {
    if (!url.endsWith(TRANSFERS)) return undefined
    if (response.ok) {
      paid = (await response.json()) as object
      return undefined
    }
    return Response.json({ ...paid, id: crypto.randomUUID() }, { status: 201 })
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

  test('it reports a value that pays twice, even if it is not strict', async () => {
    payTwice()
    const watched = watch()
    const send = await signedIn(watched, service.url)
    const { initiation_id } = (await send('POST', KEYS, KEY)).json
    const payment = { ...KEY, type: 'dict', initiation_id, amount: '1.00' }
    expect((await send('POST', TRANSFERS, payment)).status).toBe(201)
    expect((await send('POST', TRANSFERS, payment)).status).toBe(201)
    await expect(watched.assertNone({ strict: false })).rejects.toThrow('once-used')
  })

  test('it ignores other hosts, and other paths of the host', async () => {
    const elsewhere = watchFetch(fetch, { baseUrl: 'http://127.0.0.1:1' })
    await signedIn(elsewhere, service.url)
    const watched = watch()
    await watched(`${service.url}/assets/app.js`)
    expect((await elsewhere.result()).requests).toBe(0)
    expect((await watched.result()).requests).toBe(0)
  })

  test('it judges the requests to a host in any spelling', async () => {
    const { port } = new URL(service.url)
    const hosts = ['localhost', 'LOCALHOST', 'localhost.', '127.0.0.1', '[::1]']
    for (const host of hosts) {
      const toService: typeof fetch = (input) =>
        fetch(String(new Request(input).url).replace(/\/\/[^/]+/, `//127.0.0.1:${port}`))
      const watched = watch({ baseUrl: `http://localhost:${port}` }, toService)
      await watched(`http://${host}:${port}${KEYS}`)
      expect((await watched.result()).requests, host).toBe(1)
    }
  })

  test('it does not pass if all requests of the contract went to another host', async () => {
    const elsewhere = watch({ baseUrl: 'http://127.0.0.1:1' })
    await elsewhere.assertNone()
    await signedIn(elsewhere, service.url)
    await expect(elsewhere.assertNone()).rejects.toThrow(
      `No request was judged: expected one to baseUrl, got ${service.url}/mobile-bff/v1/auth`,
    )
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
    const { findings, unknown } = await watched.result()
    expect(findings.map(({ rule }) => rule)).not.toContain('responses-status')
    expect(unknown.responseBodies).toBe(1)
    const part = await reader?.read()
    expect(new TextDecoder().decode(part?.value)).toContain('dict_key')
    await reader?.cancel()
    expect(isCancelled).toBe(true)
  })

  test('it leaves the response of an environment that loses copied bodies to the app, and says so', async () => {
    // As in happy-dom 21 (capricorn86/happy-dom issue 2353), where a stream of Node feeds the body.
    const lossy = (response: Response) => {
      const feed = { pipe: () => undefined, readableEnded: false }
      if (response.body) Object.assign(response.body, { [Symbol('node stream')]: feed })
      return Object.assign(response, {
        clone() {
          throw new Error('a copy would lose the body')
        },
      })
    }
    const watched = watch({}, async (input, init) => lossy(await fetch(input, init)))
    const response = await watched(`${service.url}/mobile-bff/v1/partner/user`)
    expect((await response.text()).length).toBeGreaterThan(0)
    await expect(watched.findings()).rejects.toThrow('happy-dom loses the body')
    await expect(watched.assertNone()).rejects.toThrow('run this test in the environment node')
  })

  test('it counts a request without a response, and no unread response', async () => {
    const watched = watch({}, async () => Promise.reject(new Error('no connection')))
    await expect(watched(`${service.url}/mobile-bff/v1/partner/user`)).rejects.toThrow()
    const { requests, unknown } = await watched.result()
    expect(requests).toBe(1)
    expect(unknown).toMatchObject({ responseBodies: 0, notResponded: 1 })
  })

  test('it does not judge the response of a cache', async () => {
    const watched = watch({}, async () => new Response(null, { status: 304 }))
    await watched(`${service.url}/mobile-bff/v1/partner/user`)
    expect((await watched.result()).requests).toBe(0)
  })

  test('it knows nothing of a request whose body cannot be read again', async () => {
    const body = new ReadableStream({
      pull(controller) {
        controller.error(new Error('gone'))
      },
    })
    const watched = watch({}, async () => new Response(null, { status: 400 }))
    const init = { method: 'POST', body, duplex: 'half' } as RequestInit
    await watched(`${service.url}${KEYS}`, init)
    const { requests, unknown, findings } = await watched.result()
    expect({ requests, bodies: unknown.requestBodies }).toEqual({ requests: 1, bodies: 1 })
    expect(named(findings)).not.toContain('requests-valid@checkKey')
  })

  test('it refuses unknown options and an unreadable contract', () => {
    const misspelt = { baseURL: 'x' } as object
    expect(() => watchFetch(fetch, misspelt)).toThrow(
      'watchFetch has no option "baseURL"; it has contract, baseUrl',
    )
    expect(() => watch({ contract: {} })).toThrow('must have "openapi"')
  })

  test('it refuses an operation that the contract does not have, whose findings never come', () => {
    expect(() => watch({ operations: ['getUsr'] })).toThrow(
      'the contract has no operation "getUsr"',
    )
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
  const content = (value: object) => ({ text: JSON.stringify(value) })
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
    const recording = har(entry(USERS, content({ users: [], total: 0 })))
    const { findings } = checkHar(recording, { isComplete: true })
    expect(findings.filter(({ rule }) => rule.startsWith('access'))).toEqual([])
  })

  test('it masks the secrets of the recording', () => {
    const shown = content({ users: 'token-of-somebody', refresh_token: 'another-secret' })
    const recording = har(entry(USERS, shown, { Authorization: 'Bearer token-of-somebody' }))
    const { findings } = checkHar(recording)
    expect(findings.length).toBeGreaterThan(0)
    expect(JSON.stringify(findings)).not.toContain('token-of-somebody')
    expect(JSON.stringify(findings)).not.toContain('another-secret')
  })

  test('it judges a list of thousands of small items', () => {
    const list = 'GET /mobile-bff/v1/pix/qrcode/dynamic/immediate'
    const data = Array.from({ length: 15_000 }, () => ({}))
    const { findings } = checkHar(har(entry(list, content({ data }))))
    expect(named(findings)).toContain('responses-shape@listImmediateQrCodes')
  })

  test('it reads payments beside thousands of charges without a code in moments', () => {
    const list = 'GET /mobile-bff/v1/pix/qrcode/dynamic/immediate'
    const data = Array.from({ length: 6_000 }, (_, i) => ({ id: `charge-${i}`, status: 'ATIVA' }))
    const payments = Array.from({ length: 600 }, (_, i) =>
      entry('POST /mobile-bff/v1/pix/out/', content({ id: `transfer-${i}` })),
    )
    const before = process.cpuUsage()
    checkHar(har(entry(list, content({ data })), ...payments))
    expect(process.cpuUsage(before).user).toBeLessThan(4_000_000)
  })

  test('it reads twenty thousand entries, with and without a time, in moments', () => {
    const request = { method: 'GET', url: `${service.url}/mobile-bff/v1/partner/user` }
    const startedDateTime = '2026-11-29T12:00:00Z'
    const entries = Array.from({ length: 20_000 }, (_, i) =>
      i % 4 === 0 ? { request, startedDateTime, time: 3_600_000 } : { request },
    )
    const before = process.cpuUsage()
    expect(checkHar({ log: { entries } }, { baseUrl: service.url }).leftOut).toBe(0)
    expect(process.cpuUsage(before).user).toBeLessThan(3_000_000)
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

  test('it finds a request without a token that is accepted, since it sees all headers', async () => {
    const users = JSON.stringify({ users: [], total: 0 })
    const headers = { 'content-type': 'application/json', 'x-request-id': 'req_1' }
    service.edit = () => new Response(users, { headers })
    const proxy = await startProxy({ url: service.url, isComplete: true })
    await (await fetch(`${proxy.url}/mobile-bff/v1/partner/user`)).text()
    await expect.poll(() => proxy.result().requests).toBe(1)
    const { findings, unknown } = await proxy.close()
    expect(named(findings)).toContain('access-credentials@listUsers')
    expect(unknown.headers).toBe(0)
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

  describe('raw requests', () => {
    const OWN = 'PROXY'
    /** Sends bytes, in which PROXY is the host of the proxy, and returns what comes until the end. */
    async function exchange(head: string, respond?: (socket: Socket) => void) {
      const received: string[] = []
      const upstream = createServer((socket) => {
        socket.on('error', () => undefined)
        socket.on('data', (bytes) => {
          received.push(bytes.toString())
          if (respond) respond(socket)
          else socket.end('HTTP/1.1 200 OK\r\ncontent-length: 2\r\nconnection: close\r\n\r\nok')
        })
      })
      upstream.listen(0, '127.0.0.1')
      await once(upstream, 'listening')
      const { port } = upstream.address() as AddressInfo
      const proxy = await startProxy({ url: `http://127.0.0.1:${port}` })
      const { host, hostname, port: proxyPort } = new URL(proxy.url)
      const socket = connect(Number(proxyPort), hostname)
      socket.write(head.replaceAll(OWN, host).replaceAll('SERVICE', `127.0.0.1:${port}`))
      const response = await text(socket)
      const { requests } = await proxy.close()
      upstream.close()
      return { response, received: received.join(''), requests }
    }
    const get = (target: string, headers = '') =>
      `GET ${target} HTTP/1.1\r\nhost: ${OWN}\r\nconnection: close\r\n${headers}\r\n`

    test.each([
      { title: 'dot segments', target: '/mobile-bff/v1/a/../partner/user', passed: undefined },
      { title: 'a backslash', target: '/mobile-bff/v1/partner/user\\x', passed: undefined },
      {
        title: 'characters that a URL would encode',
        target: '/mobile-bff/v1/{a}|b',
        passed: undefined,
      },
      {
        title: 'a whole URL of its own',
        target: `http://${OWN}/mobile-bff/v1/x?a=1`,
        passed: '/mobile-bff/v1/x?a=1',
      },
      {
        title: 'a whole URL of the service',
        target: 'http://SERVICE/mobile-bff/v1/x',
        passed: '/mobile-bff/v1/x',
      },
    ])('it passes $title on', async ({ target, passed = target }) => {
      const { response, received } = await exchange(get(target))
      expect(response).toMatch(/^HTTP\/1\.1 200 /)
      expect(received).toContain(`GET ${passed} HTTP/1.1`)
    })

    test('it passes the target * on', async () => {
      const { received } = await exchange(get('*').replace('GET', 'OPTIONS'))
      expect(received).toContain('OPTIONS * HTTP/1.1')
    })

    test('it does not judge a path that only a URL would resolve', async () => {
      const { requests } = await exchange(get('/mobile-bff/v1/a/../partner/user'))
      expect(requests).toBe(0)
    })

    test.each([
      { title: 'a URL of another host', head: get('http://elsewhere.example/x') },
      {
        title: 'CONNECT',
        head: 'CONNECT elsewhere.example:443 HTTP/1.1\r\nhost: elsewhere.example\r\n\r\n',
      },
    ])('it says for $title what it is', async ({ head }) => {
      const { response, received } = await exchange(head)
      expect(response).toMatch(/^HTTP\/1\.1 400 /)
      expect(response).toContain('This is a reverse proxy of http://127.0.0.1')
      expect(response).toContain('not as HTTP_PROXY')
      expect(received).toBe('')
    })

    test('it keeps the headers of a connection to itself (RFC 9110, section 7.6.1)', async () => {
      const head = get('/mobile-bff/v1/x', 'x-kept: 1\r\nTE: trailers\r\nx-foo: 1\r\n')
      const { received } = await exchange(
        head.replace('connection: close', 'Connection: close, X-Foo'),
      )
      expect(received).toContain('x-kept: 1')
      expect(received.toLowerCase()).not.toMatch(/^(te|x-foo):/m)
    })

    test('it passes early hints and trailers on', async () => {
      const { response } = await exchange(get('/mobile-bff/v1/x', 'te: trailers\r\n'), (socket) =>
        socket.end(
          [
            'HTTP/1.1 103 Early Hints\r\nlink: </a>; rel=preload\r\n',
            'HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\ntrailer: x-sum\r\n',
            '2\r\nok\r\n0\r\nx-sum: 7\r\n\r\n',
          ].join('\r\n'),
        ),
      )
      expect(response).toMatch(/^HTTP\/1\.1 103 Early Hints\r\nLink: <\/a>; rel=preload/i)
      expect(response).toContain('x-sum: 7')
    })
  })

  test('it knows nothing of a request that is too large to be held', async () => {
    const proxy = await startProxy({ url: service.url })
    const body = JSON.stringify({ dict_key: 'x'.repeat(2_500_000) })
    const headers = { 'content-type': 'application/json' }
    await fetch(`${proxy.url}${KEYS}`, { method: 'POST', headers, body }).catch(() => undefined)
    await expect.poll(() => proxy.result().unknown.requestBodies).toBe(1)
    expect(named((await proxy.close()).findings)).not.toContain('requests-valid@checkKey')
  })

  test('it reads the body of a request that is encoded', async () => {
    const proxy = await startProxy({ url: service.url })
    const headers = { 'content-type': 'application/json', 'content-encoding': 'gzip' }
    const body = gzipSync(JSON.stringify({ dict_key: 7 }))
    await fetch(`${proxy.url}${KEYS}`, { method: 'POST', headers, body })
    const { findings } = await proxy.close()
    const messages = findings.map(({ message }) => message)
    expect(messages).toContain('The request, body /dict_key: expected string, got integer.')
  })
})
