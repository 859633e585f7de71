import { expect, test } from 'vitest'
import { HELD, runOf } from './rules/held.ts'

const run = runOf('example-accepted', { operations: ['createImmediateQrCode'] })

test('a second run of the same seed on the same service finds what the first one found', async () => {
  expect(await run()).toEqual(HELD)
  expect(await run()).toEqual(HELD)
})
