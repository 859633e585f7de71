import { expect, test } from 'vitest'
import { accepts, race, refuses } from './broken.ts'
import { found, HELD, runOf, UNJUDGED } from './held.ts'
import { runOf as runOfFaulty } from './relayed.ts'

const run = runOf('single-use')

test('holds on the right service', async () => {
  expect(await run()).toEqual(HELD)
})

test('finds an initiation_id that pays again', async () => {
  const fault = accepts('createTransfer')
  expect(await run(fault)).toEqual(found('deviation single-use createTransfer'))
})

test('finds an initiation_id that pays twice at once', async () => {
  expect(await run(race('createTransfer'))).toEqual(found('deviation single-use createTransfer'))
})

test('is not judged where no key can be looked up', async () => {
  expect(await run(refuses('checkKey'))).toEqual(UNJUDGED)
})

test('is not judged where the first transfer is refused', async () => {
  expect(await run(refuses('createTransfer'))).toEqual(UNJUDGED)
})

test('finds an initiation_id that pays again, though not at once', async () => {
  const seen = new Set<string>()
  const fault = accepts('createTransfer', ({ initiation_id: paid }) => [...seen.add(paid)][0] === paid)
  expect(await run(fault)).toEqual(found('deviation single-use createTransfer'))
})

const runFaulty = runOfFaulty('single-use')

test.each([['initiation-of-a-customer-twice', 'deviation single-use createTransfer']])(
  'finds %s',
  async (fault, line) => {
    expect((await runFaulty(fault)).found).toContain(line)
  },
)
