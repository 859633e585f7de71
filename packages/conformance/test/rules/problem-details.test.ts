import { expect, test } from 'vitest'
import { answers, type Body, type Fault, isSuccess, withBody, withHeader } from './broken.ts'
import { withoutNamed } from './contracts.ts'
import { found, HELD, runOf, UNJUDGED } from './held.ts'
import { runOf as runOfFaulty } from './relayed.ts'

const run = runOf('problem-details', { beside: ['no-auth-refused'], operations: ['checkKey'] })
const unpromised = runOf('problem-details', {
  contract: withoutNamed('application/problem+json'),
  beside: ['no-auth-refused'],
  operations: ['checkKey'],
})

test('holds on the right service', async () => {
  expect(await run()).toEqual(HELD)
})

test('finds an error that is no problem details', async () => {
  const fault = answers('checkKey', (reply) =>
    isSuccess(reply) ? reply : withHeader(reply, 'content-type', 'application/json'),
  )
  expect(await run(fault)).toEqual(found('deviation problem-details checkKey'))
})

test('finds a status in the body that is not the status of the answer', async () => {
  const fault = answers('checkKey', (reply) =>
    isSuccess(reply) ? reply : withBody(reply, (body) => ({ ...body, status: 400 })),
  )
  expect(await run(fault)).toEqual(found('deviation problem-details checkKey'))
})

test.each(['type', 'title', 'status', 'code'])('finds problem details without their %s', async (name) => {
  const fault = errors(({ [name]: _, ...body }) => body)
  expect(await run(fault)).toEqual(found('deviation problem-details checkKey'))
})

test('takes problem details with a charset for right', async () => {
  const fault = answers('checkKey', (reply) =>
    isSuccess(reply) ? reply : withHeader(reply, 'content-type', 'application/problem+json; charset=utf-8'),
  )
  expect(await run(fault)).toEqual(HELD)
})

test('leaves the request id to a rule of its own', async () => {
  expect(await run(errors(({ request_id: _, ...body }) => body))).toEqual(HELD)
})

test('is not judged where the contract promises none', async () => {
  expect(await unpromised()).toEqual(UNJUDGED)
})

/** Errors of an operation with another body. */
function errors(change: (body: Body) => unknown): Fault {
  return answers('checkKey', (reply) => (isSuccess(reply) ? reply : withBody(reply, change)))
}

const runFaulty = runOfFaulty('problem-details')

test.each([['unknown-code-is-plain-text', 'deviation problem-details cancelDueDateQrCode']])(
  'finds %s',
  async (fault, line) => {
    expect((await runFaulty(fault)).found).toContain(line)
  },
)
