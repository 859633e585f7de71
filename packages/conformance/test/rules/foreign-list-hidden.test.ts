import { expect, test } from 'vitest'
import { mistakes, refuses } from './broken.ts'
import { found, NOT_ASSESSED, PASSED, runOf } from './in-process.ts'
import { runOf as runOfFaulty } from './over-http.ts'

const run = runOf('foreign-list-hidden', { operations: ['listWebhooks'] })

test('holds on the right service', async () => {
  expect(await run()).toEqual(PASSED)
})

test("finds a list of someone else's records", async () => {
  const fault = mistakes('listWebhooks')
  expect(await run(fault)).toEqual(
    found('failure foreign-list-hidden listWebhooks', 'deviation foreign-list-hidden listWebhooks'),
  )
})

const runFaulty = runOfFaulty('foreign-list-hidden')

test.each([
  ['foreign-due-date-codes-listed', 'failure foreign-list-hidden listDueDateQrCodes'],
  ['foreign-codes-by-status', 'failure foreign-list-hidden listImmediateQrCodes'],
  ['foreign-codes-on-page-two', 'failure foreign-list-hidden listImmediateQrCodes'],
  ['codes-of-the-partner-listed', 'deviation foreign-list-hidden listImmediateQrCodes'],
])('finds %s', async (fault, line) => {
  expect((await runFaulty(fault)).found).toContain(line)
})

test('is not judged where a list cannot be had', async () => {
  expect(await run(refuses('listWebhooks'))).toEqual(NOT_ASSESSED)
})

test('looks at no list that it was not asked about', async () => {
  expect(await run(mistakes('listUsers'))).toEqual(PASSED)
})

test.each([['foreign-codes-by-tax-id', 'failure foreign-list-hidden listDueDateQrCodes']])(
  'finds %s',
  async (fault, line) => {
    expect((await runFaulty(fault)).found).toContain(line)
  },
)
