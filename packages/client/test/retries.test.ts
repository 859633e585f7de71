import { inspect } from 'node:util'
import { describe, expect, it } from 'vitest'
import { OutcomeUnknownError } from '../src/index.ts'
import { START, testClock } from './clock.ts'
import {
  broken,
  inTurn,
  json,
  KEY,
  noResponse,
  problem,
  SETTLED,
  service,
  TRANSFER,
  USERS,
} from './service.ts'

const PROBLEM = { type: 'about:blank', title: 'Refused', code: 'rate_limited' }

function busyAs(type: string): Response {
  return json({ ...PROBLEM, status: 429 }, 429, { 'content-type': type })
}

describe('a retryable operation', () => {
  it.each([408, 429, 500, 502, 503, 504])('is retried after %i', async (status) => {
    const { payments, sent } = service((_, count) =>
      count < 3 ? problem(status, 'x') : json(USERS),
    )
    await payments.users.list()
    expect(sent).toHaveLength(3)
  })

  it.each([400, 403, 404, 405, 409, 413, 415, 422, 501, 505])(
    'is not retried after %i',
    async (status) => {
      const { payments, sent } = service(() => problem(status, 'x'))
      expect(await payments.users.list().result()).toMatchObject({ ok: false, status })
      expect(sent).toHaveLength(1)
    },
  )

  it.each(['ECONNRESET', 'ECONNREFUSED', 'UND_ERR_SOCKET'])('is retried after %s', async (code) => {
    const { payments, sent } = service((_, count) => (count < 3 ? broken(code) : json(KEY)))
    await payments.keys.check(KEY.dict_key)
    expect(sent).toHaveLength(3)
  })

  it('fails with the last error when the retries are used up', async () => {
    const { payments, sent } = service((_, count) => problem(count === 3 ? 503 : 500, 'x'), {
      retries: 2,
    })
    expect(await payments.users.list().result()).toMatchObject({ status: 503 })
    expect(sent).toHaveLength(3)
  })

  it('is sent once if retries is 0', async () => {
    const { payments, sent } = service(() => broken('ECONNRESET'), { retries: 0 })
    expect(await payments.users.list().result()).toMatchObject({
      kind: 'connection',
      error: { sent: true },
    })
    expect(sent).toHaveLength(1)
  })
})

describe('the wait', () => {
  const waitsOf = async (random: number, respond = () => problem(503, 'x')) => {
    const clock = testClock()
    const { payments, sent } = service(respond, { clock, random: () => random, retries: 4 })
    expect(await clock.endOf(payments.users.list({ timeout: 1e6 }).result())).toMatchObject({
      ok: false,
    })
    return sent.slice(1).map(({ at }, index) => at - (sent[index]?.at ?? 0))
  }

  it('doubles, with full jitter', async () => {
    expect(await waitsOf(1)).toEqual([250, 500, 1000, 2000])
    expect(await waitsOf(0.5)).toEqual([125, 250, 500, 1000])
    expect(await waitsOf(0)).toEqual([0, 0, 0, 0])
  })

  it.each([
    {
      title:
        'follows retry-after in seconds, and waits longer, so that clients do not return together',
      retryAfter: '3',
      waits: [3250, 3500, 4000, 5000],
    },
    {
      title: 'follows retry-after as a date',
      retryAfter: new Date(START + 5000).toUTCString(),
      waits: [5250, 500, 1000, 2000],
    },
    {
      title: 'follows retry-after unless it is a word',
      retryAfter: 'soon',
      waits: [250, 500, 1000, 2000],
    },
    {
      title: 'follows retry-after unless it is negative',
      retryAfter: '-1',
      waits: [250, 500, 1000, 2000],
    },
    {
      title: 'follows retry-after unless it is empty',
      retryAfter: '',
      waits: [250, 500, 1000, 2000],
    },
  ])('$title', async ({ retryAfter, waits }) => {
    expect(await waitsOf(1, () => problem(503, 'x', { 'retry-after': retryAfter }))).toEqual(waits)
  })

  it.each(['31', '99999999999'])(
    'of %s seconds is too long: the call fails at once',
    async (retryAfter) => {
      const { payments, sent } = service(() =>
        problem(429, 'rate_limited', { 'retry-after': retryAfter }),
      )
      const result = await payments.users.list().result()
      expect(result).toMatchObject({
        status: 429,
        error: { retryAfter: Number(retryAfter) * 1000 },
      })
      expect(sent).toHaveLength(1)
    },
  )

  it('is skipped if it would exceed the timeout', async () => {
    const { payments, sent } = service(() => problem(503, 'x', { 'retry-after': '20' }), {
      timeout: 10_000,
    })
    expect(await payments.users.list().result()).toMatchObject({ status: 503 })
    expect(sent).toHaveLength(1)
  })

  it('ends when the caller aborts', async () => {
    const clock = testClock()
    const { payments } = service(() => problem(503, 'x', { 'retry-after': '20' }), { clock })
    const controller = new AbortController()
    const result = payments.users.list({ signal: controller.signal }).result()
    await clock.advance(10)
    controller.abort('enough')
    expect(await result).toMatchObject({ kind: 'aborted', error: { cause: 'enough' } })
    expect(clock.timers.size).toBe(0)
  })
})

describe('a payment', () => {
  it.each(['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN', 'UND_ERR_CONNECT_TIMEOUT'])(
    'is retried after %s, as no connection was made, and fails with it',
    async (code) => {
      const { payments, sent } = service((_, count) =>
        count < 3 ? broken(code) : json(SETTLED, 201),
      )
      await payments.transfers.create(TRANSFER)
      expect(sent).toHaveLength(3)
      const failed = await service(() => broken(code))
        .payments.transfers.create(TRANSFER)
        .result()
      expect(failed).toMatchObject({ kind: 'connection', error: { sent: false } })
    },
  )

  it('is retried after a 429 with problem details: it was refused', async () => {
    const { payments, sent } = service(inTurn(problem(429, 'rate_limited'), json(SETTLED, 201)))
    await payments.transfers.create(TRANSFER)
    expect(sent).toHaveLength(2)
  })

  it.each([400, 403, 409, 413, 415, 422])(
    'is refused after %i with problem details',
    async (status) => {
      const { payments, sent } = service(() => problem(status, 'x'))
      expect(await payments.transfers.create(TRANSFER).result()).toMatchObject({
        kind: 'http',
        status,
      })
      expect(sent).toHaveLength(1)
    },
  )

  const unknown: Record<string, () => Response | Error> = {
    'a connection that broke': () => broken('ECONNRESET'),
    'an error without a code': () => new TypeError('Failed to fetch'),
    'a 500 with problem details': () => problem(500, 'internal_error'),
    'a 503 with problem details': () => problem(503, 'unavailable'),
    'a 503 with retry-after': () => problem(503, 'unavailable', { 'retry-after': '1' }),
    'an empty 500': () => new Response('', { status: 500 }),
    'an HTML 502': () => new Response('<html>', { status: 502 }),
    'a 404 without problem details': () => new Response('not here', { status: 404 }),
    'a 429 without problem details': () => new Response('', { status: 429 }),
    'a 404 with {}': () => json({}, 404),
    'a 404 with []': () => json([], 404),
    'a 404 with other JSON': () => json({ message: 'x' }, 404),
    'a 408 with other JSON': () => json({ message: 'Request timeout' }, 408),
    'a 429 with other JSON': () => json({ message: 'Request timeout' }, 429),
    'a 408 with its status in other JSON': () => json({ status: 408, error: 'Too busy' }, 408),
    'a 429 with its status in other JSON': () => json({ status: 429, error: 'Too busy' }, 429),
    'a 429 as application/problem+jsonp': () => busyAs('application/problem+jsonp'),
    'a 429 as x/application/problem+json': () => busyAs('x/application/problem+json'),
    'a 429 of two media types': () => busyAs('application/problem+json; a=b, text/html'),
    'a 429 with problem+json in a parameter': () =>
      busyAs('text/html; profile="application/problem+json"'),
    'a 421, since fetch may have sent it twice': () => problem(421, 'misdirected'),
    'problem details with another status': () =>
      json({ ...PROBLEM, status: 500 }, 400, { 'content-type': 'application/problem+json' }),
    'problem details with status 201': () =>
      json({ ...PROBLEM, status: 409 }, 201, { 'content-type': 'application/problem+json' }),
    'a 201 with an error status in its JSON': () => json({ ...SETTLED, status: 422 }, 201),
    'a redirect': () => new Response(null, { status: 308, headers: { location: '/' } }),
    'an empty 201': () => new Response('', { status: 201 }),
    'a 201 that is not JSON': () => new Response('created', { status: 201 }),
    'a 200 instead of the 201': () => json({ error: 'maintenance' }, 200),
    'a 202 instead of the 201': () => json({ error: 'maintenance' }, 202),
    'a connection that breaks during the response, whatever the error code': () =>
      Object.defineProperties(new Response('{', { status: 201 }), {
        body: { value: null },
        text: { value: () => Promise.reject(broken('ECONNREFUSED')) },
      }),
  }

  it.each(Object.entries(unknown))(
    'is never retried after %s: the outcome is unknown',
    async (_, respond) => {
      const { payments, sent } = service(respond)
      const result = await payments.transfers.create(TRANSFER).result()
      expect(result).toMatchObject({ ok: false, kind: 'outcome_unknown', status: undefined })
      expect(sent).toHaveLength(1)
    },
  )

  it('with an unknown outcome has the request for reconciliation but does not print it', async () => {
    const clock = testClock()
    const { payments } = service(() => broken('ECONNRESET'), { clock })
    const passed = { ...TRANSFER }
    const call = payments.transfers.create(passed)
    Object.assign(passed, { amount: '99.00' })
    const error = await call.catch((thrown) => thrown)
    expect(error).toBeInstanceOf(OutcomeUnknownError)
    expect(error.request).toEqual({
      method: 'POST',
      url: 'https://pay.example/mobile-bff/v1/pix/out/',
      input: TRANSFER,
      sentAt: new Date(clock.now()),
      requestId: undefined,
    })
    expect(error.cause).toMatchObject({ kind: 'connection' })
    expect(inspect(error) + JSON.stringify(error)).not.toContain('ini_1')
  })

  it('aborted by the caller is unknown once it was sent, else aborted', async () => {
    const controller = new AbortController()
    const { payments, sent } = service((request) => {
      controller.abort()
      return noResponse(request, false)
    })
    const { signal } = controller
    expect(await payments.transfers.create(TRANSFER, { signal }).result()).toMatchObject({
      kind: 'outcome_unknown',
      error: { cause: { kind: 'aborted' } },
    })
    expect(await payments.transfers.create(TRANSFER, { signal }).result()).toMatchObject({
      kind: 'aborted',
    })
    expect(sent).toHaveLength(1)
  })

  it('that times out is unknown', async () => {
    const clock = testClock()
    const { payments, sent } = service((request) => noResponse(request), { clock })
    const result = await clock.endOf(payments.transfers.create(TRANSFER).result())
    expect(result).toMatchObject({ kind: 'outcome_unknown', error: { cause: { kind: 'timeout' } } })
    expect(sent).toHaveLength(1)
  })
})
