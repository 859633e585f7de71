import { expect, test } from 'vitest'
import { accepts, refuses } from './broken.ts'
import { CHARGES, found, HELD, runOf, UNJUDGED, WEBHOOKS } from './held.ts'

const run = runOf('delete-again-refused', { operations: [...WEBHOOKS, ...CHARGES] })

test('holds on the right service', async () => {
  expect(await run()).toEqual(HELD)
})

test('finds a second deletion that succeeds', async () => {
  const fault = accepts('deleteWebhook', () => true, 204)
  expect(await run(fault)).toEqual(found('deviation delete-again-refused deleteWebhook'))
})

test('is not judged where the deletion is refused', async () => {
  expect(await run(refuses('deleteWebhook'))).toEqual(UNJUDGED)
})
