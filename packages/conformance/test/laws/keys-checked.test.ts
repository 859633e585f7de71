import { expect, test } from 'vitest'
import { HELD, runOf } from './held.ts'
import { runOf as runOfFaulty } from './relayed.ts'

const run = runOf('keys-checked')

test('holds on the right service', async () => {
  expect(await run()).toEqual(HELD)
})

const runFaulty = runOfFaulty('keys-checked')

test.each([
  ['kind-of-company-keys', 'discovery keys-checked checkKey'],
  ['owners-are-companies', 'discovery keys-checked checkKey'],
])('finds %s', async (fault, line) => {
  expect((await runFaulty(fault)).found).toContain(line)
})
