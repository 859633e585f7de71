import { expect, test } from 'vitest'
import { bodyOf, reads } from './broken.ts'
import { found, HELD, runOf } from './held.ts'

const run = runOf('beneficiary-compared')

test('holds on the right service', async () => {
  expect(await run()).toEqual(HELD)
})

test('finds a transfer to someone else than it names', async () => {
  const fault = reads('createTransfer', (call) => {
    const { beneficiary: _, ...body } = bodyOf(call)
    return { ...call, body: JSON.stringify(body) }
  })
  expect(await run(fault)).toEqual(found('discovery beneficiary-compared createTransfer'))
})
