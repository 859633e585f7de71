import { expect, test } from 'vitest'
import { reads } from './broken.ts'
import { found, HELD, runOf } from './held.ts'

const run = runOf('duplicate-keys-last', { operations: ['checkKey', 'getUser'] })

test('holds on the right service', async () => {
  expect(await run()).toEqual(HELD)
})

test('finds a member that counts by its first value', async () => {
  const fault = reads('checkKey', (call) => ({
    ...call,
    body: call.body?.replace(/,"dict_key":7\}$/, '}'),
  }))
  expect(await run(fault)).toEqual(found('deviation duplicate-keys-last checkKey'))
})
