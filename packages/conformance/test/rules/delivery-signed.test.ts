import { expect, test } from 'vitest'
import { found, HELD } from './held.ts'
import { runOf } from './relayed.ts'

const run = runOf('delivery-signed')

test.concurrent('holds on the right service', async () => {
  expect(await run()).toEqual(HELD)
})

test.concurrent('finds a delivery that another secret has signed', async () => {
  expect(await run('signed-with-another-secret')).toEqual(found('deviation delivery-signed createWebhook'))
})
