import { expect, test } from 'vitest'
import { found, HELD } from './held.ts'
import { runOf } from './relayed.ts'

const run = runOf('paid-by-caller')

test('holds on the right service', async () => {
  expect(await run()).toEqual(HELD)
})

test('finds a customer who pays from the account of the partner', async () => {
  expect(await run('account-of-the-partner-pays')).toEqual(found('deviation paid-by-caller createTransfer'))
})
