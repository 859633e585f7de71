import { expect, test } from 'vitest'
import { accepts } from './broken.ts'
import { found, HELD, runOf } from './held.ts'
import { runOf as runOfFaulty } from './relayed.ts'

const run = runOf('paid-once')

test('holds on the right service', async () => {
  expect(await run()).toEqual(HELD)
})

test('finds a charge that is paid again', async () => {
  const fault = accepts('createTransfer')
  expect(await run(fault)).toEqual(found('discovery paid-once createTransfer'))
})

const runFaulty = runOfFaulty('paid-once')

test.each([['due-date-charge-paid-twice', 'discovery paid-once createTransfer']])(
  'finds %s',
  async (fault, line) => {
    expect((await runFaulty(fault)).found).toContain(line)
  },
)
