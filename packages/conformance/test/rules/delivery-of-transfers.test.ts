import { expect, test } from 'vitest'
import type { Relay } from '../faulty/world.ts'
import { found, HELD } from './held.ts'
import { ofAnotherId, runOf, twice } from './relayed.ts'

const run = runOf('delivery-of-transfers')

test.concurrent('holds on the right service', async () => {
  expect(await run()).toEqual(HELD)
})

test.concurrent('finds the event of a transfer under another type', async () => {
  expect(await run('event-of-an-unknown-type')).toEqual(
    found('deviation delivery-of-transfers createTransfer'),
  )
})

test.concurrent('finds a transfer that is told to nobody', async () => {
  const silent: Relay = async (posted, send) =>
    JSON.parse(posted.body).type.startsWith('transfer.') ? 204 : send(posted)
  expect(await run(silent)).toEqual(found('deviation delivery-of-transfers createTransfer'))
})

test.concurrent('finds the end of a transfer that is told by two events', async () => {
  expect(await run(twice(ofAnotherId))).toEqual(found('deviation delivery-of-transfers createTransfer'))
})

test.concurrent('takes the same delivery twice for what networks make of one', async () => {
  expect(await run(twice())).toEqual(HELD)
})

test.each([
  ['settlement-by-code-not-told', 'deviation delivery-of-transfers createTransfer'],
  ['transfers-of-customers-not-told', 'deviation delivery-of-transfers createTransfer'],
])('finds %s', async (fault, line) => {
  expect((await run(fault)).found).toContain(line)
})
