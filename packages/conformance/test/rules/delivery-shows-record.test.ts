import { expect, test } from 'vitest'
import { found, HELD } from './held.ts'
import { runOf } from './relayed.ts'

const run = runOf('delivery-shows-record')

test.concurrent('holds on the right service', async () => {
  expect(await run()).toEqual(HELD)
})

test.concurrent('finds the state before', async () => {
  expect(await run('event-of-the-state-before')).toEqual(
    found('deviation delivery-shows-record createWebhook'),
  )
})

test.concurrent('finds another amount', async () => {
  expect(await run('event-of-another-amount')).toEqual(found('deviation delivery-shows-record createWebhook'))
})

test.concurrent('finds another moment', async () => {
  expect(await run('event-of-1970')).toEqual(found('deviation delivery-shows-record createWebhook'))
})

test.concurrent('finds a settlement without its moment', async () => {
  expect(await run('settlement-without-moment')).toEqual(
    found('deviation delivery-shows-record createWebhook'),
  )
})

test.each([['settled-tomorrow', 'deviation delivery-shows-record createWebhook']])(
  'finds %s',
  async (fault, line) => {
    expect((await run(fault)).found).toContain(line)
  },
)
