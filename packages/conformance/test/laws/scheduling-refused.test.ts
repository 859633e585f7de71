import { expect, test } from 'vitest'
import { accepts, both, isWhole, refuses } from './broken.ts'
import { found, HELD, runOf, UNJUDGED } from './held.ts'
import { runOf as runOfFaulty } from './relayed.ts'

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

test('is not judged where no key can be looked up, and no charge be made', async () => {
  const fault = both(refuses('checkKey'), refuses('createImmediateQrCode'))
  expect(await run(fault)).toEqual(UNJUDGED)
})

const runFaulty = runOfFaulty('scheduling-refused')

test.each([
  ['code-scheduled', 'discovery scheduling-refused createTransfer'],
  ['payment-today-refused', 'discovery scheduling-refused createTransfer'],
])('finds %s', async (fault, line) => {
  expect((await runFaulty(fault)).found).toContain(line)
})
