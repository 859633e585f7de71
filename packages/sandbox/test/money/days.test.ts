import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  addDays,
  businessDaysBetween,
  dayOf,
  daysBetween,
  holidaysOf,
  isBusinessDay,
  nextBusinessDay,
  payableUntil,
} from '../../src/money/days.ts'

const moment = fc.integer({ min: Date.parse('2020-01-01'), max: Date.parse('2099-12-31') })

// Swedish dates are full-dates.
const format = new Intl.DateTimeFormat('sv', { timeZone: 'America/Sao_Paulo' })

describe('dayOf', () => {
  test('changes the day at midnight in Brasília', () => {
    expect(dayOf(Date.parse('2026-12-15T02:59:59.999Z'))).toBe('2026-12-14')
    expect(dayOf(Date.parse('2026-12-15T03:00:00Z'))).toBe('2026-12-15')
  })

  test('agrees with the time zone data of this machine, in summer too', () => {
    fc.assert(fc.property(moment, (at) => dayOf(at) === format.format(at)))
  })
})

describe('addDays', () => {
  test.each([
    ['2024-02-28', 1, '2024-02-29'],
    ['2025-02-28', 1, '2025-03-01'],
    ['2026-01-01', -1, '2025-12-31'],
  ])('%s and %i days', (day, count, expected) => {
    expect(addDays(day, count)).toBe(expected)
  })

  test.each([1, Number.MAX_VALUE])('stops at the last full-date, %d days after it', (count) => {
    expect(addDays('9999-12-31', count)).toBe('9999-12-31')
  })

  test('is undone by daysBetween', () => {
    fc.assert(
      fc.property(moment, fc.integer({ min: -5000, max: 5000 }), (at, count) => {
        const day = dayOf(at)
        return daysBetween(day, addDays(day, count)) === count
      }),
    )
  })
})

const day = fc.integer({ min: 0, max: 36_500 }).map((count) => addDays('2000-01-01', count))

describe('holidaysOf', () => {
  // Carnival Monday and Tuesday, Good Friday, Corpus Christi.
  test.each([
    [2026, ['02-16', '02-17', '04-03', '06-04']],
    // The earliest and the latest possible Easter, and two that simpler formulas place a week late.
    [2285, ['02-02', '02-03', '03-20', '05-21']],
    [2038, ['03-08', '03-09', '04-23', '06-24']],
    [1954, ['03-01', '03-02', '04-16', '06-17']],
    [1981, ['03-02', '03-03', '04-17', '06-18']],
  ])('%i has its movable days', (year, expected) => {
    const fixed = ['01-01', '04-21', '05-01', '09-07', '10-12', '11-02', '11-15', '11-20', '12-25']
    const days = [...holidaysOf(year)].map((full) => full.slice(5))
    expect(days.filter((monthDay) => !fixed.includes(monthDay))).toEqual(expected)
  })

  test('has the fixed days, 20 November from 2024 on', () => {
    const fixed = ['01-01', '04-21', '05-01', '09-07', '10-12', '11-02', '11-15', '12-25']
    expect([...holidaysOf(2023)].slice(0, 8)).toEqual(fixed.map((monthDay) => `2023-${monthDay}`))
    expect(holidaysOf(2023).has('2023-11-20')).toBe(false)
    expect(holidaysOf(2024).has('2024-11-20')).toBe(true)
  })
})

test.each([
  ['2026-12-18', true],
  ['2026-12-19', false],
  ['2026-12-20', false],
  ['2026-12-25', false],
  ['2026-02-16', false],
  ['9999-12-31', true],
  ['0000-01-02', false],
])('isBusinessDay of %s is %s', (date, expected) => {
  expect(isBusinessDay(date)).toBe(expected)
})

test('nextBusinessDay keeps a business day, and skips weekends and holidays', () => {
  expect(nextBusinessDay('2026-12-24')).toBe('2026-12-24')
  expect(nextBusinessDay('2026-12-25')).toBe('2026-12-28')
  expect(nextBusinessDay('2026-02-14')).toBe('2026-02-18')
})

describe('businessDaysBetween', () => {
  test('counts no day backwards, and two holidays on one day once', () => {
    expect(businessDaysBetween('2026-12-28', '2026-12-24')).toBe(0)
    // Tiradentes and Good Friday.
    expect(businessDaysBetween('2000-04-20', '2000-04-24')).toBe(1)
  })

  test('equals counting day by day, without the first', () => {
    fc.assert(
      fc.property(day, fc.integer({ min: 0, max: 800 }), (from, count) => {
        const walked = Array.from({ length: count }, (_, i) => addDays(from, i + 1)).filter(
          isBusinessDay,
        )
        expect(businessDaysBetween(from, addDays(from, count))).toBe(walked.length)
      }),
    )
  })
})

// Pix API 2.9.0, CobDataDeVencimento, examples A to G.
test.each([
  ['2020-10-20', 4, '2020-10-26'],
  ['2020-12-25', 0, '2020-12-28'],
  ['2020-12-25', 1, '2020-12-29'],
  ['2020-12-25', 3, '2020-12-31'],
  ['2020-12-25', 4, '2021-01-04'],
  ['2021-08-27', 5, '2021-09-01'],
  ['2021-08-28', 5, '2021-09-06'],
  // It ends with the calendar.
  ['2026-12-15', Number.MAX_SAFE_INTEGER, '9999-12-31'],
])('payableUntil is %s and %i days until %s', (dueDate, expirationDays, expected) => {
  expect(payableUntil(dueDate, expirationDays)).toBe(expected)
})
