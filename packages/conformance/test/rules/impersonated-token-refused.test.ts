import { expect, test } from 'vitest'
import { answers, mistakes, problem } from './broken.ts'
import { found, HELD, runOf } from './held.ts'

const run = runOf('impersonated-token-refused', { operations: ['createWebhook', 'checkKey'] })

test('holds on the right service', async () => {
  expect(await run()).toEqual(HELD)
})

test("finds a customer who does the partner's business", async () => {
  const fault = mistakes('createWebhook')
  expect(await run(fault)).toEqual(found('deviation impersonated-token-refused createWebhook'))
})

test('takes 401 for a refusal too', async () => {
  const fault = answers('createWebhook', (reply) => (reply.status === 403 ? problem(401) : reply))
  expect(await run(fault)).toEqual(HELD)
})

test('takes another refusal for a deviation', async () => {
  const fault = answers('createWebhook', (reply) => (reply.status === 403 ? problem(404) : reply))
  expect(await run(fault)).toEqual(found('deviation impersonated-token-refused createWebhook'))
})
