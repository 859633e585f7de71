import { expect, it } from 'vitest'
import type { AppOptions } from '../src/app.ts'
import { BACKENDS, newState } from './backends.ts'
import { signInPartner, tally, times } from './callers.ts'
import { openSandbox } from './started.ts'

const HOOK = { body: { type: 'all', url: 'https://loja.example/pix', status: 'inactive' } }

async function start(options: AppOptions) {
  const ask = await signInPartner(await openSandbox(options))
  return { ask, create: () => ask('POST', '/partner/webhook', HOOK) }
}

it.each(BACKENDS)(
  'keeps the limit on %s, also at once, until a webhook is deleted',
  async (kind) => {
    const { ask, create } = await start({ ...(await newState(kind)), maxWebhooks: 5 })
    const created = await Promise.all(times(20).map(create))
    expect(tally(created)).toEqual({ 201: 5, 409: 15 })

    const id = created.find(({ status }) => status === 201)?.body.id
    expect((await ask('PATCH', `/partner/webhook/${id}`, HOOK)).status).toBe(200)

    const { body } = await create()
    expect(body).toMatchObject({ code: 'too_many_webhooks', detail: expect.stringContaining('5') })
    expect((await ask('DELETE', `/partner/webhook/${id}`)).status).toBe(204)
    expect((await create()).status).toBe(201)
  },
)

it('has a limit of 100 by default', async () => {
  const { create } = await start({})
  expect(tally(await Promise.all(times(101).map(create)))).toEqual({ 201: 100, 409: 1 })
})
