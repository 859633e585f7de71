import { expect, test } from 'vitest'
import { answers, withHeader } from './broken.ts'
import { found, HELD, runOf } from './held.ts'

const run = runOf('no-content-is-empty', { beside: ['example-accepted'], operations: ['deleteWebhook'] })

test('holds on the right service', async () => {
  expect(await run()).toEqual(HELD)
})

test('finds a body with 204', async () => {
  const fault = answers('deleteWebhook', (reply) => ({ ...reply, text: '{}' }))
  expect(await run(fault)).toEqual(found('failure no-content-is-empty deleteWebhook'))
})

test('finds a length with 204', async () => {
  const fault = answers('deleteWebhook', (reply) => withHeader(reply, 'content-length', '2'))
  expect(await run(fault)).toEqual(found('failure no-content-is-empty deleteWebhook'))
})

test('finds a coding of a body with 204', async () => {
  const fault = answers('deleteWebhook', (reply) => withHeader(reply, 'transfer-encoding', 'chunked'))
  expect(await run(fault)).toEqual(found('failure no-content-is-empty deleteWebhook'))
})

test('takes a length of nothing for none', async () => {
  const fault = answers('deleteWebhook', (reply) => withHeader(reply, 'content-length', '0'))
  expect(await run(fault)).toEqual(HELD)
})
