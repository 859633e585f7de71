import { expect, test } from 'vitest'
import { withSignature } from '../faulty/faults/deliveries.ts'
import { found, HELD } from './held.ts'
import { runOf } from './relayed.ts'

const run = runOf('delivery-timestamp-bound')

test.concurrent('holds on the right service', async () => {
  expect(await run()).toEqual(HELD)
})

test.concurrent('finds a signature that does not hold the timestamp', async () => {
  expect(await run('timestamp-not-signed')).toEqual(found('deviation delivery-timestamp-bound createWebhook'))
})

test.concurrent('finds a signature over the body alone', async () => {
  const fault = withSignature(({ body }) => body)
  expect(await run(fault)).toEqual(found('deviation delivery-timestamp-bound createWebhook'))
})

test.concurrent('finds the timestamp of an hour ago', async () => {
  expect(await run('timestamp-of-an-hour-ago')).toEqual(
    found('deviation delivery-timestamp-bound createWebhook'),
  )
})
