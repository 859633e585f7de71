import { expect, test } from 'vitest'
import { accepts, both, race, refuses } from './broken.ts'
import { found, HELD, runOf, UNJUDGED } from './held.ts'
import { runOf as runOfFaulty } from './relayed.ts'

const run = runOf('paid-once')

test('holds on the right service', async () => {
  expect(await run()).toEqual(HELD)
})

test('finds a charge that is paid again', async () => {
  const fault = accepts('createTransfer')
  expect(await run(fault)).toEqual(found('deviation paid-once createTransfer'))
})

test('finds a charge that is paid twice at once', async () => {
  expect(await run(race('createTransfer'))).toEqual(found('deviation paid-once createTransfer'))
})

test('is not judged where no charge can be made, or be paid', async () => {
  const charges = both(refuses('createImmediateQrCode'), refuses('createDueDateQrCode'))
  const fault = both(charges, refuses('createStaticQrCode'))
  expect(await run(fault)).toEqual(UNJUDGED)
  expect(await run(refuses('createTransfer'))).toEqual(UNJUDGED)
})

test('finds a charge that is paid again, though not at once', async () => {
  const seen = new Set<string>()
  const fault = accepts('createTransfer', ({ emv: paid }) => [...seen.add(paid)][0] === paid)
  expect(await run(fault)).toEqual(found('deviation paid-once createTransfer'))
})

const runFaulty = runOfFaulty('paid-once')

test.each([['due-date-charge-paid-twice', 'deviation paid-once createTransfer']])(
  'finds %s',
  async (fault, line) => {
    expect((await runFaulty(fault)).found).toContain(line)
  },
)

test.each([['static-code-paid-once', 'deviation paid-once createTransfer']])(
  'finds %s',
  async (fault, line) => {
    expect((await runFaulty(fault)).found).toContain(line)
  },
)
