import { expect, test } from 'vitest'
import { accepts, refuses } from './broken.ts'
import { found, NOT_ASSESSED, PASSED, runOf } from './in-process.ts'
import { runOf as runOfFaulty } from './over-http.ts'

const run = runOf('foreign-link-refused', { operations: ['getUser'] })

test('holds on the right service', async () => {
  expect(await run()).toEqual(PASSED)
})

test("finds a user of another partner's", async () => {
  const fault = accepts('getUser')
  expect(await run(fault)).toEqual(found('failure foreign-link-refused getUser'))
})

test('is not judged where the other partner has nothing', async () => {
  expect(await run(refuses('listUsers'))).toEqual(NOT_ASSESSED)
})

const runFaulty = runOfFaulty('foreign-link-refused')

test.each([
  ['foreign-customer-of-an-own-user', 'failure foreign-link-refused impersonate'],
  ['foreign-user-forbidden', 'deviation foreign-link-refused getUser'],
])('finds %s', async (fault, line) => {
  expect((await runFaulty(fault)).found).toContain(line)
})

test.each([['foreign-customers-shown', 'failure foreign-link-refused getUser']])(
  'finds %s',
  async (fault, line) => {
    expect((await runFaulty(fault)).found).toContain(line)
  },
)
