import { expect, test } from 'vitest'
import type { Relay } from '../faulty/world.ts'
import { found, HELD } from './held.ts'
import { runOf } from './relayed.ts'

const run = runOf('delivery-schema')

test.concurrent('holds on the right service', async () => {
  expect(await run()).toEqual(HELD)
})

test.concurrent('finds a delivery that is the record alone', async () => {
  expect(await run('event-without-envelope')).toEqual(found('deviation delivery-schema createWebhook'))
})

test.concurrent('finds what is wrong with the delivery of a transfer', async () => {
  expect(await run('event-with-a-number')).toEqual(found('deviation delivery-schema createWebhook'))
})

test.concurrent('finds a delivery that is no JSON', async () => {
  const cutting: Relay = (posted, send) => send({ ...posted, body: posted.body.slice(1) })
  expect(await run(cutting)).toEqual(found('deviation delivery-schema createWebhook'))
})
