import { expect, test } from 'vitest'
import { bodyOf, type Fault, isSuccess, refuses, shows, withBody } from './broken.ts'
import { found, HELD, runOf, UNJUDGED } from './held.ts'
import { runOf as runOfFaulty } from './relayed.ts'

const run = runOf('overdue-amounts')
// The rule moves the clock on: each of these begins today, on a sandbox of its own.
const runFine = runOf('overdue-amounts')
const wrong = [
  ...['0.00', '4.00', '9.50', '11.00'].map((interest) => ({ modality: '1', interest })),
  ...['1.00', '9.00'].map((interest) => ({ modality: '5', interest })),
].map((it) => ({ ...it, run: runOf('overdue-amounts') }))
const moved = [
  ...['5.00', '10.00'].map((interest) => ({ modality: '1', interest })),
  ...['2.00', '8.00'].map((interest) => ({ modality: '5', interest })),
].map((it) => ({ ...it, run: runOf('overdue-amounts') }))
const live = runOf('overdue-amounts', { target: 'live' })

test('holds on the right service', async () => {
  expect(await run()).toEqual(HELD)
})

test('finds a charge without its fine', async () => {
  const fault = shows('checkCode', (body) => ({ ...body, fine: '0.00' }))
  expect(await runFine(fault)).toEqual(found('deviation overdue-amounts checkCode'))
})

test.each(wrong)(
  'finds an interest of $interest of modality $modality',
  async ({ modality, interest, run }) => {
    expect(await run(interestOf(modality, interest))).toEqual(found('deviation overdue-amounts checkCode'))
  },
)

test.each(moved)(
  'takes an interest of $interest of modality $modality, for a due date that was moved',
  async ({ modality, interest, run }) => {
    expect(await run(interestOf(modality, interest))).toEqual(HELD)
  },
)

test('is not judged where no charge can be made, nor of a live service', async () => {
  expect(await run(refuses('createDueDateQrCode'))).toEqual(UNJUDGED)
  expect(await live()).toEqual(UNJUDGED)
})

const runFaulty = runOfFaulty('overdue-amounts')

test.each([
  ['fine-of-a-value-as-percent', 'deviation overdue-amounts checkCode'],
  ['interest-of-a-month-by-the-day', 'deviation overdue-amounts checkCode'],
  ['interest-of-a-year-by-the-month', 'deviation overdue-amounts checkCode'],
  ['interest-of-interest', 'deviation overdue-amounts checkCode'],
  ['interest-before-the-deduction', 'deviation overdue-amounts checkCode'],
])('finds %s', async (fault, line) => {
  expect((await runFaulty(fault)).found).toContain(line)
})

/** Asks for another interest of the charges whose interest is of one modality. */
function interestOf(modality: string, interest: string): Fault {
  const meant = new Set<string>()
  return async (call, next, called) => {
    const reply = await next(call)
    if (called === 'createDueDateQrCode' && bodyOf(call).amount?.interest?.modality === modality)
      withBody(reply, ({ emv }) => meant.add(emv))
    return called === 'checkCode' && meant.has(bodyOf(call).emv) && isSuccess(reply)
      ? withBody(reply, (body) => ({ ...body, interest }))
      : reply
  }
}

test.each([
  ['overdue-charge-closed-at-once', 'deviation overdue-amounts checkCode'],
  ['fine-rounded', 'deviation overdue-amounts checkCode'],
])('finds %s', async (fault, line) => {
  expect((await runFaulty(fault)).found).toContain(line)
})
