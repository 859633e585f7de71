import { expect, test } from 'vitest'
import { found, HELD } from './held.ts'
import { runOf } from './relayed.ts'

const run = runOf('delivery-timestamp-bound')

test('holds on the right service', async () => {
  expect(await run()).toEqual(HELD)
})

test('finds a signature that does not hold the timestamp', async () => {
  expect(await run('timestamp-not-signed')).toEqual(found('discovery delivery-timestamp-bound createWebhook'))
})
