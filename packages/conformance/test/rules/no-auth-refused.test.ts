import { expect, test } from 'vitest'
import { mistakes } from './broken.ts'
import { found, HELD, runOf } from './held.ts'

const run = runOf('no-auth-refused', { operations: ['checkKey', 'signIn'] })

test('holds on the right service', async () => {
  expect(await run()).toEqual(HELD)
})

test('finds an operation that asks for nobody', async () => {
  const fault = mistakes('checkKey', (authorization) => authorization === '')
  expect(await run(fault)).toEqual(found('failure no-auth-refused checkKey'))
})

test('finds a sign-in that asks for no secret', async () => {
  const fault = mistakes('signIn', (authorization) => authorization === '')
  expect(await run(fault)).toEqual(found('failure no-auth-refused signIn'))
})
