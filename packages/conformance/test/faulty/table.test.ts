import { expect, test } from 'vitest'
import { currentId } from '../../src/engine/aliases.ts'
import { rules } from '../../src/rules.ts'
import { faults } from './faults.ts'
import { tolerated } from './tolerated.ts'

test('there are 110 faults and 8 variants at least, each with an id of its own', () => {
  const ids = [...faults, ...tolerated].map(({ id }) => id)
  expect(faults.length).toBeGreaterThanOrEqual(110)
  expect(tolerated.length).toBeGreaterThanOrEqual(8)
  expect(new Set(ids).size).toBe(ids.length)
})

test('each fault names a rule, and is planted', () => {
  const idle = faults.filter(({ rule, plant }) => rule.length === 0 || Object.keys(plant).length === 0)
  expect(idle.map(({ id }) => id)).toEqual([])
})

test('each fault names a rule of the checker, under its present id or an earlier one', () => {
  const known = new Set(rules.map(({ id }) => id))
  const stray = faults.flatMap(({ rule }) => rule).filter((id) => !known.has(currentId(id)))
  expect(stray).toEqual([])
})
