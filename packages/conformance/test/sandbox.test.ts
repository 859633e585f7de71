import { serve } from '@partner-payments/sandbox'
import { expect, it, onTestFinished } from 'vitest'
import { check, type Result } from '../src/index.ts'

const credentials = { clientKey: 'partner', clientSecret: 'secret' }
const other = { clientKey: 'other', clientSecret: 'secret' }

// Our own services must follow every assumption of the contract too.
it('passes every rule on the sandbox, or does not assess it', async () => {
  const sandbox = await serve({ port: 0, allowLoopback: true, limitsRates: false })
  onTestFinished(() => sandbox.close())
  const result = await check({
    url: sandbox.url,
    target: 'sandbox',
    credentials,
    other,
    timeMs: 300,
    // Other tests run at the same time.
    deliveryWithinMs: 20_000,
  })
  expect(result.findings).toEqual([])
  expect(result.interrupted).toBeUndefined()
  expect(notAssessed(result)).toEqual([
    'time-budget: no time limit was set for responses (--response-within)',
  ])
  expect(result.verdicts.filter(({ verdict }) => verdict === 'contradicted')).toEqual([])
  expect(result.coverage.operations.filter(({ successes }) => successes === 0)).toEqual([])
})

function notAssessed({ rules }: Result): string[] {
  return rules
    .filter(({ status }) => status === 'not-assessed')
    .map(({ rule, reason }) => `${rule}: ${reason}`)
}
