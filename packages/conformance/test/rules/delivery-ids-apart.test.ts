import { expect, test } from 'vitest'
import { found, HELD } from './held.ts'
import { runOf } from './relayed.ts'

const run = runOf('delivery-ids-apart')

test.concurrent('holds on the right service', async () => {
  expect(await run()).toEqual(HELD)
})

test.concurrent('finds one id for all events', async () => {
  expect(await run('one-id-for-all-events')).toEqual(found('deviation delivery-ids-apart createWebhook'))
})
