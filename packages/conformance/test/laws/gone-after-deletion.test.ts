import { expect, test } from 'vitest'
import { accepts, refuses } from './broken.ts'
import { without } from './contracts.ts'
import { found, HELD, runOf, UNJUDGED } from './held.ts'

const run = runOf('gone-after-deletion', { operations: ['createWebhook', 'createImmediateQrCode'] })
const unread = runOf('gone-after-deletion', {
  contract: without('getWebhook'),
  operations: ['createWebhook'],
})

test('holds on the right service', async () => {
  expect(await run()).toEqual(HELD)
})

test('finds a record that can still be read', async () => {
  const fault = accepts('getWebhook')
  expect(await run(fault)).toEqual(found('failure gone-after-deletion getWebhook'))
})

test('is not judged where the deletion is refused', async () => {
  expect(await run(refuses('deleteWebhook'))).toEqual(UNJUDGED)
})

test('is not judged where nothing reads the records', async () => {
  expect(await unread()).toEqual(UNJUDGED)
})
