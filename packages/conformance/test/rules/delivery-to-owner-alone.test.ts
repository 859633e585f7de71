import { expect, test } from 'vitest'
import { found, HELD } from './held.ts'
import { runOf } from './relayed.ts'

const run = runOf('delivery-to-owner-alone')

test.concurrent('holds on the right service', async () => {
  expect(await run()).toEqual(HELD)
})

test.concurrent('finds an event that another partner gets', async () => {
  expect(await run('told-to-another-partner')).toEqual(found('failure delivery-to-owner-alone createWebhook'))
})
