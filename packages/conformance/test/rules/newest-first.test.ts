import { expect, test } from 'vitest'
import { answers, both, refuses, withItems } from './broken.ts'
import { UNMARKED } from './contracts.ts'
import { found, HELD, runOf, UNJUDGED } from './held.ts'
import { runOf as runOfFaulty } from './relayed.ts'

const run = runOf('newest-first', { operations: ['listDueDateQrCodes', 'listImmediateQrCodes'] })

const oldestFirst = answers('listImmediateQrCodes', (reply) =>
  withItems(reply, (items) => items.toReversed()),
)
const unmarked = runOf('newest-first', { contract: UNMARKED, operations: ['listImmediateQrCodes'] })

test('holds on the right service', async () => {
  expect(await run()).toEqual(HELD)
})

test('finds a list that begins with the oldest', async () => {
  expect(await run(oldestFirst)).toEqual(found('deviation newest-first listImmediateQrCodes'))
})

test('finds it also where the records of another list cannot be made', async () => {
  const fault = both(oldestFirst, refuses('createDueDateQrCode'))
  expect(await run(fault)).toEqual(found('deviation newest-first listImmediateQrCodes'))
})

test('finds a list without what was created last', async () => {
  const fault = answers('listImmediateQrCodes', (reply) => withItems(reply, (items) => items.slice(1)))
  expect(await run(fault)).toEqual(found('deviation newest-first listImmediateQrCodes'))
})

test('takes the earlier creation for one that is on another page', async () => {
  const fault = answers('listImmediateQrCodes', (reply) => withItems(reply, (items) => items.slice(0, 1)))
  expect(await run(fault)).toEqual(HELD)
})

test('is not judged where nothing can be made or listed', async () => {
  const made = both(refuses('createDueDateQrCode'), refuses('createImmediateQrCode'))
  const listed = both(refuses('listDueDateQrCodes'), refuses('listImmediateQrCodes'))
  expect(await run(made)).toEqual(UNJUDGED)
  expect(await run(listed)).toEqual(UNJUDGED)
})

test('is not judged where the contract leaves nothing of lists open', async () => {
  expect(await unmarked(oldestFirst)).toEqual(UNJUDGED)
})

test('looks at no list that it was not asked about', async () => {
  const fault = answers('listWebhooks', (reply) => withItems(reply, (items) => items.toReversed()))
  expect(await run(fault)).toEqual(HELD)
})

const runFaulty = runOfFaulty('newest-first')

test.each([
  ['order-by-tx-id', 'deviation newest-first listDueDateQrCodes'],
  ['order-unstable', 'deviation newest-first listImmediateQrCodes'],
])('finds %s', async (fault, line) => {
  expect((await runFaulty(fault)).found).toContain(line)
})
