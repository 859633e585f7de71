import { expect, test } from 'vitest'
import { accepts, isWhole, refuses } from './broken.ts'
import { found, HELD, runOf, UNJUDGED } from './held.ts'
import { runOf as runOfFaulty } from './relayed.ts'

const run = runOf('amount-zero-refused')

test('holds on the right service', async () => {
  expect(await run()).toEqual(HELD)
})

test('finds a transfer of nothing', async () => {
  const fault = accepts('createTransfer', (body) => isWhole(body) && body.amount === '0.00')
  expect(await run(fault)).toEqual(found('discovery amount-zero-refused createTransfer'))
})

test('is not judged where no key can be looked up', async () => {
  expect(await run(refuses('checkKey'))).toEqual(UNJUDGED)
})

const runFaulty = runOfFaulty('amount-zero-refused')

test.each([['nothing-paid-for-an-open-code', 'discovery amount-zero-refused createTransfer']])(
  'finds %s',
  async (fault, line) => {
    expect((await runFaulty(fault)).found).toContain(line)
  },
)
