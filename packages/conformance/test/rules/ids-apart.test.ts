import { expect, test } from 'vitest'
import { HELD } from './held.ts'
import { runOf } from './relayed.ts'

const run = runOf('ids-apart')

test('holds on the right service', async () => {
  expect(await run()).toEqual(HELD)
})

test.each([
  ['static-codes-share-an-id', 'deviation ids-apart createStaticQrCode'],
  ['transfers-share-an-id', 'deviation ids-apart createTransfer'],
  ['webhooks-share-a-secret', 'deviation ids-apart createWebhook'],
  ['look-ups-share-an-id', 'deviation ids-apart checkKey'],
])('finds %s', async (fault, line) => {
  expect((await run(fault)).found).toContain(line)
})
