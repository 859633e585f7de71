import { expect, test } from 'vitest'
import { answers, isSuccess, problem, reads } from './broken.ts'
import { found, HELD, runOf } from './held.ts'

const run = runOf('empty-body-refused', { operations: ['checkKey', 'getUser'] })

test('holds on the right service', async () => {
  expect(await run()).toEqual(HELD)
})

test.each(['', 'null', '[]', '""'])('finds that %j is taken for a body', async (empty) => {
  const fault = reads('checkKey', (call) => ({
    ...call,
    body: call.body === empty ? '{"dict_key":"beltrana@example.com"}' : call.body,
  }))
  expect(await run(fault)).toEqual(found('failure empty-body-refused checkKey'))
})

test('finds a failure in place of a refusal', async () => {
  const fault = answers('checkKey', (reply) => (isSuccess(reply) ? reply : problem(500)))
  expect(await run(fault)).toEqual(found('failure empty-body-refused checkKey'))
})
