import { expect, it } from 'vitest'
import { part } from '../index.ts'

const rows = Array.from({ length: 1_000 }, (_, i) => ({ id: `mutant-${i}`, rule: `rule-${i % 7}` }))
const parts = [0, 1, 2, 3, 4].map((number) => part(rows, ({ rule }) => rule, number))

it.each([0, 1, 2, 3, 4])('has the first of each kind in part %i', (number) => {
  expect(parts[number]?.slice(0, 7)).toEqual(rows.slice(0, 7))
})

it('has every row in one of the parts, and in each about a fifth', () => {
  expect(new Set(parts.flat())).toEqual(new Set(rows))
  for (const each of parts) expect(Math.abs(each.length - 200)).toBeLessThan(60)
})

it('takes the strings of a row for its name', () => {
  const named = rows.map(({ id }) => [id, () => id] as const)
  const ids = part(named, () => '', 3).map(([id]) => id)
  expect(ids).toEqual(part(rows, () => '', 3).map(({ id }) => id))
})
