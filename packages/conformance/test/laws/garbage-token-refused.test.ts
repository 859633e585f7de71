import { expect, test } from 'vitest'
import { answers, isSuccess, mistakes, problem } from './broken.ts'
import { found, HELD, runOf } from './held.ts'
import { runOf as runOfFaulty } from './relayed.ts'

const run = runOf('garbage-token-refused', { operations: ['checkKey', 'signIn'] })

test('holds on the right service', async () => {
  expect(await run()).toEqual(HELD)
})

test('finds a token that nobody was given and that is taken', async () => {
  const fault = mistakes('checkKey', (authorization) => authorization.startsWith('Bearer AAAA'))
  expect(await run(fault)).toEqual(found('failure garbage-token-refused checkKey'))
})

test('finds a client that nobody knows and that signs in', async () => {
  const fault = mistakes('signIn')
  expect(await run(fault)).toEqual(found('failure garbage-token-refused signIn'))
})

test('takes another refusal than 401 for a discovery', async () => {
  const fault = answers('checkKey', (reply) => (isSuccess(reply) ? reply : problem(403)))
  expect(await run(fault)).toEqual(found('discovery garbage-token-refused checkKey'))
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
