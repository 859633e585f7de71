import { expect, test } from 'vitest'
import { accepts } from './broken.ts'
import { found, HELD, runOf } from './held.ts'

const run = runOf('odd-ids-refused', { operations: ['getUser'] })

test('holds on the right service', async () => {
  expect(await run()).toEqual(HELD)
})

test('finds a record under an id of nothing', async () => {
  const fault = accepts('getUser')
  expect(await run(fault)).toEqual(found('discovery odd-ids-refused getUser'))
})
