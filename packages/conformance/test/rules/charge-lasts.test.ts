import { expect, test } from 'vitest'
import { HELD } from './held.ts'
import { runOf } from './relayed.ts'

const run = runOf('charge-lasts')

test('holds on the right service', async () => {
  expect(await run()).toEqual(HELD)
})

test.each([
  ['charge-ends-in-an-hour', 'deviation charge-lasts checkCode'],
  ['expired-charge-listed-as-removed', 'deviation charge-lasts listImmediateQrCodes'],
])('finds %s', async (fault, line) => {
  expect((await run(fault)).found).toContain(line)
})
