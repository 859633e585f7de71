import { expect, it } from 'vitest'
import { addDays, amountDue } from '../../../src/profiles/pix/amount-due.ts'

// A Friday, a Saturday, and the Friday before Carnival.
it.each([
  ['2026-11-27', '2026-11-28', 1n],
  ['2026-11-28', '2026-11-30', 0n],
  ['2026-11-28', '2026-12-01', 1n],
  ['2026-02-14', '2026-02-18', 0n],
  ['2026-02-14', '2026-02-19', 1n],
  ['2026-12-25', '2026-12-29', 1n],
])('counts interest of a charge due on %s by %s from the business day after: %i days', (due, day, days) => {
  const interest = { modality: '1', amount: '1.00' }
  expect(amountDue({ original: '100.00', interest }, due, day).interest).toBe(days * 100n)
})

it('truncates each part', () => {
  const amount = { original: '123.49', deduction: { modality: '2', amount: '10.00' } }
  expect(amountDue(amount, '2026-12-15', '2026-12-15').final_amount).toBe(111_15n)
  expect(addDays('2026-12-31', 1)).toBe('2027-01-01')
})
