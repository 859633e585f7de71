import { expect, test } from 'vitest'
import { mistakes } from './broken.ts'
import { found, HELD, runOf } from './held.ts'
import { runOf as runOfFaulty } from './relayed.ts'

const run = runOf('refresh-token-refused', { operations: ['checkKey'] })

test('holds on the right service', async () => {
  expect(await run()).toEqual(HELD)
})

test('finds a refresh token that opens an operation', async () => {
  const fault = mistakes('checkKey')
  expect(await run(fault)).toEqual(found('failure refresh-token-refused checkKey'))
})

const runFaulty = runOfFaulty('refresh-token-refused')

test.each([['refresh-token-of-a-customer-taken', 'failure refresh-token-refused checkKey']])(
  'finds %s',
  async (fault, line) => {
    expect((await runFaulty(fault)).found).toContain(line)
  },
)
