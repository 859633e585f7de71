import { expect, test } from 'vitest'
import { reads } from './broken.ts'
import { found, HELD, runOf } from './held.ts'
import { runOf as runOfFaulty } from './relayed.ts'

const run = runOf('limit-respected', { operations: ['listImmediateQrCodes'] })

test('holds on the right service', async () => {
  expect(await run()).toEqual(HELD)
})

test('finds a page with one record more than its limit', async () => {
  const fault = reads('listImmediateQrCodes', (call) => ({
    ...call,
    path: call.path.replace('limit=1', 'limit=2'),
  }))
  expect(await run(fault)).toEqual(found('discovery limit-respected listImmediateQrCodes'))
})

test('finds a page of more than the default', async () => {
  const fault = reads('listImmediateQrCodes', (call) => ({
    ...call,
    path: call.path.includes('limit=') ? call.path : `${call.path}?limit=100`,
  }))
  expect(await run(fault)).toEqual(found('discovery limit-respected listImmediateQrCodes'))
})

const runFaulty = runOfFaulty('limit-respected')

test.each([
  ['page-one-short', 'discovery limit-respected listImmediateQrCodes'],
  ['limit-of-twenty-at-most', 'discovery limit-respected listImmediateQrCodes'],
  ['default-limit-of-ten', 'discovery limit-respected listDueDateQrCodes'],
])('finds %s', async (fault, line) => {
  expect((await runFaulty(fault)).found).toContain(line)
})
