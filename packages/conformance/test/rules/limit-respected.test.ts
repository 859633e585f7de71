import { expect, test } from 'vitest'
import { reads, refuses } from './broken.ts'
import { found, HELD, runOf, UNJUDGED } from './held.ts'
import { runOf as runOfFaulty } from './relayed.ts'

const run = runOf('limit-respected', { operations: ['listImmediateQrCodes'] })

test('holds on the right service', async () => {
  expect(await run()).toEqual(HELD)
})

test.each([1, 2, 3])('finds a page with one record more than %d', async (limit) => {
  const fault = reads('listImmediateQrCodes', (call) => ({
    ...call,
    path: call.path.replace(`limit=${limit}`, `limit=${limit + 1}`),
  }))
  expect(await run(fault)).toEqual(found('deviation limit-respected listImmediateQrCodes'))
})

test('finds a page of more than the default', async () => {
  const fault = reads('listImmediateQrCodes', (call) => ({
    ...call,
    path: call.path.includes('limit=') ? call.path : `${call.path}?limit=100`,
  }))
  expect(await run(fault)).toEqual(found('deviation limit-respected listImmediateQrCodes'))
})

test('is not judged where the list cannot be had', async () => {
  expect(await run(refuses('listImmediateQrCodes'))).toEqual(UNJUDGED)
})

test('looks at no list that it was not asked about', async () => {
  const fault = reads('listDueDateQrCodes', (call) => ({
    ...call,
    path: call.path.replace('limit=1', 'limit=2'),
  }))
  expect(await run(fault)).toEqual(HELD)
})

const runFaulty = runOfFaulty('limit-respected')

test.each([
  ['page-one-short', 'deviation limit-respected listImmediateQrCodes'],
  ['limit-of-twenty-at-most', 'deviation limit-respected listImmediateQrCodes'],
  ['default-limit-of-ten', 'deviation limit-respected listDueDateQrCodes'],
])('finds %s', async (fault, line) => {
  expect((await runFaulty(fault)).found).toContain(line)
})
