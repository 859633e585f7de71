import { expect, test } from 'vitest'
import { answers, isSuccess, withBody, withHeader } from './broken.ts'
import { found, HELD, runOf } from './held.ts'

const run = runOf('request-id', { beside: ['no-auth-refused'], operations: ['checkKey'] })

test('holds on the right service', async () => {
  expect(await run()).toEqual(HELD)
})

test('finds an answer without a name', async () => {
  const fault = answers('checkKey', (reply) => withHeader(reply, 'x-request-id'))
  expect(await run(fault)).toEqual(found('discovery request-id checkKey'))
})

test('finds an error that has another name in its body', async () => {
  const fault = answers('checkKey', (reply) =>
    isSuccess(reply) ? reply : withBody(reply, (body) => ({ ...body, request_id: 'req_other' })),
  )
  expect(await run(fault)).toEqual(found('discovery request-id checkKey'))
})

test('finds one name for several answers', async () => {
  const fault = answers('checkKey', (reply) =>
    isSuccess(reply) ? withHeader(reply, 'x-request-id', 'req_1') : reply,
  )
  expect(await run(fault)).toEqual(found('discovery request-id checkKey'))
})
