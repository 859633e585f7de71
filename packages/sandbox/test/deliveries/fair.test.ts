import { beforeEach, describe, expect, it } from 'vitest'
import { claimDue } from '../../src/deliveries/claim.ts'
import { trackDeliveries } from '../../src/deliveries/in-progress.ts'
import type { App } from '../../src/index.ts'
import { settleDue } from '../../src/transfers/settle.ts'
import { BACKENDS, newState } from '../backends.ts'
import { type Ask, payment, signInCallers, times } from '../callers.ts'
import { openSandbox } from '../started.ts'

describe.each(BACKENDS)('deliveries that are due, on %s', (kind) => {
  let sandbox: App
  let one: Ask
  let other: Ask
  beforeEach(async () => {
    sandbox = await openSandbox(await newState(kind))
    // Nothing is claimed but by the test.
    await sandbox.worker.close()
    ;({ partner: one, other } = await signInCallers(sandbox))
  })

  const register = async (ask: Ask, url: string): Promise<string> => {
    const created = await ask('POST', '/partner/webhook', { body: { type: 'all', url } })
    return created.body.id
  }

  const emit = async (ask: Ask) => {
    expect((await ask(...payment())).status).toBe(201)

    let settled: number
    do {
      settled = await settleDue(sandbox.context)
    } while (settled > 0)
  }

  it.each([
    { origin: 'another origin', url: 'https://loja.example/pix' },
    { origin: 'the same origin', url: 'https://hooks.example/loja' },
  ])(
    'start in the first look for a partner with one, to $origin as 400 older ones',
    async ({ url }) => {
      for (const i of times(20)) await register(one, `https://hooks.example/${i}`)
      const id = await register(other, url)

      for (const _ of times(20)) await emit(one)
      await emit(other)

      const { claimed } = await claimDue(
        sandbox.context,
        trackDeliveries({ perOrigin: 4, total: 512 }),
      )
      expect(claimed.filter(({ webhook_id }) => webhook_id === id)).toHaveLength(1)
    },
  )

  it('follow a webhook to its new origin, although the old one has no capacity', async () => {
    const id = await register(one, 'https://hooks.example/pix')
    for (const _ of times(3)) await emit(one)
    const inProgress = trackDeliveries({ perOrigin: 1, total: 512 })
    const never = new Promise<never>(() => {})
    const { claimed } = await claimDue(sandbox.context, inProgress)
    for (const delivery of claimed) void inProgress.track(delivery, never, never)

    const url = 'https://loja.example/pix'
    await one('PATCH', `/partner/webhook/${id}`, { body: { type: 'all', status: 'active', url } })
    expect((await claimDue(sandbox.context, inProgress)).claimed).toMatchObject([{ url }])
  })

  it('of an earlier version, without a lane, start in the second look', async () => {
    await register(one, 'https://hooks.example/pix')
    for (const _ of times(3)) await emit(one)
    await sandbox.store.write((queries) => queries.run(`UPDATE deliveries SET lane = ''`))

    const inProgress = trackDeliveries({ perOrigin: 4, total: 512 })
    expect(await claimDue(sandbox.context, inProgress)).toEqual({ claimed: [], more: 3 })
    expect((await claimDue(sandbox.context, inProgress)).claimed).toHaveLength(3)
  })
})
