import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  addDays,
  bankHolidays,
  countBusinessDays,
  countCalendarDays,
  dayOf,
  isBusinessDay,
  lastPayableDay,
  listHolidays,
  nextBusinessDay,
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
    { day: '2024-02-28', count: 1, expected: '2024-02-29' },
    { day: '2025-02-28', count: 1, expected: '2025-03-01' },
    { day: '2026-01-01', count: -1, expected: '2025-12-31' },
  ])('$day and $count days', ({ day, count, expected }) => {
    expect(addDays(day, count)).toBe(expected)
  })

  test.each([1, Number.MAX_VALUE])('stops at the last full-date, %d days after it', (count) => {
    expect(addDays('9999-12-31', count)).toBe('9999-12-31')
  })

  test('is undone by countCalendarDays', () => {
    fc.assert(
      fc.property(moment, fc.integer({ min: -5000, max: 5000 }), (at, count) => {
        const day = dayOf(at)
        return countCalendarDays(day, addDays(day, count)) === count
      }),
    )
  })
})

const day = fc.integer({ min: 0, max: 36_500 }).map((count) => addDays('2000-01-01', count))

describe('listHolidays', () => {
  // Carnival Monday and Tuesday, Good Friday, Corpus Christi.
  test.each([
    { year: 2026, expected: ['02-16', '02-17', '04-03', '06-04'] },
    // The earliest and the latest possible Easter, and two that simpler formulas place a week late.
    { year: 2285, expected: ['02-02', '02-03', '03-20', '05-21'] },
    { year: 2038, expected: ['03-08', '03-09', '04-23', '06-24'] },
    { year: 1954, expected: ['03-01', '03-02', '04-16', '06-17'] },
    { year: 1981, expected: ['03-02', '03-03', '04-17', '06-18'] },
  ])('$year has its movable days', ({ year, expected }) => {
    const fixed = ['01-01', '04-21', '05-01', '09-07', '10-12', '11-02', '11-15', '11-20', '12-25']
    const days = [...listHolidays(year)].map((full) => full.slice(5))
    expect(days.filter((monthDay) => !fixed.includes(monthDay))).toEqual(expected)
  })

  test('has the fixed days, 20 November from 2024 on', () => {
    const fixed = ['01-01', '04-21', '05-01', '09-07', '10-12', '11-02', '11-15', '12-25']
    const days = fixed.map((monthDay) => `2023-${monthDay}`)
    expect([...listHolidays(2023)]).toEqual(expect.arrayContaining(days))
    expect(listHolidays(2023).has('2023-11-20')).toBe(false)
    expect(listHolidays(2024).has('2024-11-20')).toBe(true)
  })
})

test('bankHolidays has each day with its name, in order', () => {
  const named = bankHolidays(2026).map(({ day, name }) => `${day} ${name}`)
  expect(named).toEqual([
    '2026-01-01 Confraternização Universal',
    '2026-02-16 Carnaval (segunda-feira)',
    '2026-02-17 Carnaval (terça-feira)',
    '2026-04-03 Sexta-feira Santa',
    '2026-04-21 Tiradentes',
    '2026-05-01 Dia do Trabalho',
    '2026-06-04 Corpus Christi',
    '2026-09-07 Independência do Brasil',
    '2026-10-12 Nossa Senhora Aparecida',
    '2026-11-02 Finados',
    '2026-11-15 Proclamação da República',
    '2026-11-20 Consciência Negra',
    '2026-12-25 Natal',
  ])
})

test.each([
  { date: '2026-12-18', expected: true },
  { date: '2026-12-19', expected: false },
  { date: '2026-12-20', expected: false },
  { date: '2026-12-25', expected: false },
  { date: '2026-02-16', expected: false },
  { date: '9999-12-31', expected: true },
  { date: '0000-01-02', expected: false },
])('isBusinessDay of $date is $expected', ({ date, expected }) => {
  expect(isBusinessDay(date)).toBe(expected)
})

test('nextBusinessDay keeps a business day, and skips weekends and holidays', () => {
  expect(nextBusinessDay('2026-12-24')).toBe('2026-12-24')
  expect(nextBusinessDay('2026-12-25')).toBe('2026-12-28')
  expect(nextBusinessDay('2026-02-14')).toBe('2026-02-18')
})

describe('countBusinessDays', () => {
  test('counts no day backwards, and two holidays on one day once', () => {
    expect(countBusinessDays('2026-12-28', '2026-12-24')).toBe(0)
    // Tiradentes and Good Friday.
    expect(countBusinessDays('2000-04-20', '2000-04-24')).toBe(1)
  })

  test('equals counting day by day, without the first', () => {
    fc.assert(
      fc.property(day, fc.integer({ min: 0, max: 800 }), (from, count) => {
        const walked = Array.from({ length: count }, (_, i) => addDays(from, i + 1)).filter(
          isBusinessDay,
        )
        expect(countBusinessDays(from, addDays(from, count))).toBe(walked.length)
      }),
    )
  })
})

// Pix API 2.9.0, CobDataDeVencimento, examples A to G.
test.each([
  { dueDate: '2020-10-20', expirationDays: 4, expected: '2020-10-26' },
  { dueDate: '2020-12-25', expirationDays: 0, expected: '2020-12-28' },
  { dueDate: '2020-12-25', expirationDays: 1, expected: '2020-12-29' },
  { dueDate: '2020-12-25', expirationDays: 3, expected: '2020-12-31' },
  { dueDate: '2020-12-25', expirationDays: 4, expected: '2021-01-04' },
  { dueDate: '2021-08-27', expirationDays: 5, expected: '2021-09-01' },
  { dueDate: '2021-08-28', expirationDays: 5, expected: '2021-09-06' },
  // It ends with the calendar.
  { dueDate: '2026-12-15', expirationDays: Number.MAX_SAFE_INTEGER, expected: '9999-12-31' },
])(
  'the last payable day is $expected for $dueDate and $expirationDays days',
  ({ dueDate, expirationDays, expected }) => {
    expect(lastPayableDay(dueDate, expirationDays)).toBe(expected)
  },
)
