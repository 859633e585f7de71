import { expect, test } from 'vitest'
import { found, HELD } from './held.ts'
import { runOf } from './relayed.ts'

const run = runOf('delivery-of-transfers')

test('holds on the right service', async () => {
  expect(await run()).toEqual(HELD)
})

test('finds the event of a transfer under another type', async () => {
  expect(await run('event-of-an-unknown-type')).toEqual(
    found('discovery delivery-of-transfers createTransfer'),
  )
})
