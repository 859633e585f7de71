import { expect, test } from 'vitest'
import { accepts, isWhole, refuses } from './broken.ts'
import { found, HELD, runOf, UNJUDGED } from './held.ts'

const run = runOf('scheduling-refused')

test('holds on the right service', async () => {
  expect(await run()).toEqual(HELD)
})

test('finds a transfer that is taken for a later day', async () => {
  const fault = accepts(
    'createTransfer',
    (body) => isWhole(body) && Date.parse(body.payment_date) > Date.now(),
  )
  expect(await run(fault)).toEqual(found('discovery scheduling-refused createTransfer'))
})

test('is not judged where no key can be looked up', async () => {
  expect(await run(refuses('checkKey'))).toEqual(UNJUDGED)
})
