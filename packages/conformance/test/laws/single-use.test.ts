import { expect, test } from 'vitest'
import { accepts, race } from './broken.ts'
import { found, HELD, runOf } from './held.ts'

const run = runOf('single-use')

test('holds on the right service', async () => {
  expect(await run()).toEqual(HELD)
})

test('finds an initiation_id that pays again', async () => {
  const fault = accepts('createTransfer')
  expect(await run(fault)).toEqual(found('discovery single-use createTransfer'))
})

test('finds an initiation_id that pays twice at once', async () => {
  expect(await run(race('createTransfer'))).toEqual(found('discovery single-use createTransfer'))
})
