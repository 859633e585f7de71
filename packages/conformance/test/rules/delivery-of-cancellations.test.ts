import { expect, test } from 'vitest'
import { HELD } from './held.ts'
import { runOf } from './relayed.ts'

const run = runOf('delivery-of-cancellations')

test('holds on the right service', async () => {
  expect(await run()).toEqual(HELD)
})

test.each([
  ['due-date-cancellation-not-told', 'deviation delivery-of-cancellations createWebhook'],
  ['second-cancellation-told', 'deviation delivery-of-cancellations createWebhook'],
  ['due-date-event-without-payer', 'deviation delivery-of-cancellations createWebhook'],
])('finds %s', async (fault, line) => {
  expect((await run(fault)).found).toContain(line)
})
