import { expect, test } from 'vitest'
import { accepts } from './broken.ts'
import { found, HELD, runOf } from './held.ts'
import { runOf as runOfFaulty } from './relayed.ts'

const run = runOf('charge-closed-not-payable')

test.concurrent('holds on the right service', async () => {
  expect(await run()).toEqual(HELD)
})

test.concurrent('finds a charge that is paid although it was cancelled or has expired', async () => {
  const fault = accepts('createTransfer')
  expect(await run(fault)).toEqual(found('discovery charge-closed-not-payable createTransfer'))
})

test.concurrent('finds a charge that is checked although it was cancelled or has expired', async () => {
  const fault = accepts('checkCode')
  expect(await run(fault)).toEqual(found('discovery charge-closed-not-payable checkCode'))
})

const runFaulty = runOfFaulty('charge-closed-not-payable')

test.concurrent.each([
  ['cancelled-due-date-charge-paid', 'discovery charge-closed-not-payable createTransfer'],
])('finds %s', async (fault, line) => {
  expect((await runFaulty(fault)).found).toContain(line)
})

test.each([['cancelled-due-date-charge-checked', 'discovery charge-closed-not-payable checkCode']])(
  'finds %s',
  async (fault, line) => {
    expect((await runFaulty(fault)).found).toContain(line)
  },
)
