import { expect, test } from 'vitest'
import { found, HELD } from './held.ts'
import { runOf } from './relayed.ts'

const run = runOf('delivery-retried')

test('holds on the right service', async () => {
  expect(await run()).toEqual(HELD)
})

test('finds a delivery that fails and is not tried again', async () => {
  expect(await run('not-retried')).toEqual(found('discovery delivery-retried createWebhook'))
})
