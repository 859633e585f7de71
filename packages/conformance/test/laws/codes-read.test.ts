import { expect, test } from 'vitest'
import { HELD } from './held.ts'
import { runOf } from './relayed.ts'

const run = runOf('codes-read')

test('holds on the right service', async () => {
  expect(await run()).toEqual(HELD)
})

test.each([
  ['gui-in-capitals-refused', 'discovery codes-read checkCode'],
  ['accents-in-a-code-refused', 'discovery codes-read checkCode'],
  ['other-template-refused', 'discovery codes-read checkCode'],
])('finds %s', async (fault, line) => {
  expect((await run(fault)).found).toContain(line)
})
