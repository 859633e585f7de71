import { expect, test } from 'vitest'
import { found, HELD } from './held.ts'
import { runOf } from './relayed.ts'

const run = runOf('delivery-sent')

test('holds on the right service', async () => {
  expect(await run()).toEqual(HELD)
})

test('finds an event that is told to nobody', async () => {
  expect(await run('cancellation-not-told')).toEqual(found('discovery delivery-sent createWebhook'))
})
