import { expect, test } from 'vitest'
import { HELD } from './held.ts'
import { runOf } from './relayed.ts'

const run = runOf('defaults-kept')

test('holds on the right service', async () => {
  expect(await run()).toEqual(HELD)
})

test.each([
  ['no-expiration-is-an-hour', 'deviation defaults-kept createImmediateQrCode'],
  ['no-expiration-days-are-60', 'deviation defaults-kept createDueDateQrCode'],
])('finds %s', async (fault, line) => {
  expect((await run(fault)).found).toContain(line)
})
