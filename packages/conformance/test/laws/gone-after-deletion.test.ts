import { expect, test } from 'vitest'
import { accepts } from './broken.ts'
import { found, HELD, runOf } from './held.ts'
import { runOf as runOfFaulty } from './relayed.ts'

const run = runOf('gone-after-deletion', { operations: ['createWebhook'] })

test('holds on the right service', async () => {
  expect(await run()).toEqual(HELD)
})

test('finds a record that can still be read', async () => {
  const fault = accepts('getWebhook')
  expect(await run(fault)).toEqual(found('failure gone-after-deletion getWebhook'))
})

const runFaulty = runOfFaulty('gone-after-deletion')

test.each([
  ['deleted-webhook-changed', 'failure gone-after-deletion updateWebhook'],
  ['deleted-secret-rotated', 'failure gone-after-deletion rotateWebhookSecret'],
])('finds %s', async (fault, line) => {
  expect((await runFaulty(fault)).found).toContain(line)
})
