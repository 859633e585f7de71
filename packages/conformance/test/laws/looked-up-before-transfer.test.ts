import { expect, test } from 'vitest'
import { accepts, isWhole, refuses } from './broken.ts'
import { found, HELD, runOf, UNJUDGED } from './held.ts'

const run = runOf('looked-up-before-transfer')

test('holds on the right service', async () => {
  expect(await run()).toEqual(HELD)
})

test.each([
  ['of the right form', 'ini_neverissued00000000'],
  ['of one letter', 'x'],
  ['that is a UUID', '00000000-0000-4000-8000-000000000000'],
])('finds a transfer by an initiation_id %s that nobody was given', async (_, id) => {
  const fault = accepts('createTransfer', (body) => isWhole(body) && body.initiation_id === id)
  expect(await run(fault)).toEqual(found('failure looked-up-before-transfer createTransfer'))
})

test('is not judged where no key can be looked up', async () => {
  expect(await run(refuses('checkKey'))).toEqual(UNJUDGED)
})
