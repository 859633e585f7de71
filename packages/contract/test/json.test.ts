import { expect, it } from 'vitest'
import { leavesOf, parseTime } from '../src/json/json.ts'

it('lists the leaves of a value, and the place after the last item of an array', () => {
  expect(leavesOf({ a: [1, { b: '2' }], c: {} })).toEqual([
    ['/a/2', undefined],
    ['/a/0', 1],
    ['/a/1/b', '2'],
    ['/c', {}],
  ])
})

it('lists the leaves of an array that is too long for the arguments of a function', () => {
  const list = Array.from({ length: 300_000 }, () => 0)
  expect(leavesOf({ list })).toHaveLength(300_001)
})

it('leaves out the leaves that are not wanted', () => {
  const value = { id: 'a', b: [{ id: 1 }, 'c', [], 'd/'], 'e/f': 'g' }
  expect(leavesOf(value, '', (_, name) => name === 'id')).toEqual([
    ['/id', 'a'],
    ['/b/0/id', 1],
  ])
  expect(leavesOf(value, '/x', (leaf) => typeof leaf === 'string')).toEqual([
    ['/x/id', 'a'],
    ['/x/b/1', 'c'],
    ['/x/b/3', 'd/'],
    ['/x/e~1f', 'g'],
  ])
})

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
