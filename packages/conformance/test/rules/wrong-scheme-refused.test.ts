import { expect, test } from 'vitest'
import { mistakes } from './broken.ts'
import { found, HELD, runOf } from './held.ts'
import { runOf as runOfFaulty } from './relayed.ts'

const run = runOf('wrong-scheme-refused', { operations: ['checkKey', 'signIn'] })

test('holds on the right service', async () => {
  expect(await run()).toEqual(HELD)
})

test('finds credentials that open an operation without a token', async () => {
  const fault = mistakes('checkKey', (authorization) => authorization.startsWith('Basic'))
  expect(await run(fault)).toEqual(found('failure wrong-scheme-refused checkKey'))
})

test('finds a token that signs in', async () => {
  const fault = mistakes('signIn', (authorization) => authorization.startsWith('Bearer'))
  expect(await run(fault)).toEqual(found('failure wrong-scheme-refused signIn'))
})

const runFaulty = runOfFaulty('wrong-scheme-refused')

test.each([
  ['token-without-a-scheme', 'failure wrong-scheme-refused listUsers'],
  ['token-under-basic', 'failure wrong-scheme-refused updateWebhook'],
])('finds %s', async (fault, line) => {
  expect((await runFaulty(fault)).found).toContain(line)
})

test.each([['token-in-the-query', 'failure wrong-scheme-refused listWebhooks']])(
  'finds %s',
  async (fault, line) => {
    expect((await runFaulty(fault)).found).toContain(line)
  },
)
