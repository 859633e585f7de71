import { expect, test } from 'vitest'
import { accepts, answers, bodyOf, problem } from './broken.ts'
import { found, HELD, runOf } from './held.ts'

const run = runOf('random-requests', { operations: ['createWebhook'], timeMs: 400 })

test('holds on the right service', async () => {
  expect(await run()).toEqual(HELD)
})

test('finds a request that breaks a fact of its schema and is accepted', async () => {
  const fault = accepts('createWebhook', ({ url }) => url === undefined)
  expect(await run(fault)).toEqual(found('failure random-requests createWebhook'))
})

test('finds a request that breaks an answer of ours and is accepted', async () => {
  const fault = accepts('createWebhook', ({ type, url }) => typeof type === 'string' && URL.canParse(url))
  expect(await run(fault)).toEqual(found('discovery random-requests createWebhook'))
})

test('finds a valid request that is taken for a broken one', async () => {
  const fault = answers('createWebhook', (reply, call) =>
    String(bodyOf(call).url).includes('a') ? problem(400) : reply,
  )
  expect(await run(fault)).toEqual(found('discovery random-requests createWebhook'))
})

test('leaves a failure of the service to the law of failures', async () => {
  const fault = answers('createWebhook', () => problem(500))
  expect(await run(fault)).toEqual({ status: 'not-assessed', found: [] })
})
