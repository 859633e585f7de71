import { expect, test } from 'vitest'
import { accepts, isWhole, refuses } from './broken.ts'
import { found, HELD, runOf, UNJUDGED } from './held.ts'

const run = runOf('funds-cover-transfer')

test('holds on the right service', async () => {
  expect(await run()).toEqual(HELD)
})

test('finds a transfer of more than there is', async () => {
  const fault = accepts('createTransfer', isWhole)
  expect(await run(fault)).toEqual(found('discovery funds-cover-transfer createTransfer'))
})

test('is not judged where no key can be looked up', async () => {
  expect(await run(refuses('checkKey'))).toEqual(UNJUDGED)
})
