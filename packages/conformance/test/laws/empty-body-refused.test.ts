import { expect, test } from 'vitest'
import { accepts, reads } from './broken.ts'
import { found, HELD, runOf } from './held.ts'

const run = runOf('empty-body-refused', { operations: ['checkKey'] })

test('holds on the right service', async () => {
  expect(await run()).toEqual(HELD)
})

test('finds a request without a body that is accepted', async () => {
  const fault = reads('checkKey', (call) => ({
    ...call,
    body: call.body === '' ? '{"dict_key":"beltrana@example.com"}' : call.body,
  }))
  expect(await run(fault)).toEqual(found('failure empty-body-refused checkKey'))
})

test('finds an array in place of an object', async () => {
  const fault = accepts('checkKey', (body) => Array.isArray(body))
  expect(await run(fault)).toEqual(found('failure empty-body-refused checkKey'))
})
