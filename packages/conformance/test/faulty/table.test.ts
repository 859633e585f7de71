import { expect, test } from 'vitest'
import { rules } from '../../src/rules.ts'
import { faults } from './faults.ts'
import { tolerated } from './tolerated.ts'

test('there are at least 110 faults and 8 variants, each with its own id', () => {
  const ids = [...faults, ...tolerated].map(({ id }) => id)
  expect(faults.length).toBeGreaterThanOrEqual(110)
  expect(tolerated.length).toBeGreaterThanOrEqual(8)
  expect(new Set(ids).size).toBe(ids.length)
})

test('each fault names a rule, and changes the service', () => {
  const idle = faults.filter(({ rule, plant }) => rule.length === 0 || !(plant.service ?? plant.relay))
  expect(idle.map(({ id }) => id)).toEqual([])
})

test('each fault names a rule of the checker', () => {
  const known = new Set(rules.map(({ id }) => id))
  const stray = faults.flatMap(({ rule }) => rule).filter((id) => !known.has(id))
  expect(stray).toEqual([])
})
