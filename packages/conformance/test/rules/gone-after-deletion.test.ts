import { expect, test } from 'vitest'
import { accepts, both, refuses } from './broken.ts'
import { without } from './contracts.ts'
import { CHARGES, found, HELD, runOf, UNJUDGED, WEBHOOKS } from './held.ts'
import { runOf as runOfFaulty } from './relayed.ts'

const run = runOf('gone-after-deletion', { operations: [...WEBHOOKS, ...CHARGES] })
const unread = runOf('gone-after-deletion', {
  contract: without('getWebhook'),
  operations: WEBHOOKS.filter((it) => it !== 'getWebhook'),
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

test('is judged by changes where nothing reads the records', async () => {
  expect(await unread()).toEqual(HELD)
})

test('is not judged by what was refused before the deletion too', async () => {
  const fault = both(refuses('updateWebhook', 404), refuses('rotateWebhookSecret', 404))
  expect(await unread(fault)).toEqual(UNJUDGED)
})

const runFaulty = runOfFaulty('gone-after-deletion')

test.each([
  ['deleted-webhook-changed', 'failure gone-after-deletion updateWebhook'],
  ['deleted-secret-rotated', 'failure gone-after-deletion rotateWebhookSecret'],
])('finds %s', async (fault, line) => {
  expect((await runFaulty(fault)).found).toContain(line)
})

test.each([['inactive-webhook-not-deleted', 'failure gone-after-deletion deleteWebhook']])(
  'finds %s',
  async (fault, line) => {
    expect((await runFaulty(fault)).found).toContain(line)
  },
)
