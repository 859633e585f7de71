import { expect, test } from 'vitest'
import type { Relay } from '../faulty/world.ts'
import { found, HELD } from './held.ts'
import { runOf } from './relayed.ts'

const run = runOf('rejection-told')

test.concurrent('holds on the right service', async () => {
  expect(await run()).toEqual(HELD)
})

test.concurrent('finds a rejection that is told to nobody', async () => {
  expect(await run('rejection-not-told')).toEqual(found('deviation rejection-told createTransfer'))
})

test.concurrent.each([['rejection-told-as-settled', 'deviation rejection-told createTransfer']])(
  'finds %s',
  async (fault, line) => {
    expect((await run(fault)).found).toContain(line)
  },
)

test.concurrent('finds a rejection that is told without its reason', async () => {
  expect(await run(withoutReason)).toEqual(found('deviation rejection-told createTransfer'))
})

const withoutReason: Relay = (posted, send) => {
  const { rejection_message: _, ...data } = JSON.parse(posted.body).data
  return send({ ...posted, body: JSON.stringify({ ...JSON.parse(posted.body), data }) })
}
