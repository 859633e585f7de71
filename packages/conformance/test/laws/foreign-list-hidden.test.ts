import { expect, test } from 'vitest'
import { mistakes } from './broken.ts'
import { found, HELD, runOf } from './held.ts'
import { runOf as runOfFaulty } from './relayed.ts'

const run = runOf('foreign-list-hidden', { operations: ['listWebhooks'] })

test('holds on the right service', async () => {
  expect(await run()).toEqual(HELD)
})

test("finds a list of someone else's records", async () => {
  const fault = mistakes('listWebhooks')
  expect(await run(fault)).toEqual(
    found('failure foreign-list-hidden listWebhooks', 'discovery foreign-list-hidden listWebhooks'),
  )
})

const runFaulty = runOfFaulty('foreign-list-hidden')

test.each([
  ['foreign-due-date-codes-listed', 'failure foreign-list-hidden listDueDateQrCodes'],
  ['foreign-codes-by-status', 'failure foreign-list-hidden listImmediateQrCodes'],
  ['foreign-codes-on-page-two', 'failure foreign-list-hidden listImmediateQrCodes'],
  ['codes-of-the-partner-listed', 'discovery foreign-list-hidden listImmediateQrCodes'],
])('finds %s', async (fault, line) => {
  expect((await runFaulty(fault)).found).toContain(line)
})
