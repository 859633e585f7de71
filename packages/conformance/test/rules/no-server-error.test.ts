import { expect, test } from 'vitest'
import { answers, isSuccess, problem } from './broken.ts'
import { found, HELD, runOf } from './held.ts'

const run = runOf('no-server-error', { beside: ['break-refused'], operations: ['checkKey'] })
const alone = runOf('no-server-error', { operations: ['checkKey'] })

test('holds on the right service', async () => {
  expect(await run()).toEqual(HELD)
})

test('finds a refusal that became a failure of the service', async () => {
  const fault = answers('checkKey', (reply) => (isSuccess(reply) ? reply : problem(500)))
  expect(await run(fault)).toEqual(found('failure no-server-error checkKey'))
})

test('takes 503 for a deviation: it says that the condition is temporary', async () => {
  const fault = answers('checkKey', (reply) => (isSuccess(reply) ? reply : problem(503)))
  expect(await run(fault)).toEqual(found('deviation no-server-error checkKey'))
})

test('brings about what no other rule sends', async () => {
  const fault = answers('checkKey', (reply, call) => (call.body?.includes('[[[[') ? problem(500) : reply))
  expect(await alone(fault)).toEqual(found('failure no-server-error checkKey'))
})
