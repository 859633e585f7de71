import { expect, test } from 'vitest'
import { both, mistakes, shows } from './broken.ts'
import { found, HELD, runOf, UNJUDGED } from './held.ts'
import { runOf as runOfFaulty } from './relayed.ts'

const run = runOf('refresh-token-refused', { operations: ['checkKey'] })

test('holds on the right service', async () => {
  expect(await run()).toEqual(HELD)
})

test('finds a refresh token that opens an operation', async () => {
  const fault = mistakes('checkKey')
  expect(await run(fault)).toEqual(found('failure refresh-token-refused checkKey'))
})

test('is not judged where no refresh token was given', async () => {
  const none = (operation: string) => shows(operation, ({ refresh_token: _, ...body }) => body)
  expect(await run(both(none('signIn'), none('impersonate')))).toEqual(UNJUDGED)
})

const runFaulty = runOfFaulty('refresh-token-refused')

test.each([['refresh-token-of-a-customer-taken', 'failure refresh-token-refused checkKey']])(
  'finds %s',
  async (fault, line) => {
    expect((await runFaulty(fault)).found).toContain(line)
  },
)

test.each([['refresh-token-rotates', 'failure refresh-token-refused rotateWebhookSecret']])(
  'finds %s',
  async (fault, line) => {
    expect((await runFaulty(fault)).found).toContain(line)
  },
)
