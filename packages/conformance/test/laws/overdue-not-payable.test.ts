import { expect, test } from 'vitest'
import { found, HELD } from './held.ts'
import { runOf } from './relayed.ts'

const run = runOf('overdue-not-payable')

test('holds on the right service', async () => {
  expect(await run()).toEqual(HELD)
})

test('finds an overdue charge that is paid', async () => {
  expect(await run('overdue-charge-paid')).toEqual(found('discovery overdue-not-payable createTransfer'))
})

test('finds an overdue charge that is checked', async () => {
  expect(await run('overdue-charge-checked')).toEqual(found('discovery overdue-not-payable checkCode'))
})
