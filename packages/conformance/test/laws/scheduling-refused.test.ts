import { expect, test } from 'vitest'
import { accepts } from './broken.ts'
import { found, HELD, runOf } from './held.ts'

const run = runOf('scheduling-refused')

test('holds on the right service', async () => {
  expect(await run()).toEqual(HELD)
})

test('finds a transfer that is taken for a later day', async () => {
  const fault = accepts('createTransfer')
  expect(await run(fault)).toEqual(found('discovery scheduling-refused createTransfer'))
})
