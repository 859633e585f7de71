import { expect, test } from 'vitest'
import { found, HELD } from './held.ts'
import { runOf } from './relayed.ts'

const run = runOf('updated-at-moves')

test('holds on the right service', async () => {
  expect(await run()).toEqual(HELD)
})

test('finds an update that leaves updated_at', async () => {
  expect(await run('updated-at-stays')).toEqual(found('failure updated-at-moves updateWebhook'))
})

test('finds a cancellation that leaves updated_at', async () => {
  expect(await run('updated-at-stays-on-cancellation')).toEqual(
    found('failure updated-at-moves cancelImmediateQrCode'),
  )
})
