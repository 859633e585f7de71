import { IS_CAMPAIGN } from '@partner-payments/campaign'
import { createMock } from '@partner-payments/mock'
import { serve } from '@partner-payments/sandbox'
import { describe, expect, onTestFinished, test } from 'vitest'
import { check, type Result } from '../src/index.ts'
import { checkInProcess, inProcess } from './in-process-transport.ts'

const credentials = { clientKey: 'partner', clientSecret: 'secret' }
const other = { clientKey: 'other', clientSecret: 'secret' }

/** Our own services must follow every assumption of the contract too. */
describe('every rule', () => {
  test('passes or is not assessed on the sandbox', async () => {
    const sandbox = await serve({ port: 0, allowLoopback: true, limitsRates: false })
    onTestFinished(() => sandbox.close())
    const result = await check({
      url: sandbox.url,
      target: 'sandbox',
      credentials,
      other,
      // Other tests run at the same time.
      deliveryWithinMs: 20_000,
    })
    expect(result.findings).toEqual([])
    expect(notAssessed(result)).toEqual([
      'time-budget: no time limit was set for responses (--response-within)',
    ])
    expect(result.verdicts.filter(({ verdict }) => verdict === 'contradicted')).toEqual([])
    expect(result.coverage.operations.filter(({ successes }) => successes === 0)).toEqual([])
  })

  // Each of its examples is judged by its own tests.
  if (IS_CAMPAIGN)
    test('passes or is not assessed on the mock', async () => {
      const { fetch } = await createMock()
      const result = await checkInProcess(inProcess(fetch), { target: 'mock', credentials })
      expect(result.findings).toEqual([])
      expect(result.coverage.operations.filter(({ successes }) => successes === 0)).toEqual([])
    })
})

function notAssessed({ rules }: Result): string[] {
  return rules
    .filter(({ status }) => status === 'not-assessed')
    .map(({ rule, reason }) => `${rule}: ${reason}`)
}
