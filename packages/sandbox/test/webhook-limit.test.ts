import { afterAll, afterEach, expect, it } from 'vitest'
import { createSandbox, type Sandbox, type SandboxOptions } from '../src/index.ts'
import { openBackends } from './state/backends.ts'
import { call, partnerToken, tally, times } from './state/payers.ts'

const KINDS = ['sqlite, in memory', 'postgres'] as const

const backends = openBackends()
afterAll(() => backends.remove())

let sandbox: Sandbox
afterEach(() => sandbox.close())

/** Starts a sandbox, and returns a function that sends a request of its partner. */
async function start(options: SandboxOptions) {
  sandbox = await createSandbox(options)
  const token = await partnerToken(sandbox)
  return (...request: Parameters<typeof call>[2]) => call(sandbox.service, token, request)
}

const CREATION = ['POST', '/partner/webhook', { type: 'all', url: 'https://loja.example/pix' }] as const

it.each(KINDS)('refuses the webhook after the limit on %s, until one is deleted', async (kind) => {
  const ask = await start({ ...(await backends.emptyState(kind)), maxWebhooks: 2 })
  const { id = '' } = (await ask(...CREATION)).body
  expect((await ask(...CREATION)).status).toBe(201)
  const inactive = { type: 'all', url: 'https://loja.example/pix', status: 'inactive' }
  expect((await ask('PATCH', `/partner/webhook/${id}`, inactive)).status).toBe(200)
  const { status, body } = await ask(...CREATION)
  expect([status, body]).toMatchObject([
    409,
    { code: 'too_many_webhooks', detail: expect.stringContaining('2') },
  ])
  expect((await ask('DELETE', `/partner/webhook/${id}`)).status).toBe(204)
  expect((await ask(...CREATION)).status).toBe(201)
})

it.each(KINDS)('creates no more than the limit, of many creations at the same time on %s', async (kind) => {
  const ask = await start({ ...(await backends.emptyState(kind)), maxWebhooks: 5 })
  expect(tally(await Promise.all(times(20).map(() => ask(...CREATION))))).toEqual({ 201: 5, 409: 15 })
})

it('has a limit of 100 by default, for each partner', async () => {
  const ask = await start({})
  for (const _ of times(100)) expect((await ask(...CREATION)).status).toBe(201)
  expect((await ask(...CREATION)).status).toBe(409)
})
