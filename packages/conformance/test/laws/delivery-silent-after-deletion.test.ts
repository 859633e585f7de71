import { expect, test } from 'vitest'
import { found, HELD, UNJUDGED } from './held.ts'
import { runOf } from './relayed.ts'

const run = runOf('delivery-silent-after-deletion')

test('holds on the right service', async () => {
  expect(await run()).toEqual(HELD)
})

test('finds a delivery to a webhook that was deleted', async () => {
  expect(await run('delivered-after-deletion')).toEqual(
    found('failure delivery-silent-after-deletion deleteWebhook'),
  )
})

test('is not judged where the other webhook gets nothing either', async () => {
  expect(await run('cancellation-not-told')).toEqual(UNJUDGED)
})

test.each([['retried-after-deletion', 'failure delivery-silent-after-deletion deleteWebhook']])(
  'finds %s',
  async (fault, line) => {
    expect((await run(fault)).found).toContain(line)
  },
)
