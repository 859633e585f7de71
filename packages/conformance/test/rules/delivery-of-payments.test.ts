import { expect, test } from 'vitest'
import { found, HELD } from './held.ts'
import { runOf } from './relayed.ts'

const run = runOf('delivery-of-payments')

test.concurrent('holds on the right service', async () => {
  expect(await run()).toEqual(HELD)
})

test.concurrent('finds a payment that is told to nobody', async () => {
  expect(await run('payment-of-a-code-not-told')).toEqual(
    found('deviation delivery-of-payments createTransfer'),
  )
})

test.each([['due-date-payment-not-told', 'deviation delivery-of-payments createTransfer']])(
  'finds %s',
  async (fault, line) => {
    expect((await run(fault)).found).toContain(line)
  },
)
