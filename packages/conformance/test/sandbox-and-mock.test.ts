import { serve as serveMock } from '@partner-payments/mock'
import { serve } from '@partner-payments/sandbox'
import { afterAll, describe, expect, test } from 'vitest'
import { check, type Result } from '../src/index.ts'

/** What listens, and is closed in the end. */
const started: { close(): Promise<void> }[] = []
afterAll(async () => {
  for (const it of started) await it.close()
})

const credentials = { clientKey: 'partner', clientSecret: 'secret' }
const other = { clientKey: 'other', clientSecret: 'secret' }

/** Our own services are held to every answer of the contract too. */
describe('every rule', { timeout: 120_000 }, () => {
  test('passes or is not assessed on the sandbox', async () => {
    const sandbox = await serve({ port: 0, allowLoopback: true, limitsRates: false })
    started.push(sandbox)
    const result = await check({
      url: sandbox.url,
      target: 'sandbox',
      credentials,
      other,
      // Other tests run beside this one.
      deliveryWithinMs: 20_000,
    })
    expect(result.findings).toEqual([])
    expect(notAssessed(result)).toEqual([
      'time-budget: no time limit was set for responses (--response-within)',
    ])
    expect(result.verdicts.filter(({ verdict }) => verdict === 'contradicted')).toEqual([])
    expect(result.coverage.operations.filter(({ successes }) => successes === 0)).toEqual([])
  })

  test('passes or is not assessed on the mock', async () => {
    const mock = await serveMock({ port: 0 })
    started.push(mock)
    const result = await check({ url: mock.url, target: 'mock', credentials })
    expect(result.findings).toEqual([])
    expect(result.coverage.operations.filter(({ successes }) => successes === 0)).toEqual([])
  })
})

function notAssessed({ rules }: Result): string[] {
  return rules
    .filter(({ status }) => status === 'not-assessed')
    .map(({ rule, reason }) => `${rule}: ${reason}`)
}
