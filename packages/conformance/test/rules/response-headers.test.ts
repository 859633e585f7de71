import { expect, test } from 'vitest'
import { answers, shows, withHeader } from './broken.ts'
import { withoutNamed } from './contracts.ts'
import { found, HELD, runOf, UNJUDGED } from './held.ts'

const run = runOf('response-headers', { beside: ['example-accepted'], operations: ['checkKey'] })
const undeclared = runOf('response-headers', {
  contract: withoutNamed('headers'),
  beside: ['example-accepted'],
  operations: ['checkKey'],
})

test('holds on the right service', async () => {
  expect(await run()).toEqual(HELD)
})

test('finds an answer without a declared header', async () => {
  const fault = answers('checkKey', (reply) => withHeader(reply, 'x-request-id'))
  expect(await run(fault)).toEqual(found('deviation response-headers checkKey'))
})

test('is not judged where the contract declares no header', async () => {
  expect(await undeclared(answers(undefined, (reply) => withHeader(reply, 'x-request-id')))).toEqual(UNJUDGED)
})

test('leaves what is wrong with the body to another rule', async () => {
  expect(await run(shows('checkKey', ({ owner_name: _, ...body }) => body))).toEqual(HELD)
})
