import { expect, test } from 'vitest'
import { shows } from './broken.ts'
import { found, HELD, runOf } from './held.ts'
import { runOf as runOfFaulty } from './relayed.ts'

const run = runOf('overdue-amounts')
// The law moves the clock on: each of these begins today, on a sandbox of its own.
const runFine = runOf('overdue-amounts')
const runInterest = runOf('overdue-amounts')

test('holds on the right service', async () => {
  expect(await run()).toEqual(HELD)
})

test('finds a charge without its fine', async () => {
  const fault = shows('checkCode', (body) => ({ ...body, fine: '0.00' }))
  expect(await runFine(fault)).toEqual(found('discovery overdue-amounts checkCode'))
})

test('finds a charge without its interest', async () => {
  const fault = shows('checkCode', (body) => ({ ...body, interest: '0.00' }))
  expect(await runInterest(fault)).toEqual(found('discovery overdue-amounts checkCode'))
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
