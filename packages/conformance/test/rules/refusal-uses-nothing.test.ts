import { expect, test } from 'vitest'
import { HELD } from './held.ts'
import { runOf } from './relayed.ts'

const run = runOf('refusal-uses-nothing')

test('holds on the right service', async () => {
  expect(await run()).toEqual(HELD)
})

test.each([
  ['refused-transfer-uses-its-look-up', 'deviation refusal-uses-nothing createTransfer'],
  ['refused-payment-closes-the-charge', 'deviation refusal-uses-nothing createTransfer'],
  ['refused-code-takes-its-tx-id', 'deviation refusal-uses-nothing createDueDateQrCode'],
])('finds %s', async (fault, line) => {
  expect((await run(fault)).found).toContain(line)
})
