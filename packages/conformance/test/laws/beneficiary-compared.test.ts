import { expect, test } from 'vitest'
import { bodyOf, reads, refuses } from './broken.ts'
import { found, HELD, runOf, UNJUDGED } from './held.ts'

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

test('is not judged where no key can be looked up', async () => {
  expect(await run(refuses('checkKey'))).toEqual(UNJUDGED)
})
