import { afterAll, beforeEach, describe, expect, test } from 'vitest'
import { KINDS, openBackends } from '../state/backends.ts'
import { call, partnerToken, tally, times } from '../state/payers.ts'
import { type Started, start } from './start.ts'

const backends = openBackends()
afterAll(() => backends.remove())

describe.each(KINDS)('GET /_sandbox/reconcile of a state in %s', (kind) => {
  let sandbox: Started
  beforeEach(async () => {
    sandbox = await start({ ...(await backends.emptyState(kind)), limitsRates: false, settleAfterMs: 0 })
    return () => sandbox.close()
  })

  const findings = async () =>
    (await sandbox.control<{ findings: string[] }>('GET', '/reconcile')).body.findings

  test('it reports only what does not add up', async () => {
    expect(await findings()).toEqual([])
    await sandbox.app.store.write((queries) =>
      queries.run(`UPDATE accounts SET balance = balance + 1 WHERE id = 'outside/world'`),
    )
    expect(await findings()).toEqual(['a balance is not the sum of its entries: outside/world'])
  })

  test('it reports no false finding while payments settle', async () => {
    const token = await partnerToken(sandbox.app)
    const paying = times(100).map(async () => {
      const check = ['POST', '/pix/dict/check/', { dict_key: 'beltrana@example.com' }] as const
      const { initiation_id } = (await call(sandbox.app.service, token, check)).body
      const body = { type: 'dict', dict_key: 'beltrana@example.com', initiation_id, amount: '1.00' }
      return call(sandbox.app.service, token, ['POST', '/pix/out/', body])
    })
    const found = Promise.all(times(3).map(findings))
    expect(tally(await Promise.all(paying))).toEqual({ 201: 100 })
    expect((await found).flat()).toEqual([])
  })
})
