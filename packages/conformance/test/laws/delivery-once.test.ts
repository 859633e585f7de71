import { expect, test } from 'vitest'
import { found, HELD } from './held.ts'
import { runOf } from './relayed.ts'

const run = runOf('delivery-once')

test('holds on the right service', async () => {
  expect(await run()).toEqual(HELD)
})

test('finds an event that is told twice', async () => {
  expect(await run('settlement-told-twice')).toEqual(found('discovery delivery-once createWebhook'))
})
