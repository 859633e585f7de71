import { expect, test } from 'vitest'
import { found, HELD } from './held.ts'
import { runOf } from './relayed.ts'

const run = runOf('delivery-type-filtered')

test.concurrent('holds on the right service', async () => {
  expect(await run()).toEqual(HELD)
})

test.concurrent('finds an event for every type of webhook', async () => {
  expect(await run('delivered-to-every-type')).toEqual(
    found('deviation delivery-type-filtered createWebhook'),
  )
})

test.concurrent('finds a webhook that is not told what it is for', async () => {
  expect(await run('cancellation-not-told')).toEqual(found('deviation delivery-type-filtered createWebhook'))
})

test.concurrent.each([['transfers-told-to-type-qrcode', 'deviation delivery-type-filtered createWebhook']])(
  'finds %s',
  async (fault, line) => {
    expect((await run(fault)).found).toContain(line)
  },
)
