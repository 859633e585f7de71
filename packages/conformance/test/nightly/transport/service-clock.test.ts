import { serve } from '@partner-payments/sandbox'
import { expect, onTestFinished, test } from 'vitest'
import { check } from '../../../src/check.ts'

const DAY = 86_400
const credentials = { clientKey: 'partner', clientSecret: 'secret' }

test('uses the clock of a sandbox that was moved earlier', async () => {
  const sandbox = await serve({ port: 0, allowLoopback: true, limitsRates: false })
  onTestFinished(() => sandbox.close())
  const body = JSON.stringify({ advance_seconds: 60 * DAY })
  await sandbox.fetch(
    new Request(`${sandbox.url}/_sandbox/clock`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body,
    }),
  )
  const checked = (operations: readonly string[], ...only: readonly string[]) =>
    check({ url: sandbox.url, target: 'sandbox', credentials, only, operations })
  const timed = ['deliveries-signed', 'deliveries-secrets', 'refusals', 'charge-amounts']
  const charges = ['createTransfer', 'checkCode', 'createImmediateQrCode', 'createDueDateQrCode']
  // A rule about responses sends all requests of its operations.
  const results = [
    await checked([...charges, 'createWebhook', 'rotateWebhookSecret'], ...timed),
    await checked(['createTransfer'], 'invariants', 'example-accepted'),
  ]
  expect(results.flatMap(({ findings }) => findings)).toEqual([])
  const asked = [...timed, 'invariants', 'example-accepted']
  const passed = results.flatMap(({ rules }) => rules.filter(({ status }) => status === 'passed'))
  expect(asked.filter((id) => !passed.some(({ rule }) => rule === id))).toEqual([])
})
