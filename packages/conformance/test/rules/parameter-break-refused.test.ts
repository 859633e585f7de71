import { expect, test } from 'vitest'
import { accepts, answers, isSuccess, problem } from './broken.ts'
import { found, HELD, runOf, UNJUDGED } from './held.ts'
import { runOf as runOfFaulty } from './relayed.ts'

const run = runOf('parameter-break-refused', { operations: ['listImmediateQrCodes'] })

test('holds on the right service', async () => {
  expect(await run()).toEqual(HELD)
})

test('finds a parameter that is taken beyond its edge', async () => {
  const fault = accepts('listImmediateQrCodes', (_, call) => call.path.includes('limit='))
  expect(await run(fault)).toEqual(found('deviation parameter-break-refused listImmediateQrCodes'))
})

test('is not judged where the service fails', async () => {
  const fault = answers('listImmediateQrCodes', (reply) => (isSuccess(reply) ? reply : problem(500)))
  expect(await run(fault)).toEqual(UNJUDGED)
})

test('finds a parameter that is taken twice', async () => {
  const fault = accepts('listImmediateQrCodes', (_, call) => /status=.*status=/.test(call.path))
  expect(await run(fault)).toEqual(found('deviation parameter-break-refused listImmediateQrCodes'))
})

const runFaulty = runOfFaulty('parameter-break-refused')

test.each([['filter-with-dots-taken', 'deviation parameter-break-refused listDueDateQrCodes']])(
  'finds %s',
  async (fault, line) => {
    expect((await runFaulty(fault)).found).toContain(line)
  },
)
