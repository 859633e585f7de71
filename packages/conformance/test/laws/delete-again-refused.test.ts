import { expect, test } from 'vitest'
import { accepts } from './broken.ts'
import { found, HELD, runOf, WEBHOOKS } from './held.ts'

const run = runOf('delete-again-refused', { operations: WEBHOOKS })

test('holds on the right service', async () => {
  expect(await run()).toEqual(HELD)
})

test('finds a second deletion that succeeds', async () => {
  const fault = accepts('deleteWebhook', () => true, 204)
  expect(await run(fault)).toEqual(found('discovery delete-again-refused deleteWebhook'))
})
