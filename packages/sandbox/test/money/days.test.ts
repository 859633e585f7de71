import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { addDays, dayOf, daysBetween } from '../../src/money/days.ts'

const moment = fc.integer({ min: Date.parse('2020-01-01'), max: Date.parse('2099-12-31') })

function intlDayOf(milliseconds: number): string {
  const format = new Intl.DateTimeFormat('en', {
    timeZone: 'America/Sao_Paulo',
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
  })
  const parts = Object.fromEntries(format.formatToParts(milliseconds).map(({ type, value }) => [type, value]))
  return `${parts.year}-${parts.month}-${parts.day}`
}

describe('dayOf', () => {
  test('changes the day at midnight in Brasília', () => {
    expect(dayOf(Date.parse('2026-12-15T02:59:59.999Z'))).toBe('2026-12-14')
    expect(dayOf(Date.parse('2026-12-15T03:00:00Z'))).toBe('2026-12-15')
  })

  test('agrees with the time zone data of this machine, in summer too', () => {
    fc.assert(fc.property(moment, (at) => dayOf(at) === intlDayOf(at)))
  })
})

describe('addDays', () => {
  test.each([
    ['2024-02-28', 1, '2024-02-29'],
    ['2025-02-28', 1, '2025-03-01'],
    ['2026-12-31', 1, '2027-01-01'],
    ['2026-01-01', -1, '2025-12-31'],
    ['2026-05-05', 0, '2026-05-05'],
  ])('%s and %i days', (day, count, expected) => {
    expect(addDays(day, count)).toBe(expected)
  })

  test.each([1, 1_000_000_000, Number.MAX_VALUE])(
    'stops at the last full-date, %d days after it',
    (count) => {
      expect(addDays('9999-12-31', count)).toBe('9999-12-31')
    },
  )

  test('is undone by daysBetween', () => {
    fc.assert(
      fc.property(moment, fc.integer({ min: -5000, max: 5000 }), (at, count) => {
        const day = dayOf(at)
        return daysBetween(day, addDays(day, count)) === count
      }),
    )
  })
})
