import { expect, test } from 'vitest'
import { alters, problem } from './broken.ts'
import { found, PASSED, runOf } from './in-process.ts'
import { runOf as runOfFaulty } from './over-http.ts'

const run = runOf('method-not-allowed', { operations: ['getUser'] })

test('holds on the right service', async () => {
  expect(await run()).toEqual(PASSED)
})

test('finds a wrong method that is answered as an unknown path', async () => {
  const fault = alters(undefined, (reply) => (reply.status === 405 ? problem(404) : reply))
  expect(await run(fault)).toEqual(found('deviation method-not-allowed getUser'))
})

test('looks at no path that it was not asked about', async () => {
  const fault = alters(undefined, (reply, { path }) =>
    reply.status === 405 && !path.includes('/partner/user/') ? problem(404) : reply,
  )
  expect(await run(fault)).toEqual(PASSED)
})

const runFaulty = runOfFaulty('method-not-allowed')

test.each([
  ['put-changes-a-webhook', 'deviation method-not-allowed getWebhook'],
  ['post-rotates-a-secret', 'deviation method-not-allowed rotateWebhookSecret'],
  ['options-crash', 'deviation method-not-allowed createTransfer'],
])('finds %s', async (fault, line) => {
  expect((await runFaulty(fault)).found).toContain(line)
})
