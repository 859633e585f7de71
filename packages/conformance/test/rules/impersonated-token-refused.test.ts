import { expect, test } from 'vitest'
import { alters, mistakes, problem } from './broken.ts'
import { found, PASSED, runOf } from './in-process.ts'

const run = runOf('impersonated-token-refused', { operations: ['createWebhook', 'checkKey'] })

test('holds on the right service', async () => {
  expect(await run()).toEqual(PASSED)
})

test("finds a customer who does the partner's business", async () => {
  const fault = mistakes('createWebhook')
  expect(await run(fault)).toEqual(found('deviation impersonated-token-refused createWebhook'))
})

test('takes 401 for a refusal too', async () => {
  const fault = alters('createWebhook', (reply) => (reply.status === 403 ? problem(401) : reply))
  expect(await run(fault)).toEqual(PASSED)
})

test('takes another refusal for a deviation', async () => {
  const fault = alters('createWebhook', (reply) => (reply.status === 403 ? problem(404) : reply))
  expect(await run(fault)).toEqual(found('deviation impersonated-token-refused createWebhook'))
})
