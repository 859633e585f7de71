import { expect, test } from 'vitest'
import { accepts } from './broken.ts'
import { found, HELD, runOf } from './held.ts'

const run = runOf('keys-checked')

test('holds on the right service', async () => {
  expect(await run()).toEqual(HELD)
})

test('finds an owner of what is no key', async () => {
  const fault = accepts('checkKey', ({ dict_key }) => dict_key === 'not a key')
  expect(await run(fault)).toEqual(found('discovery keys-checked checkKey'))
})

test('finds an owner of the key of nobody', async () => {
  const fault = accepts('checkKey', ({ dict_key }) => dict_key.startsWith('nobody'))
  expect(await run(fault)).toEqual(found('discovery keys-checked checkKey'))
})
