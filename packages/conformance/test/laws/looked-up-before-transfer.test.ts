import { expect, test } from 'vitest'
import { accepts } from './broken.ts'
import { found, HELD, runOf } from './held.ts'

const run = runOf('looked-up-before-transfer')

test('holds on the right service', async () => {
  expect(await run()).toEqual(HELD)
})

test('finds a transfer that nobody looked up', async () => {
  const fault = accepts('createTransfer')
  expect(await run(fault)).toEqual(found('failure looked-up-before-transfer createTransfer'))
})
