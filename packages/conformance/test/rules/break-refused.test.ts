import { expect, test } from 'vitest'
import { accepts } from './broken.ts'
import { found, HELD, runOf } from './held.ts'
import { runOf as runOfFaulty } from './relayed.ts'

const run = runOf('break-refused', { operations: ['checkKey', 'getUser'] })

test('holds on the right service', async () => {
  expect(await run()).toEqual(HELD)
})

test('finds a limit that is not held', async () => {
  const fault = accepts('checkKey', ({ dict_key }) => String(dict_key).length > 77)
  expect(await run(fault)).toEqual(found('deviation break-refused checkKey'))
})

test('finds a type that is not held', async () => {
  const fault = accepts('checkKey', ({ dict_key }) => typeof dict_key === 'number')
  expect(await run(fault)).toEqual(found('failure break-refused checkKey'))
})

test('finds a member that may be missing although it is required', async () => {
  const fault = accepts('checkKey', ({ dict_key }) => dict_key === undefined)
  expect(await run(fault)).toEqual(found('failure break-refused checkKey'))
})

const runFaulty = runOfFaulty('break-refused')

test.each([
  ['description-too-long-for-a-code', 'deviation break-refused createTransfer'],
  ['amount-as-a-number-for-a-code', 'failure break-refused createTransfer'],
  ['payment-date-unchecked-for-a-code', 'failure break-refused createTransfer'],
])('finds %s', async (fault, line) => {
  expect((await runFaulty(fault)).found).toContain(line)
})
