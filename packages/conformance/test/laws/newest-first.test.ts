import { expect, test } from 'vitest'
import { answers, type Fault, refusing, withItems } from './broken.ts'
import { found, HELD, runOf } from './held.ts'
import { runOf as runOfFaulty } from './relayed.ts'

const run = runOf('newest-first', { operations: ['listDueDateQrCodes', 'listImmediateQrCodes'] })

const oldestFirst = answers('listImmediateQrCodes', (reply) =>
  withItems(reply, (items) => items.toReversed()),
)

test('holds on the right service', async () => {
  expect(await run()).toEqual(HELD)
})

test('finds a list that begins with the oldest', async () => {
  expect(await run(oldestFirst)).toEqual(found('discovery newest-first listImmediateQrCodes'))
})

test('finds it also where the records of another list cannot be made', async () => {
  const noDueDates = answers('createDueDateQrCode', refusing(422))
  const fault: Fault = (call, next, operation) =>
    oldestFirst(call, (passed) => noDueDates(passed, next, operation), operation)
  expect(await run(fault)).toEqual(found('discovery newest-first listImmediateQrCodes'))
})

const runFaulty = runOfFaulty('newest-first')

test.each([
  ['order-by-tx-id', 'discovery newest-first listDueDateQrCodes'],
  ['order-unstable', 'discovery newest-first listImmediateQrCodes'],
])('finds %s', async (fault, line) => {
  expect((await runFaulty(fault)).found).toContain(line)
})
