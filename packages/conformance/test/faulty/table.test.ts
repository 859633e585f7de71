import { expect, test } from 'vitest'
import { faults } from './faults.ts'
import { rules } from './rules.ts'
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

test('each rule is one that a fault breaks', () => {
  const broken = new Set(faults.flatMap(({ rule }) => rule))
  expect(rules.filter((rule) => !broken.has(rule))).toEqual([])
})
