import { expect, test } from 'vitest'
import { accepts } from './broken.ts'
import { found, HELD, runOf, WEBHOOKS } from './held.ts'

const run = runOf('gone-after-deletion', { operations: WEBHOOKS })

test('holds on the right service', async () => {
  expect(await run()).toEqual(HELD)
})

test('finds a record that can still be read', async () => {
  const fault = accepts('getWebhook')
  expect(await run(fault)).toEqual(found('failure gone-after-deletion getWebhook'))
})
