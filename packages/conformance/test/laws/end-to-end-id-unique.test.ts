import { expect, test } from 'vitest'
import { found, HELD } from './held.ts'
import { runOf } from './relayed.ts'

const run = runOf('end-to-end-id-unique')

test('holds on the right service', async () => {
  expect(await run()).toEqual(HELD)
})

test('finds an id that two transfers have', async () => {
  expect(await run('end-to-end-id-reused')).toEqual(found('discovery end-to-end-id-unique createTransfer'))
})
