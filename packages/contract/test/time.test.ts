import { expect, it } from 'vitest'
import { parseTime } from '../src/time.ts'

it('parses a leap second as the end of its day in UTC (RFC 3339, section 5.7)', () => {
  const end = Date.parse('2016-12-31T23:59:59.999Z')
  expect(parseTime('2016-12-31T23:59:60Z')).toBe(end)
  expect(parseTime('2016-12-31T23:59:60.75Z')).toBe(end)
  expect(parseTime('2016-12-31T20:59:60-03:00')).toBe(end)
  expect(parseTime('2016-12-31T23:59:59Z')).toBe(Date.parse('2016-12-31T23:59:59Z'))
})

it('parses no 60th second of another minute', () => {
  expect(parseTime('2016-12-31T14:30:60Z')).toBeNaN()
  expect(parseTime('2016-12-31T23:59:60-03:00')).toBeNaN()
  expect(parseTime('2016-12-31T23:59:61Z')).toBeNaN()
})
