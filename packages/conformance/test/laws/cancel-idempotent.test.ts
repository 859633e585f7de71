import { expect, test } from 'vitest'
import type { Reply } from '../../src/run/wire.ts'
import { answers, type Fault, problem, withBody } from './broken.ts'
import { found, HELD, runOf } from './held.ts'

const run = runOf('cancel-idempotent', {
  operations: ['createImmediateQrCode', 'listImmediateQrCodes', 'cancelImmediateQrCode'],
})

test('holds on the right service', async () => {
  expect(await run()).toEqual(HELD)
})

test('finds a second cancellation that is refused', async () => {
  const fault = secondTime(() => problem(409))
  expect(await run(fault)).toEqual(found('discovery cancel-idempotent cancelImmediateQrCode'))
})

test('finds a second cancellation that counts as a change', async () => {
  const fault = secondTime((reply) => withBody(reply, (body) => ({ ...body, revision: body.revision + 1 })))
  expect(await run(fault)).toEqual(found('discovery cancel-idempotent cancelImmediateQrCode'))
})

/** Changes the answer to a charge that was cancelled before. */
function secondTime(change: (reply: Reply) => Reply): Fault {
  const seen = new Set<string>()
  return answers('cancelImmediateQrCode', (reply, call) => {
    if (seen.has(call.path)) return change(reply)
    seen.add(call.path)
    return reply
  })
}
