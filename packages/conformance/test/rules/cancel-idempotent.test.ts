import { expect, test } from 'vitest'
import type { HttpResponse } from '../../src/model/http.ts'
import { answers, type Fault, problem, refuses, withBody } from './broken.ts'
import { CHARGES, found, HELD, runOf, UNJUDGED, WEBHOOKS } from './held.ts'

const run = runOf('cancel-idempotent', { operations: [...CHARGES, ...WEBHOOKS] })

test('holds on the right service', async () => {
  expect(await run()).toEqual(HELD)
})

test('finds a second cancellation that is refused', async () => {
  const fault = secondTime(() => problem(409))
  expect(await run(fault)).toEqual(found('deviation cancel-idempotent cancelImmediateQrCode'))
})

test.each(['status', 'revision', 'updated_at'])(
  'finds a second cancellation that changes %s',
  async (name) => {
    const fault = secondTime((reply) => withBody(reply, (body) => ({ ...body, [name]: 'another' })))
    expect(await run(fault)).toEqual(found('deviation cancel-idempotent cancelImmediateQrCode'))
  },
)

test('is not judged where the first cancellation is refused', async () => {
  expect(await run(refuses('cancelImmediateQrCode'))).toEqual(UNJUDGED)
})

test('finds a second cancellation that is refused with the record', async () => {
  const fault = secondTime((reply) => ({ ...reply, status: 409 }))
  expect(await run(fault)).toEqual(found('deviation cancel-idempotent cancelImmediateQrCode'))
})

/** Changes the answer to a charge that was cancelled before. */
function secondTime(change: (reply: HttpResponse) => HttpResponse): Fault {
  const seen = new Set<string>()
  return answers('cancelImmediateQrCode', (reply, call) => {
    if (seen.has(call.path)) return change(reply)
    seen.add(call.path)
    return reply
  })
}
