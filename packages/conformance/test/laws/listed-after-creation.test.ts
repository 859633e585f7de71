import { expect, test } from 'vitest'
import { answers, refuses } from './broken.ts'
import { found, HELD, runOf, UNJUDGED } from './held.ts'

const run = runOf('listed-after-creation', { operations: ['createWebhook', 'createStaticQrCode'] })

test('holds on the right service', async () => {
  expect(await run()).toEqual(HELD)
})

test('finds a list without what was created', async () => {
  const fault = answers('listWebhooks', (reply) => ({ ...reply, text: '[]' }))
  expect(await run(fault)).toEqual(found('failure listed-after-creation listWebhooks'))
})

test('is not judged where the list cannot be had', async () => {
  expect(await run(refuses('listWebhooks'))).toEqual(UNJUDGED)
})
