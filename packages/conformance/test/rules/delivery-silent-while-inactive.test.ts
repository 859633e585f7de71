import { expect, test } from 'vitest'
import { found, HELD, UNJUDGED } from './held.ts'
import { runOf } from './relayed.ts'

const run = runOf('delivery-silent-while-inactive')

test.concurrent('holds on the right service', async () => {
  expect(await run()).toEqual(HELD)
})

test.concurrent('finds a delivery to a webhook that is inactive', async () => {
  expect(await run('delivered-while-inactive')).toEqual(
    found('deviation delivery-silent-while-inactive updateWebhook'),
  )
})

test.concurrent('is not judged where the other webhook gets nothing either', async () => {
  expect(await run('cancellation-not-told')).toEqual(UNJUDGED)
})
