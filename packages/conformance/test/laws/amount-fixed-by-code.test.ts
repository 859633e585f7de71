import { expect, test } from 'vitest'
import { accepts } from './broken.ts'
import { found, HELD, runOf } from './held.ts'
import { runOf as runOfFaulty } from './relayed.ts'

const run = runOf('amount-fixed-by-code')

test('holds on the right service', async () => {
  expect(await run()).toEqual(HELD)
})

test('finds a dynamic code that is paid with another amount', async () => {
  const fault = accepts('createTransfer', ({ amount }) => amount !== '0.03')
  expect(await run(fault)).toEqual(found('discovery amount-fixed-by-code createTransfer'))
})

const runFaulty = runOfFaulty('amount-fixed-by-code')

test.each([['due-date-charge-of-any-amount', 'discovery amount-fixed-by-code createTransfer']])(
  'finds %s',
  async (fault, line) => {
    expect((await runFaulty(fault)).found).toContain(line)
  },
)
