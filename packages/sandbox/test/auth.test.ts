import { afterAll, describe, expect, test } from 'vitest'
import { createApp } from '../src/app.ts'
import { ACCESS_TOKEN_MS, accessTokenExpiration } from '../src/behaviour.ts'
import { USERS } from '../src/seed/data.ts'
import { basic, createAsker, signInCallers, summarize } from './callers.ts'
import { operations } from './contract.ts'

const sandbox = await createApp({ checksResponses: true, limitsRates: false })
afterAll(() => sandbox.close())
sandbox.clock.freeze()
const ask = createAsker(sandbox.service)
let callers = await signInCallers(sandbox)

const signIn = (authorization?: string) => ask('POST', '/auth/partner/token/', { authorization })
const users = (authorization?: string) => ask('GET', '/partner/user', { authorization })
const encoded = (text: string) => Buffer.from(text).toString('base64')

describe('signing in', () => {
  test.each(['Basic ', 'bAsIc ', 'BASIC   '])('takes credentials after "%s"', async (scheme) => {
    const { status, body } = await signIn(scheme + encoded('partner:secret'))
    expect(status).toBe(200)
    expect(body).toMatchObject({ type: 'Bearer', expiration: accessTokenExpiration() })
    expect(Buffer.from(body.access_token, 'base64url')).toHaveLength(32)
  })

  test.each([
    { credentials: 'none', authorization: undefined },
    { credentials: 'another scheme', authorization: `Bearer ${encoded('partner:secret')}` },
    { credentials: 'no space', authorization: `Basic${encoded('partner:secret')}` },
    {
      credentials: 'two of them',
      authorization: `Basic ${encoded('partner:secret')}, Basic ${encoded('partner:secret')}`,
    },
    { credentials: 'invalid base64', authorization: 'Basic partner:secret' },
    { credentials: 'no colon', authorization: `Basic ${encoded('partnersecret')}` },
    { credentials: 'no key', authorization: `Basic ${encoded(':secret')}` },
    { credentials: 'no secret', authorization: `Basic ${encoded('partner:')}` },
    { credentials: 'a wrong secret', authorization: basic('partner', 'Secret') },
    { credentials: 'the start of a secret', authorization: basic('partner', 'secre') },
    {
      credentials: 'the stored hash',
      authorization: basic('partner', 'K7gNU3sdo-OL0wNhqoVWhr3g6s1xYv72ol_pe_Unols'),
    },
    { credentials: 'an unknown key', authorization: basic('nobody', 'secret') },
    { credentials: 'a zero in the key', authorization: basic('partner\0', 'secret') },
    { credentials: 'a statement', authorization: basic("' OR 1=1 --", 'secret') },
  ])('refuses $credentials', async ({ authorization }) => {
    const { status, body, headers } = await signIn(authorization)
    expect(status).toBe(401)
    expect(body.code).toBe('invalid_credentials')
    expect(headers.get('www-authenticate')).toBe('Basic realm="partner"')
  })

  test('gets the same response for an unknown key as for a wrong secret', async () => {
    const unknown = await signIn(basic('nobody', 'x'))
    const wrong = await signIn(basic('partner', 'x'))
    const plain = ({ request_id: _, ...rest }: Record<string, unknown>) => rest
    expect(plain(unknown.body)).toEqual(plain(wrong.body))
  })

  test('issues new tokens each time, and earlier ones stay valid', async () => {
    const one = await signIn(basic('partner', 'secret'))
    const two = await signIn(basic('partner', 'secret'))
    const tokens = [one, two].flatMap(({ body }) => [body.access_token, body.refresh_token])
    expect(new Set(tokens).size).toBe(4)

    for (const { body } of [one, two])
      expect((await users(`Bearer ${body.access_token}`)).status).toBe(200)
  })
})

describe('an access token', () => {
  test('is accepted with another case of the scheme, and several spaces', async () => {
    const token = callers.tokens.partner.slice('Bearer '.length)
    for (const scheme of ['bearer', 'BEARER', 'Bearer  '])
      expect((await users(`${scheme} ${token}`)).status).toBe(200)
  })

  test.each([
    { credentials: 'nothing', headerOf: () => undefined },
    { credentials: 'no token', headerOf: () => 'Bearer ' },
    { credentials: 'Basic credentials', headerOf: () => basic('partner', 'secret') },
    { credentials: 'the token without its scheme', headerOf: (token: string) => token },
    { credentials: 'a token with padding', headerOf: (token: string) => `Bearer ${token}=` },
    {
      credentials: 'a token less a letter',
      headerOf: (token: string) => `Bearer ${token.slice(1)}`,
    },
    { credentials: 'two tokens', headerOf: (token: string) => `Bearer ${token}, Bearer ${token}` },
  ])('is missed in $credentials', async ({ headerOf }) => {
    const token = callers.tokens.partner.slice('Bearer '.length)
    const { status, body, headers } = await users(headerOf(token))
    expect(status).toBe(401)
    expect(body.code).toBe('invalid_token')
    expect(headers.get('www-authenticate')).toMatch(/^Bearer/)
  })

  test('is required by every operation except the sign-in, before any other check', async () => {
    for (const { id, method, path } of operations) {
      const filled = path.replace(/\{.*?\}/, 'x')
      const sent = method === 'GET' ? {} : { body: '{' }
      const { status, headers } = await ask(method, filled, sent)
      expect(status, id).toBe(401)
      expect(headers.get('www-authenticate'), id).toMatch(id === 'signIn' ? /^Basic/ : /^Bearer/)
    }
  })

  test('is not the refresh token', async () => {
    const { body } = await signIn(basic('partner', 'secret'))
    expect((await users(`Bearer ${body.refresh_token}`)).body.code).toBe('invalid_token')
  })
})

test('a token is valid until its expiration, by the clock of the sandbox', async () => {
  const { body } = await signIn(basic('partner', 'secret'))
  const bearer = `Bearer ${body.access_token}`
  const end = sandbox.clock.now() + ACCESS_TOKEN_MS
  sandbox.clock.moveTo(end - 1000)
  expect((await users(bearer)).status).toBe(200)

  sandbox.clock.moveTo(end)
  expect((await users(bearer)).status).toBe(401)

  // Signing in again deletes expired tokens only.
  const { body: next } = await signIn(basic('partner', 'secret'))
  sandbox.clock.moveTo(end + 1)
  expect((await users(bearer)).status).toBe(401)
  expect((await users(`Bearer ${next.access_token}`)).status).toBe(200)

  callers = await signInCallers(sandbox)
})

describe('impersonation', () => {
  const [user, theirs] = USERS
  const pair = { user_id: user.id, customer_id: user.customer.id }
  const impersonate = (body: object) =>
    callers.partner('POST', '/auth/partner/impersonate/', { body })

  test('issues a token that pays from the account of the customer', async () => {
    const { body } = await impersonate(pair)
    const customer = createAsker(sandbox.service, `Bearer ${body.access_token}`)

    const dict_key = 'beltrana@example.com'
    const check = await customer('POST', '/pix/dict/check/', { body: { dict_key } })
    const { initiation_id } = check.body

    const transfer = { type: 'dict', amount: '1.00', dict_key, initiation_id }
    const { body: paid } = await customer('POST', '/pix/out/', { body: transfer })
    expect(paid.data.account_id).toBe(user.customer.account_id)
    expect(paid.data.payer.name).toBe('Fulano de Tal')
  })

  test('is only for partner tokens, like users and webhooks', async () => {
    const refusing = operations.filter(({ tokens }) => tokens.join() === 'partner')
    const tags = new Set(refusing.map(({ tag }) => tag))
    expect([...tags]).toEqual(expect.arrayContaining(['auth', 'users', 'webhooks']))

    for (const { id, method, path } of refusing) {
      const filled = path.replace(/\{.*?\}/, user.id)
      const sent = method === 'GET' ? {} : { body: pair }
      const response = await callers.customer(method, filled, sent)
      expect(summarize(response), id).toBe('403 wrong_token_kind')
    }
  })

  test.each([
    { ids: 'a customer of another user', body: { ...pair, user_id: theirs.id } },
    {
      ids: 'a customer of another partner',
      body: { user_id: theirs.id, customer_id: theirs.customer.id },
    },
    { ids: 'a user id as customer_id', body: { user_id: user.id, customer_id: user.id } },
    { ids: 'the two ids swapped', body: { user_id: user.customer.id, customer_id: user.id } },
  ])('responds with 404 to $ids', async ({ body }) => {
    expect(summarize(await impersonate(body))).toBe('404 not_found')
  })

  test.each(['users', 'customers'])('does not find inactive %s', async (table) => {
    const set = (status: string) =>
      sandbox.store.write((queries) => queries.run(`UPDATE ${table} SET status = ?`, [status]))

    await set('inactive')
    expect((await impersonate(pair)).body.code).toBe('not_found')

    await set('active')
    expect((await impersonate(pair)).status).toBe(200)
  })
})
