import { expect, test } from 'vitest'
import { accepts } from './broken.ts'
import { found, HELD, runOf } from './held.ts'
import { runOf as runOfFaulty } from './relayed.ts'

const run = runOf('amount-zero-refused')

test('holds on the right service', async () => {
  expect(await run()).toEqual(HELD)
})

test('finds a transfer of nothing', async () => {
  const fault = accepts('createTransfer', ({ amount }) => amount === '0.00')
  expect(await run(fault)).toEqual(found('discovery amount-zero-refused createTransfer'))
})

const runFaulty = runOfFaulty('amount-zero-refused')

test.each([['nothing-paid-for-an-open-code', 'discovery amount-zero-refused createTransfer']])(
  'finds %s',
  async (fault, line) => {
    expect((await runFaulty(fault)).found).toContain(line)
  },
)
