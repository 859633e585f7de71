import { expect, test } from 'vitest'
import { reads } from './broken.ts'
import { found, HELD, runOf } from './held.ts'
import { runOf as runOfFaulty } from './relayed.ts'

const run = runOf('filter-sound', { operations: ['listImmediateQrCodes'] })

test('holds on the right service', async () => {
  expect(await run()).toEqual(HELD)
})

test('finds a filter that is not looked at', async () => {
  const fault = reads('listImmediateQrCodes', (call) => ({
    ...call,
    path: call.path.replace(/tax_id=\d+/, ''),
  }))
  expect(await run(fault)).toEqual(found('discovery filter-sound listImmediateQrCodes'))
})

const runFaulty = runOfFaulty('filter-sound')

test.each([
  ['filter-forgotten-on-page-two', 'discovery filter-sound listImmediateQrCodes'],
  ['second-filter-forgotten', 'discovery filter-sound listDueDateQrCodes'],
])('finds %s', async (fault, line) => {
  expect((await runFaulty(fault)).found).toContain(line)
})
