import { expect, test } from 'vitest'
import { found, HELD } from './held.ts'
import { runOf } from './relayed.ts'

const run = runOf('balances-move-once')

test('holds on the right service', async () => {
  expect(await run()).toEqual(HELD)
})

test('finds a balance that stays', async () => {
  expect(await run('balance-stays')).toEqual(found('failure balances-move-once createTransfer'))
})

test('finds a balance that moves twice', async () => {
  expect(await run('balance-moves-twice')).toEqual(found('failure balances-move-once createTransfer'))
})

test('finds a receiver who gets nothing', async () => {
  expect(await run('receiver-not-credited')).toEqual(found('failure balances-move-once createTransfer'))
})

test('finds a refused transfer that takes money', async () => {
  expect(await run('refused-transfer-debited')).toEqual(found('failure balances-move-once createTransfer'))
})

test.each([['overdraft-of-a-real', 'deviation balances-move-once createTransfer']])(
  'finds %s',
  async (fault, line) => {
    expect((await run(fault)).found).toContain(line)
  },
)
