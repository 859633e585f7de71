import { expect, test } from 'vitest'
import { accepts } from './broken.ts'
import { found, HELD, runOf } from './held.ts'

const run = runOf('codes-checked')

test('holds on the right service', async () => {
  expect(await run()).toEqual(HELD)
})

test('finds a code that is read without its checksum', async () => {
  const fault = accepts('checkCode', ({ emv }) => emv.startsWith('000201'))
  expect(await run(fault)).toEqual(found('discovery codes-checked checkCode'))
})

test('finds a code that is paid without its checksum', async () => {
  const fault = accepts('createTransfer', ({ emv }) => emv.startsWith('000201'))
  expect(await run(fault)).toEqual(found('discovery codes-checked createTransfer'))
})
