import { describe, expect, it } from 'vitest'
import type { Attempt, AttemptResult, Middleware } from '../src/index.ts'
import { testClock } from './clock.ts'
import { json, problem, service, TRANSFER } from './service.ts'

const USERS = { user_id: 'u', users: [] }

describe('middleware', () => {
  it('wraps each attempt, the first middleware outermost', async () => {
    const seen: string[] = []
    const layer =
      (name: string): Middleware =>
      async (attempt, next) => {
        seen.push(`${name} ${attempt.operationId} ${attempt.number}`)
        const reply = await next(attempt)
        seen.push(`${name} ${reply.response.status}`)
        return reply
      }
    const { payments } = service((_, count) => (count === 1 ? problem(503, 'x') : json(USERS)), {
      auth: { token: () => 't' },
      middleware: [layer('outer'), layer('inner')],
    })
    await payments.users.list()
    expect(seen).toEqual([
      ...['outer listUsers 1', 'inner listUsers 1', 'inner 503', 'outer 503'],
      ...['outer listUsers 2', 'inner listUsers 2', 'inner 200', 'outer 200'],
    ])
  })

  it('receives sign-ins too, with all fields of an attempt', async () => {
    const seen: Attempt[] = []
    const look: Middleware = (attempt, next) => {
      seen.push(attempt)
      return next(attempt)
    }
    const body = { url: 'https://shop.example/hooks', type: 'all', status: 'inactive' } as const
    const { payments } = service(() => json({}), { middleware: [look] })
    await payments.webhooks.update('w', body)
    expect(seen.map(({ operationId }) => operationId)).toEqual(['signIn', 'updateWebhook'])
    const { signal, ...rest } = seen[1] as Attempt
    expect(signal).toBeInstanceOf(AbortSignal)
    expect(rest).toEqual({
      operationId: 'updateWebhook',
      effect: 'idempotent',
      method: 'PATCH',
      status: 200,
      takes: 'body',
      path: '/mobile-bff/v1/partner/webhook/{webhook_id}',
      url: 'https://pay.example/mobile-bff/v1/partner/webhook/w',
      headers: { authorization: 'Bearer token-1', 'content-type': 'application/json' },
      input: body,
      body: JSON.stringify(body),
      number: 1,
    })
  })

  it('changes the request by passing a copy', async () => {
    const add: Middleware = (attempt, next) =>
      next({ ...attempt, headers: { ...attempt.headers, 'x-trace': '1' } })
    const { payments, sent } = service(() => json(USERS), { middleware: [add] })
    await payments.users.list()
    expect(sent[0]?.headers['x-trace']).toBe('1')
  })

  it('may return a response without calling the service', async () => {
    const cached: Middleware = async () => ({ response: json(USERS), data: USERS })
    const { payments, sent } = service(() => json({}), { auth: { token: () => 't' }, middleware: [cached] })
    expect(await payments.users.list()).toEqual(USERS)
    expect(sent).toHaveLength(0)
  })

  it('fails the call if it throws before the request is sent, payment or not', async () => {
    const cause = new Error('no')
    const { payments, sent } = service(() => json({}), {
      auth: { token: () => 't' },
      middleware: [() => Promise.reject(cause)],
    })
    expect(await payments.transfers.create(TRANSFER).result()).toMatchObject({
      kind: 'config',
      error: { cause },
    })
    expect(sent).toHaveLength(0)
  })

  it('leaves the outcome unknown if it throws after a payment was sent', async () => {
    const late: Middleware = async (attempt, next) => {
      await next(attempt)
      throw new Error('no')
    }
    const { payments } = service(() => json({ id: 't' }, 201), {
      auth: { token: () => 't' },
      middleware: [late],
    })
    expect(await payments.transfers.create(TRANSFER).result()).toMatchObject({ kind: 'outcome_unknown' })
  })

  const others: [string, unknown][] = [
    ['nothing', undefined],
    ['no response', {}],
    ['the response itself', new Response()],
    ['a response without headers', { response: { status: 201 } }],
  ]
  describe.each(others)('that returns %s', (_, value) => {
    const other = value as AttemptResult
    it('leaves the outcome unknown if a payment was sent', async () => {
      const { payments } = service(() => json({ id: 't' }, 201), {
        auth: { token: () => 't' },
        middleware: [(attempt, next) => next(attempt).then(() => other)],
      })
      expect(await payments.transfers.create(TRANSFER).result()).toMatchObject({ kind: 'outcome_unknown' })
    })

    it('fails the call if nothing was sent', async () => {
      const { payments } = service(() => json({}), {
        auth: { token: () => 't' },
        middleware: [async () => other],
      })
      for (const call of [payments.transfers.create(TRANSFER), payments.users.list()])
        await expect(call).rejects.toThrow('a middleware returned no response')
    })
  })

  it('may throw synchronously', async () => {
    const bad: Middleware = () => {
      throw new Error('no')
    }
    const clock = testClock()
    const { payments } = service(() => json({}), { auth: { token: () => 't' }, middleware: [bad], clock })
    expect(await payments.users.list().result()).toMatchObject({ kind: 'config' })
    expect(clock.timers.size).toBe(0)
  })

  it('times out if it never returns', async () => {
    const { payments } = service(() => json({}), {
      auth: { token: () => 't' },
      middleware: [() => new Promise(() => {})],
      attemptTimeout: 10,
      retries: 0,
    })
    expect(await payments.users.list().result()).toMatchObject({ kind: 'timeout' })
  })
})
