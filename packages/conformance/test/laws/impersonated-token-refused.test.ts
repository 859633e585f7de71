import { expect, test } from 'vitest'
import { mistakes } from './broken.ts'
import { found, HELD, runOf } from './held.ts'

const run = runOf('impersonated-token-refused', { operations: ['createWebhook'] })

test('holds on the right service', async () => {
  expect(await run()).toEqual(HELD)
})

test("finds a customer who does the partner's business", async () => {
  const fault = mistakes('createWebhook')
  expect(await run(fault)).toEqual(found('discovery impersonated-token-refused createWebhook'))
})
