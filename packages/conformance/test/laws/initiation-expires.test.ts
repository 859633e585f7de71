import { expect, test } from 'vitest'
import { found, HELD } from './held.ts'
import { runOf } from './relayed.ts'

const run = runOf('initiation-expires')

test('holds on the right service', async () => {
  expect(await run()).toEqual(HELD)
})

test('finds a look-up that is good for ever', async () => {
  expect(await run('old-initiation-pays')).toEqual(found('discovery initiation-expires createTransfer'))
})

test.each([
  ['new-look-up-ends-the-old', 'discovery initiation-expires createTransfer'],
  ['initiation-ends-after-ten-minutes', 'discovery initiation-expires createTransfer'],
])('finds %s', async (fault, line) => {
  expect((await run(fault)).found).toContain(line)
})
