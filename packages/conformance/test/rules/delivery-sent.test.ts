import { expect, test } from 'vitest'
import { found, HELD } from './held.ts'
import { runOf } from './relayed.ts'

const run = runOf('delivery-sent')

test.concurrent('holds on the right service', async () => {
  expect(await run()).toEqual(HELD)
})

test.concurrent('finds an event that is told to nobody', async () => {
  expect(await run('cancellation-not-told')).toEqual(found('deviation delivery-sent createWebhook'))
})

test.concurrent.each([
  ['newest-webhook-alone-told', 'deviation delivery-sent createWebhook'],
  ['cancellation-told-as-paid', 'deviation delivery-sent createWebhook'],
])('finds %s', async (fault, line) => {
  expect((await run(fault)).found).toContain(line)
})

test.each([['query-of-url-not-sent', 'deviation delivery-sent createWebhook']])(
  'finds %s',
  async (fault, line) => {
    expect((await run(fault)).found).toContain(line)
  },
)
