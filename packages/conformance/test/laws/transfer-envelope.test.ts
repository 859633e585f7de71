import { expect, test } from 'vitest'
import { answers, withBody } from './broken.ts'
import { found, HELD, runOf } from './held.ts'

const run = runOf('transfer-envelope', { beside: ['example-accepted'], operations: ['createTransfer'] })

test('holds on the right service', async () => {
  expect(await run()).toEqual(HELD)
})

test('finds an id that is not the one of data', async () => {
  const fault = answers('createTransfer', (reply) => withBody(reply, (body) => ({ ...body, id: 'other' })))
  expect(await run(fault)).toEqual(found('discovery transfer-envelope createTransfer'))
})

test('finds a status that is not the one of data', async () => {
  const fault = answers('createTransfer', (reply) =>
    withBody(reply, (body) => ({ ...body, status: 'rejected' })),
  )
  expect(await run(fault)).toEqual(found('discovery transfer-envelope createTransfer'))
})

test('says nothing of a refusal', async () => {
  const fault = answers('createTransfer', (reply) => ({
    ...withBody(reply, (body) => ({ ...body, id: 'other' })),
    status: 422,
  }))
  expect(await run(fault)).toEqual({
    status: 'not-assessed',
    found: ['discovery example-accepted createTransfer'],
  })
})
