import { expect, test } from 'vitest'
import { found, HELD } from './held.ts'
import { ofAnotherId, runOf, twice } from './relayed.ts'

const run = runOf('delivery-once')

test.concurrent('holds on the right service', async () => {
  expect(await run()).toEqual(HELD)
})

test.concurrent('finds an event that is told twice', async () => {
  expect(await run('settlement-told-twice')).toEqual(found('deviation delivery-once createWebhook'))
})

test.concurrent('finds a delivery that comes again under another id', async () => {
  expect(await run(twice(ofAnotherId))).toEqual(found('deviation delivery-once createWebhook'))
})

test.concurrent('takes the same delivery twice for what networks make of one', async () => {
  expect(await run(twice())).toEqual(HELD)
})

test.concurrent.each([
  ['retried-after-202', 'deviation delivery-once createWebhook'],
  ['slow-receiver-given-up', 'deviation delivery-once createWebhook'],
])('finds %s', async (fault, line) => {
  expect((await run(fault)).found).toContain(line)
})
