import { expect, test } from 'vitest'
import { found, HELD, runOf as runOfRight } from './held.ts'
import { runOf } from './relayed.ts'

const run = runOf('overdue-not-payable')
const runLater = runOfRight('overdue-not-payable', { beside: ['overdue-amounts'] })

test('holds on the right service', async () => {
  expect(await run()).toEqual(HELD)
})

test('is judged after another law has moved the clock past the end of every token', async () => {
  expect(await runLater()).toEqual(HELD)
})

test('finds an overdue charge that is paid', async () => {
  expect(await run('overdue-charge-paid')).toEqual(found('discovery overdue-not-payable createTransfer'))
})

test('finds an overdue charge that is checked', async () => {
  expect(await run('overdue-charge-checked')).toEqual(found('discovery overdue-not-payable checkCode'))
})
