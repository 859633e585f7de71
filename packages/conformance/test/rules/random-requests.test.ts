import { expect, test } from 'vitest'
import { accepts, alters, type Body, bodyOf, isSuccess, problem } from './broken.ts'
import { found, NOT_ASSESSED, PASSED, runOf } from './in-process.ts'

const run = runOf('random-requests', { operations: ['createWebhook'], timeMs: 400 })

test('holds on the right service', async () => {
  expect(await run()).toEqual(PASSED)
})

test('finds a request that breaks a fact of its schema and is accepted', async () => {
  const fault = accepts('createWebhook', ({ url }) => url === undefined)
  expect(await run(fault)).toEqual(found('failure random-requests createWebhook'))
})

test('finds a request that breaks an answer of ours and is accepted', async () => {
  // Types are facts, and a list of one address would be parsed as that address.
  const areTexts = ({ type, url }: Body) => typeof type === 'string' && typeof url === 'string'
  const fault = accepts('createWebhook', (body) => areTexts(body) && URL.canParse(body.url))
  expect(await run(fault)).toEqual(found('deviation random-requests createWebhook'))
})

test('finds a valid request that is taken for a broken one', async () => {
  const fault = alters('createWebhook', (reply, call) =>
    bodyOf(call).type === 'qrcode' ? problem(400, 'invalid_request') : reply,
  )
  expect(await run(fault)).toEqual(found('deviation random-requests createWebhook'))
})

test('leaves a failure of the service to the rule of failures', async () => {
  const fault = alters('createWebhook', () => problem(500))
  expect(await run(fault)).toEqual(NOT_ASSESSED)
})

test.each([
  { kind: 'valid', seen: NOT_ASSESSED },
  { kind: 'failed', seen: PASSED },
])('says nothing of a $kind request that the service fails at', async ({ kind, seen }) => {
  const fault = alters('createWebhook', (reply) =>
    isSuccess(reply) === (kind === 'valid') ? problem(500) : reply,
  )
  expect(await run(fault)).toEqual(seen)
})
