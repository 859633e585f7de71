import { expect, test } from 'vitest'
import { bodyOf, both, reads, refuses } from './broken.ts'
import { found, HELD, runOf, UNJUDGED } from './held.ts'
import { runOf as runOfFaulty } from './relayed.ts'

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

test('is not judged where no key can be looked up, and no charge be made', async () => {
  const fault = both(refuses('checkKey'), refuses('createImmediateQrCode'))
  expect(await run(fault)).toEqual(UNJUDGED)
})

const runFaulty = runOfFaulty('beneficiary-compared')

test.each([
  ['beneficiary-of-a-code-not-compared', 'discovery beneficiary-compared createTransfer'],
  ['beneficiary-document-not-compared', 'discovery beneficiary-compared createTransfer'],
  ['beneficiary-account-not-compared', 'discovery beneficiary-compared createTransfer'],
])('finds %s', async (fault, line) => {
  expect((await runFaulty(fault)).found).toContain(line)
})
