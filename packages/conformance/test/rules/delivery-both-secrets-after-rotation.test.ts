import { expect, test } from 'vitest'
import { found, HELD } from './held.ts'
import { runOf } from './relayed.ts'

const run = runOf('delivery-both-secrets-after-rotation')

test.concurrent('holds on the right service', async () => {
  expect(await run()).toEqual(HELD)
})

test.concurrent('finds an old secret that signs no more', async () => {
  expect(await run('old-secret-dropped-at-once')).toEqual(
    found('deviation delivery-both-secrets-after-rotation rotateWebhookSecret'),
  )
})

test.concurrent('finds a new secret that does not sign yet', async () => {
  expect(await run('signed-with-the-old-secret')).toEqual(
    found('deviation delivery-both-secrets-after-rotation rotateWebhookSecret'),
  )
})

test.concurrent.each([
  ['rotation-of-all-secrets', 'deviation delivery-both-secrets-after-rotation rotateWebhookSecret'],
])('finds %s', async (fault, line) => {
  expect((await run(fault)).found).toContain(line)
})
