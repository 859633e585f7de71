import { expect, test } from 'vitest'
import { refuses, shows } from './broken.ts'
import { found, HELD, runOf, UNJUDGED } from './held.ts'
import { runOf as runOfFaulty } from './relayed.ts'

const run = runOf('overdue-amounts')
// The law moves the clock on: each of these begins today, on a sandbox of its own.
const runFine = runOf('overdue-amounts')
const wrong = ['0.00', '4.00', '9.50', '11.00'].map((interest) => ({
  interest,
  run: runOf('overdue-amounts'),
}))
const moved = ['5.00', '10.00'].map((interest) => ({ interest, run: runOf('overdue-amounts') }))
const live = runOf('overdue-amounts', { target: 'live' })

test('holds on the right service', async () => {
  expect(await run()).toEqual(HELD)
})

test('finds a charge without its fine', async () => {
  const fault = shows('checkCode', (body) => ({ ...body, fine: '0.00' }))
  expect(await runFine(fault)).toEqual(found('discovery overdue-amounts checkCode'))
})

test.each(wrong)('finds an interest of $interest', async ({ interest, run }) => {
  const fault = shows('checkCode', (body) => ({ ...body, interest }))
  expect(await run(fault)).toEqual(found('discovery overdue-amounts checkCode'))
})

test.each(moved)(
  'takes an interest of $interest, for a due date that was moved',
  async ({ interest, run }) => {
    const fault = shows('checkCode', (body) => ({ ...body, interest }))
    expect(await run(fault)).toEqual(HELD)
  },
)

test('is not judged where no charge can be made, nor of a live service', async () => {
  expect(await run(refuses('createDueDateQrCode'))).toEqual(UNJUDGED)
  expect(await live()).toEqual(UNJUDGED)
})

const runFaulty = runOfFaulty('overdue-amounts')

test.each([
  ['fine-of-a-value-as-percent', 'discovery overdue-amounts checkCode'],
  ['interest-of-a-month-by-the-day', 'discovery overdue-amounts checkCode'],
  ['interest-of-a-year-by-the-month', 'discovery overdue-amounts checkCode'],
  ['interest-of-interest', 'discovery overdue-amounts checkCode'],
  ['interest-before-the-deduction', 'discovery overdue-amounts checkCode'],
])('finds %s', async (fault, line) => {
  expect((await runFaulty(fault)).found).toContain(line)
})
