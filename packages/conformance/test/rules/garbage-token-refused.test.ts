import { expect, test } from 'vitest'
import { answers, isSuccess, mistakes, problem } from './broken.ts'
import { found, HELD, runOf } from './held.ts'
import { runOf as runOfFaulty } from './relayed.ts'

const run = runOf('garbage-token-refused', { operations: ['checkKey', 'signIn'] })

test('holds on the right service', async () => {
  expect(await run()).toEqual(HELD)
})

const UNKNOWN = 'A'.repeat(43)

test.each([`Bearer ${UNKNOWN}`, 'Bearer x', 'Bearer', UNKNOWN])(
  'finds that %s opens an operation',
  async (sent) => {
    const fault = mistakes('checkKey', (authorization) => authorization === sent)
    expect(await run(fault)).toEqual(found('failure garbage-token-refused checkKey'))
  },
)

test.each([`Basic ${btoa('nobody:nothing')}`, 'Basic nonsense', 'Basic'])(
  'finds that %s signs in',
  async (sent) => {
    const fault = mistakes('signIn', (authorization) => authorization === sent)
    expect(await run(fault)).toEqual(found('failure garbage-token-refused signIn'))
  },
)

test('takes another refusal than 401 for a deviation', async () => {
  const fault = answers('checkKey', (reply) => (isSuccess(reply) ? reply : problem(403)))
  expect(await run(fault)).toEqual(found('deviation garbage-token-refused checkKey'))
})

const runFaulty = runOfFaulty('garbage-token-refused')

test.each([
  ['secret-of-a-known-key-unchecked', 'failure garbage-token-refused signIn'],
  ['secret-compared-by-its-beginning', 'failure garbage-token-refused signIn'],
  ['secret-in-any-case', 'failure garbage-token-refused signIn'],
  ['secret-empty', 'failure garbage-token-refused signIn'],
  ['token-compared-by-its-beginning', 'failure garbage-token-refused createTransfer'],
])('finds %s', async (fault, line) => {
  expect((await runFaulty(fault)).found).toContain(line)
})

test.each([
  ['secret-trimmed', 'failure garbage-token-refused signIn'],
  ['key-in-capitals', 'failure garbage-token-refused signIn'],
])('finds %s', async (fault, line) => {
  expect((await runFaulty(fault)).found).toContain(line)
})
