import { describe, expect, it } from 'vitest'
import type { Attempt, Middleware } from '../src/index.ts'
import { testClock } from './clock.ts'
import { json, problem, service, TRANSFER } from './service.ts'

const USERS = { user_id: 'u', users: [] }

describe('middleware', () => {
  it('is an onion around each attempt, the first one outermost', async () => {
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

  it('sees sign-ins too, and everything about an attempt', async () => {
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

  it('changes what is sent, with a copy', async () => {
    const add: Middleware = (attempt, next) =>
      next({ ...attempt, headers: { ...attempt.headers, 'x-trace': '1' } })
    const { payments, sent } = service(() => json(USERS), { middleware: [add] })
    await payments.users.list()
    expect(sent[0]?.headers['x-trace']).toBe('1')
  })

  it('may answer in place of the service', async () => {
    const cached: Middleware = async () => ({ response: json(USERS), data: USERS })
    const { payments, sent } = service(() => json({}), { auth: { token: () => 't' }, middleware: [cached] })
    expect(await payments.users.list()).toEqual(USERS)
    expect(sent).toHaveLength(0)
  })

  it('that fails before the request leaves fails the call, payment or not', async () => {
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

  it('that fails after a payment left makes its outcome unknown', async () => {
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

  it('that throws at once is a failure like any other', async () => {
    const bad: Middleware = () => {
      throw new Error('no')
    }
    const clock = testClock()
    const { payments } = service(() => json({}), { auth: { token: () => 't' }, middleware: [bad], clock })
    expect(await payments.users.list().result()).toMatchObject({ kind: 'config' })
    expect(clock.timers.size).toBe(0)
  })

  it('that never answers is ended by the deadline', async () => {
    const { payments } = service(() => json({}), {
      auth: { token: () => 't' },
      middleware: [() => new Promise(() => {})],
      attemptTimeout: 10,
      retries: 0,
    })
    expect(await payments.users.list().result()).toMatchObject({ kind: 'timeout' })
  })
})
