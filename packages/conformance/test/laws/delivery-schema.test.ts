import { expect, test } from 'vitest'
import { found, HELD } from './held.ts'
import { runOf } from './relayed.ts'

const run = runOf('delivery-schema')

test('holds on the right service', async () => {
  expect(await run()).toEqual(HELD)
})

test('finds a delivery that is the record alone', async () => {
  expect(await run('event-without-envelope')).toEqual(found('discovery delivery-schema createWebhook'))
})
