import { expect, test } from 'vitest'
import { found, HELD } from './held.ts'
import { runOf } from './relayed.ts'

const run = runOf('paid-is-final')

test.concurrent('holds on the right service', async () => {
  expect(await run()).toEqual(HELD)
})

test.concurrent('finds a cancellation after the payment', async () => {
  expect(await run('paid-code-cancelled')).toEqual(found('deviation paid-is-final cancelImmediateQrCode'))
})

test.concurrent('finds a paid charge that is listed as open', async () => {
  expect(await run('paid-code-listed-as-open')).toEqual(found('deviation paid-is-final listImmediateQrCodes'))
})

test.concurrent('finds a check after the payment', async () => {
  expect(await run('paid-code-checked')).toEqual(found('deviation paid-is-final checkCode'))
})

test.each([['rejected-payment-closes-the-charge', 'deviation paid-is-final listImmediateQrCodes']])(
  'finds %s',
  async (fault, line) => {
    expect((await run(fault)).found).toContain(line)
  },
)
