import { expect, test } from 'vitest'
import { HELD } from './held.ts'
import { runOf } from './relayed.ts'

const run = runOf('private-urls-refused')

test('holds on the right service', async () => {
  expect(await run()).toEqual(HELD)
})

test.each([
  ['private-url-taken', 'discovery private-urls-refused createWebhook'],
  ['http-url-taken', 'discovery private-urls-refused createWebhook'],
  ['update-to-a-private-url', 'discovery private-urls-refused updateWebhook'],
])('finds %s', async (fault, line) => {
  expect((await run(fault)).found).toContain(line)
})
