import { expect, test } from 'vitest'
import { accepts } from './broken.ts'
import { found, HELD, runOf } from './held.ts'

const run = runOf('amount-fixed-by-code')

test('holds on the right service', async () => {
  expect(await run()).toEqual(HELD)
})

test('finds a dynamic code that is paid with another amount', async () => {
  const fault = accepts('createTransfer', ({ amount }) => amount !== '0.03')
  expect(await run(fault)).toEqual(found('discovery amount-fixed-by-code createTransfer'))
})
