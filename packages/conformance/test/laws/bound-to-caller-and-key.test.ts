import { expect, test } from 'vitest'
import { accepts, mistakes } from './broken.ts'
import { found, HELD, runOf } from './held.ts'

const run = runOf('bound-to-caller-and-key')

test('holds on the right service', async () => {
  expect(await run()).toEqual(HELD)
})

test('finds a look-up that pays another key', async () => {
  const fault = accepts('createTransfer', ({ dict_key }) => dict_key !== 'beltrana@example.com')
  expect(await run(fault)).toEqual(found('discovery bound-to-caller-and-key createTransfer'))
})

test('finds a look-up that pays for another caller', async () => {
  const fault = mistakes('createTransfer')
  expect(await run(fault)).toEqual(found('discovery bound-to-caller-and-key createTransfer'))
})
