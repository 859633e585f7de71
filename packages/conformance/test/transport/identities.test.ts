import contractDocument from '@partner-payments/spec/openapi.json' with { type: 'json' }
import { expect, test, vi } from 'vitest'
import { readContract } from '../../src/model/contract.ts'
import { CannotRun, NoToken, NotSent } from '../../src/model/errors.ts'
import type { HttpResponse } from '../../src/model/http.ts'
import type { Guard } from '../../src/transport/guard.ts'
import { createIdentities } from '../../src/transport/identities.ts'
import { createMask } from '../../src/transport/mask.ts'
import type { Transport } from '../../src/transport/transport.ts'

const contract = readContract(contractDocument)

const TOKEN = 'http://127.0.0.1/mobile-bff/v1/auth/partner/token/'

const json = (status: number, body: unknown): HttpResponse => ({
  status,
  headers: { 'content-type': 'application/json' },
  text: JSON.stringify(body),
  ms: 0,
})
const token = (name: string, expiration = 300) => json(200, { access_token: name, expiration })

type Means = Pick<Transport, 'send'> & { readonly guard?: Guard; readonly signal?: AbortSignal }

function identitiesOf({ send, ...means }: Means) {
  return createIdentities({
    contract,
    base: new URL('http://127.0.0.1'),
    transport: { send, close: async () => {} },
    mask: createMask(),
    partner: { clientKey: 'partner', clientSecret: 'secret' },
    other: undefined,
    observe: () => {},
    ...means,
  })
}

/** Signs in to a service with these responses; the last one is repeated. */
function signingIn(...responses: HttpResponse[]) {
  let sent = 0
  const send = async () => responses[Math.min(sent++, responses.length - 1)] ?? token('t')
  const identities = identitiesOf({ send })
  return {
    header: () => identities.headerOf('partner', undefined),
    renewed: (refused: string) => identities.renewedHeader('partner', refused),
    sent: () => sent,
  }
}

test('signs in again if the service failed', async () => {
  const { header, sent } = signingIn(json(503, {}), token('second'))
  expect(await header()).toBe('Bearer second')
  expect(sent()).toBe(2)
})

test('does not cache a failed sign-in, and tries again for the next token', async () => {
  const { header } = signingIn(json(503, {}), json(503, {}), token('later'))
  await expect(header()).rejects.toThrow(CannotRun)
  expect(await header()).toBe('Bearer later')
})

test.each([30, 10, 1])('a token of %i seconds is used for more than one request', async (seconds) => {
  const { header, sent } = signingIn(token('short', seconds))
  for (let i = 0; i < 10; i++) await header()
  expect(sent()).toBe(1)
})

test('the first request renews an expired token for all', async () => {
  vi.useFakeTimers({ toFake: ['Date'] })
  const { header, sent } = signingIn(token('first', 60), token('second', 60))
  await header()
  vi.setSystemTime(Date.now() + 50_000)
  const headers = await Promise.all(Array.from({ length: 8 }, header))
  vi.useRealTimers()
  expect(new Set(headers)).toEqual(new Set(['Bearer second']))
  expect(sent()).toBe(2)
})

test('signs in once for concurrent refused requests', async () => {
  const { header, renewed, sent } = signingIn(token('first'), token('second'), token('third'))
  const refused = String(await header())
  const headers = await Promise.all(Array.from({ length: 8 }, () => renewed(refused)))
  expect(new Set(headers)).toEqual(new Set(['Bearer second']))
  expect(sent()).toBe(2)
})

test('reports that the service is not an API if the sign-in returns a page', async () => {
  const page = (status: number): HttpResponse => ({
    status,
    headers: { 'content-type': 'text/html; charset=utf-8' },
    text: '<!doctype html><p>Welcome</p>',
    ms: 0,
  })
  for (const status of [200, 404]) {
    const refused = await signingIn(page(status))
      .header()
      .catch((error) => error)
    expect(refused).not.toBeInstanceOf(NoToken)
    expect(refused.message).toBe(
      `this does not look like the API of the contract: the sign-in returned ${status} with text/html from ${TOKEN}; is it the base URL?`,
    )
  }
})

test('reports a redirect, and does not follow it with a secret', async () => {
  const moved: HttpResponse = {
    status: 302,
    headers: { location: 'https://login.example/in?next=1' },
    text: '',
    ms: 0,
  }
  await expect(signingIn(moved).header()).rejects.toThrow(
    `the sign-in as "partner" returned 302 from ${TOKEN}, a redirect to https://login.example/in; give that base URL`,
  )
})

test('applies the guard to a sign-in until the cleanup begins', async () => {
  const refusing = () => {
    throw new NotSent('no')
  }
  const signal = new AbortController()
  const identities = identitiesOf({ send: async () => token('t'), guard: refusing, signal: signal.signal })
  await expect(identities.headerOf('partner', undefined)).rejects.toThrow(NotSent)
  signal.abort()
  expect(await identities.headerOf('partner', undefined)).toBe('Bearer t')
})
