import { expect, test } from 'vitest'
import { answers, isSuccess, shows, withBody, withHeader } from './broken.ts'
import { withoutNamed } from './contracts.ts'
import { found, HELD, runOf, UNJUDGED } from './held.ts'
import { runOf as runOfFaulty } from './relayed.ts'

const run = runOf('request-id', { beside: ['no-auth-refused'], operations: ['checkKey'] })
const unnamed = runOf('request-id', {
  contract: withoutNamed('x-request-id'),
  beside: ['no-auth-refused'],
  operations: ['checkKey'],
})

test('holds on the right service', async () => {
  expect(await run()).toEqual(HELD)
})

test('finds an answer without a name', async () => {
  const fault = answers('checkKey', (reply) => withHeader(reply, 'x-request-id'))
  expect(await run(fault)).toEqual(found('deviation request-id checkKey'))
})

test('finds an error that has another name in its body', async () => {
  const fault = answers('checkKey', (reply) =>
    isSuccess(reply) ? reply : withBody(reply, (body) => ({ ...body, request_id: 'req_other' })),
  )
  expect(await run(fault)).toEqual(found('deviation request-id checkKey'))
})

test('says nothing of the body of a success', async () => {
  const fault = shows('checkKey', (body) => ({ ...body, request_id: 'req_other' }))
  expect(await run(fault)).toEqual(HELD)
})

test('is not judged where the contract has no such header', async () => {
  expect(await unnamed(answers(undefined, (reply) => withHeader(reply, 'x-request-id')))).toEqual(UNJUDGED)
})

test('finds one name for several answers', async () => {
  const fault = answers('checkKey', (reply) =>
    isSuccess(reply) ? withHeader(reply, 'x-request-id', 'req_1') : reply,
  )
  expect(await run(fault)).toEqual(found('deviation request-id checkKey'))
})

const runFaulty = runOfFaulty('request-id')

test.each([['forbidden-without-request-id', 'deviation request-id getUser']])(
  'finds %s',
  async (fault, line) => {
    expect((await runFaulty(fault)).found).toContain(line)
  },
)
