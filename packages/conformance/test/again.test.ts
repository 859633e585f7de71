import { expect, test } from 'vitest'
import { PASSED, runOf } from './rules/in-process.ts'

const run = runOf('example-accepted', { operations: ['createImmediateQrCode'] })

test('a second run of the same seed on the same service finds what the first one found', async () => {
  expect(await run()).toEqual(PASSED)
  expect(await run()).toEqual(PASSED)
})
