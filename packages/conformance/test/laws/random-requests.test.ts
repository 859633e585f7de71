import { expect, test } from 'vitest'
import { accepts } from './broken.ts'
import { found, HELD, runOf } from './held.ts'

const run = runOf('random-requests', { operations: ['checkKey'], timeMs: 200 })

test('holds on the right service', async () => {
  expect(await run()).toEqual(HELD)
})

test('finds a request that breaks its schema and is accepted', async () => {
  const fault = accepts('checkKey')
  expect(await run(fault)).toEqual(found('discovery random-requests checkKey'))
})
