import { expect, test } from 'vitest'
import { found, HELD, UNJUDGED } from './held.ts'
import { runOf } from './relayed.ts'

const run = runOf('delivery-silent-after-deletion')

test.concurrent('holds on the right service', async () => {
  expect(await run()).toEqual(HELD)
})

test.concurrent('finds a delivery to a webhook that was deleted', async () => {
  expect(await run('delivered-after-deletion')).toEqual(
    found('failure delivery-silent-after-deletion deleteWebhook'),
  )
})

test.concurrent('is not judged where the other webhook gets nothing either', async () => {
  expect(await run('cancellation-not-told')).toEqual(UNJUDGED)
})

test.concurrent.each([['retried-after-deletion', 'failure delivery-silent-after-deletion deleteWebhook']])(
  'finds %s',
  async (fault, line) => {
    expect((await run(fault)).found).toContain(line)
  },
)
