import { inspect } from 'node:util'
import { describe, expect, it } from 'vitest'
import type { TokenRequest } from '../src/index.ts'
import { testClock } from './clock.ts'
import {
  CUSTOMER,
  inTurn,
  json,
  problem,
  SETTLED,
  service,
  TOKEN,
  TRANSFER,
  tokenSet,
  USERS,
} from './service.ts'

describe('tokens', () => {
  it('signs in when the first call needs it, with Basic of RFC 7617 in UTF-8', async () => {
    const auth = { clientKey: 'chave', clientSecret: 'ção' }
    const { payments, tokens, sent } = service(() => json(USERS), { auth })
    expect(tokens).toHaveLength(0)
    await payments.users.list()
    const basic = Buffer.from('chave:ção').toString('base64')
    expect(tokens[0]?.headers.authorization).toBe(`Basic ${basic}`)
    expect(sent[0]?.headers.authorization).toBe('Bearer token-1')
  })

  it('signs in once, however many calls wait', async () => {
    const { payments, tokens, sent } = service(() => json(USERS))
    await Promise.all(Array.from({ length: 50 }, () => payments.users.list()))
    expect([tokens.length, sent.length]).toEqual([1, 50])
  })

  it('may come from a method of a class, which has its `this`', async () => {
    class Session {
      readonly #token = 'of-the-session'
      token() {
        return this.#token
      }
    }
    const { payments, sent } = service(() => json(USERS), { auth: new Session() })
    await payments.users.list()
    expect(sent[0]?.headers.authorization).toBe('Bearer of-the-session')
  })

  let supplied = 0
  it.each([
    {
      title: 'renews a refused token once for all refused calls, by a new sign-in',
      options: {},
      first: 'token-1',
      second: 'token-2',
    },
    {
      title: 'renews a refused token once for all refused calls, by its supplier',
      options: { auth: { token: () => `mine-${++supplied}` } },
      first: 'mine-1',
      second: 'mine-2',
    },
  ])('$title', async ({ options, first, second }) => {
    const { payments, sent } = service(
      ({ headers }) =>
        headers.authorization === `Bearer ${first}` ? problem(401, 'invalid_token') : json(USERS),
      options,
    )
    await Promise.all(Array.from({ length: 20 }, () => payments.users.list()))
    const used = sent.map(({ headers }) => headers.authorization)
    expect(used).toEqual([
      ...Array(20).fill(`Bearer ${first}`),
      ...Array(20).fill(`Bearer ${second}`),
    ])
  })

  it('passes the refused token to the supplier, and nothing when none was', async () => {
    const clock = testClock()
    const asked: (string | undefined)[] = []
    const token = ({ refused }: TokenRequest) => {
      asked.push(refused)
      return { access_token: `shared-${asked.length}`, expiration: 100 }
    }
    const { payments } = service(
      ({ headers }) =>
        headers.authorization === 'Bearer shared-1' ? problem(401, 'invalid_token') : json(USERS),
      { auth: { token }, clock },
    )
    await payments.users.list()
    // The second token expires, and is not refused.
    await clock.advance(91_000)
    await payments.users.list()
    expect(asked).toEqual([undefined, 'shared-1', undefined])
  })

  it('passes the refused token again if the supplier failed', async () => {
    const asked: (string | undefined)[] = []
    const token = ({ refused }: TokenRequest) => {
      asked.push(refused)
      if (asked.length === 2) throw new Error('the store is down')
      return `t${asked.length}`
    }
    const { payments } = service(
      ({ headers }) =>
        headers.authorization === 'Bearer t1' ? problem(401, 'invalid_token') : json(USERS),
      { auth: { token } },
    )
    expect(await payments.users.list().result()).toMatchObject({ kind: 'config' })
    await payments.users.list()
    expect(asked).toEqual([undefined, 't1', 't1'])
  })

  it('sends twice, and no more, if the supplier returns the refused token again', async () => {
    const { payments, sent } = service(() => problem(401, 'invalid_token'), { auth: TOKEN })
    expect(await payments.transfers.create(TRANSFER).result()).toMatchObject({ status: 401 })
    expect(sent).toHaveLength(2)
  })

  it('asks the supplier again if its token was refused meanwhile', async () => {
    const clock = testClock()
    const asked: (string | undefined)[] = []
    let supply = (_: string) => {}
    const token = ({ refused }: TokenRequest) => {
      asked.push(refused)
      if (asked.length === 1) return { access_token: 'a', expiration: 100 }
      if (asked.length === 3) return 'b'
      return new Promise<string>((resolve) => (supply = resolve))
    }
    let refuse = () => {}
    const { payments } = service(
      async ({ headers }, count) => {
        if (headers.authorization !== 'Bearer a') return json(USERS)
        if (count === 1) await new Promise<void>((resolve) => (refuse = resolve))
        return problem(401, 'invalid_token')
      },
      { clock, timeout: 1e6, attemptTimeout: 1e6, auth: { token } },
    )
    const early = payments.users.list()
    await expect.poll(() => asked).toHaveLength(1)
    await clock.advance(91_000)
    const late = payments.users.list()
    await expect.poll(() => asked).toHaveLength(2)
    refuse()
    await clock.advance(1)
    supply('a')
    await Promise.all([early, late])
    expect(asked).toEqual([undefined, undefined, 'a'])
  })

  it('keeps a newer token if an older one is refused late', async () => {
    let late: (() => void) | undefined
    const { payments, tokens } = service(async ({ headers }, count) => {
      if (count === 1) await new Promise<void>((resolve) => (late = resolve))
      return headers.authorization === 'Bearer token-1'
        ? problem(401, 'invalid_token')
        : json(USERS)
    })
    const slow = payments.users.list()
    await expect.poll(() => late).toBeDefined()
    await payments.users.list()
    late?.()
    await slow
    expect(tokens).toHaveLength(2)
  })

  it('fails an operation that refuses a fresh token, and keeps the token for others', async () => {
    const { payments, tokens, sent } = service(() => problem(401, 'invalid_token'))
    const first = await payments.users.list().result()
    expect(first).toMatchObject({ ok: false, kind: 'http', status: 401 })
    expect([tokens.length, sent.length]).toEqual([2, 2])
    await payments.users.list().result()
    expect(sent[2]?.headers.authorization).toBe('Bearer token-2')
  })

  it('sends a payment again after a 401, since it was refused', async () => {
    const { payments, sent } = service((_, count) =>
      count === 1 ? new Response('', { status: 401 }) : json(SETTLED, 201),
    )
    await payments.transfers.create(TRANSFER)
    expect(sent).toHaveLength(2)
  })

  it('renews after nine tenths of the lifetime, and not before', async () => {
    const clock = testClock()
    const { payments, tokens } = service(() => json(USERS), { clock })
    await payments.users.list()
    await clock.advance(3_239_000)
    await payments.users.list()
    expect(tokens).toHaveLength(1)
    await clock.advance(2000)
    await payments.users.list()
    expect(tokens).toHaveLength(2)
  })

  it.each(['soon', null])(
    'keeps a token with the lifetime %j until it is refused',
    async (expiration) => {
      const clock = testClock()
      let obtained = 0
      const token = () => ({ access_token: `${++obtained}`, expiration }) as never
      const { payments } = service(() => json(USERS), { clock, auth: { token } })
      await payments.users.list()
      await clock.advance(1e9)
      await payments.users.list()
      expect(obtained).toBe(1)
    },
  )

  it('a failed sign-in fails the waiting calls, and the next call tries again', async () => {
    const signIn = inTurn(problem(401, 'invalid_credentials'), json(tokenSet('t')))
    const { payments } = service(() => json(USERS), {}, signIn)
    const results = await Promise.all([
      payments.users.list().result(),
      payments.users.list().result(),
    ])
    const failed = {
      kind: 'http',
      status: undefined,
      error: { operationId: 'signIn', status: 401 },
    }
    expect(results).toMatchObject([failed, failed])
    await payments.users.list()
  })

  it('a sign-in without a token is a failure, not a Bearer undefined', async () => {
    const { payments } = service(
      () => json(USERS),
      {},
      () => json({ expiration: 3600 }),
    )
    const failed = { kind: 'decode', error: { operationId: 'signIn' } }
    expect(await payments.users.list().result()).toMatchObject(failed)
  })

  it('an aborted call does not cancel the sign-in of others', async () => {
    let resolveSignIn: ((response: Response) => void) | undefined
    const signIn = () => new Promise<Response>((resolve) => (resolveSignIn = resolve))
    const { payments } = service(() => json(USERS), {}, signIn)
    const controller = new AbortController()
    const left = payments.users.list({ signal: controller.signal }).result()
    const stays = payments.users.list().result()
    await expect.poll(() => resolveSignIn).toBeDefined()
    controller.abort(new Error('gone'))
    expect(await left).toMatchObject({ kind: 'aborted' })
    resolveSignIn?.(json(tokenSet('t')))
    expect(await stays).toMatchObject({ ok: true })
  })
})

describe('acting for a customer', () => {
  it('impersonates with the partner token, once for equal ids', async () => {
    const { payments, tokens, sent } = service(() => json(USERS))
    await Promise.all([
      payments.as(CUSTOMER).users.list(),
      payments.as({ ...CUSTOMER }).users.list(),
    ])
    expect(tokens).toMatchObject([
      {
        path: expect.stringMatching(/\/token\/$/),
        headers: { authorization: `Basic ${btoa('key:secret')}` },
        body: undefined,
      },
      {
        path: expect.stringMatching(/\/impersonate\/$/),
        headers: { authorization: 'Bearer token-1' },
        body: CUSTOMER,
      },
    ])
    expect(sent.map(({ headers }) => headers.authorization)).toEqual([
      'Bearer token-2',
      'Bearer token-2',
    ])
  })

  it('separates the tokens of customers and of the partner', async () => {
    const { payments, sent } = service(() => json(USERS))
    await payments.users.list()
    await payments.as(CUSTOMER).users.list()
    await payments.as({ ...CUSTOMER, user_id: 'other' }).users.list()
    await payments.as({ ...CUSTOMER, customer_id: 'other' }).users.list()
    await payments.users.list()
    expect(sent.map(({ headers }) => headers.authorization)).toEqual([
      'Bearer token-1',
      'Bearer token-2',
      'Bearer token-3',
      'Bearer token-4',
      'Bearer token-1',
    ])
  })

  it('renews an impersonated token without a new sign-in', async () => {
    const { payments, tokens } = service(({ headers }) =>
      headers.authorization === 'Bearer token-2' ? problem(401, 'invalid_token') : json(USERS),
    )
    await payments.as(CUSTOMER).users.list()
    expect(tokens.map(({ path }) => path.split('/').at(-2))).toEqual([
      'token',
      'impersonate',
      'impersonate',
    ])
  })

  it('drops the least recently used customer beyond a thousand', async () => {
    const { payments, tokens } = service(() => json(USERS))
    const act = (user: number) => payments.as({ ...CUSTOMER, user_id: `${user}` }).users.list()
    for (let user = 0; user < 1001; user++) await act(user)
    const before = tokens.length
    await act(1000)
    await act(1)
    expect(tokens).toHaveLength(before)
    await act(0)
    expect(tokens).toHaveLength(before + 1)
    await act(1)
    expect(tokens).toHaveLength(before + 1)
  })
})

describe('auth', () => {
  it('accepts a supplier of a token or a token set', async () => {
    for (const given of ['mine', tokenSet('mine')]) {
      const { payments, sent } = service(() => json(USERS), { auth: { token: async () => given } })
      await payments.users.list()
      expect(sent[0]?.headers.authorization).toBe('Bearer mine')
    }
  })

  it.each([undefined, '', {}, 42, 'sec\nret'])(
    'refuses a supplier that returns %j',
    async (given) => {
      const { payments, sent } = service(() => json(USERS), {
        auth: { token: () => given as string },
      })
      const error = await payments.users.list().catch((thrown) => thrown)
      expect([error.kind, sent]).toEqual(['config', []])
      expect(inspect(error)).not.toContain('sec')
    },
  )

  it('reports a failed supplier with its error as the cause', async () => {
    const cause = new Error('no session')
    const auth = { token: () => Promise.reject(cause) }
    const { payments } = service(() => json(USERS), { auth })
    expect(await payments.users.list().result()).toMatchObject({ kind: 'config', error: { cause } })
  })

  it('signIn uses the credentials, not a token', async () => {
    const { payments, tokens } = service(() => json(USERS))
    expect((await payments.auth.signIn()).access_token).toBe('token-1')
    expect((await payments.as(CUSTOMER).auth.signIn()).access_token).toBe('token-2')
    expect(tokens.map(({ headers }) => headers.authorization)).toEqual(
      Array(2).fill(`Basic ${btoa('key:secret')}`),
    )
  })

  it('refuses to sign in without credentials', async () => {
    const { payments } = service(() => json(USERS), { auth: TOKEN })
    expect(await payments.auth.signIn().result()).toMatchObject({ kind: 'config' })
  })
})
