import { expect, test } from 'vitest'
import { accepts } from './broken.ts'
import { found, HELD, runOf } from './held.ts'

const run = runOf('funds-cover-transfer')

test('holds on the right service', async () => {
  expect(await run()).toEqual(HELD)
})

test('finds a transfer of more than there is', async () => {
  const fault = accepts('createTransfer')
  expect(await run(fault)).toEqual(found('discovery funds-cover-transfer createTransfer'))
})
