import { expect, it } from 'vitest'
import { PASSED, runOf } from '../rules/in-process.ts'

const run = runOf('values-unique', { operations: ['createImmediateQrCode'] })

it('creates new one-time values in a second run with the same seed', async () => {
  await run()
  expect(await run()).toEqual(PASSED)
})
