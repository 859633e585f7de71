import { expect, test } from 'vitest'
import { faults } from './faults.ts'
import { laws } from './laws.ts'
import { tolerated } from './tolerated.ts'

test('there are 110 faults and 8 variants at least, each with an id of its own', () => {
  const ids = [...faults, ...tolerated].map(({ id }) => id)
  expect(faults.length).toBeGreaterThanOrEqual(110)
  expect(tolerated.length).toBeGreaterThanOrEqual(8)
  expect(new Set(ids).size).toBe(ids.length)
})

test('each fault names a law, and is planted', () => {
  const idle = faults.filter(({ law, plant }) => law.length === 0 || Object.keys(plant).length === 0)
  expect(idle.map(({ id }) => id)).toEqual([])
})

test('each law is one that a fault breaks', () => {
  const broken = new Set(faults.flatMap(({ law }) => law))
  expect(laws.filter((law) => !broken.has(law))).toEqual([])
})
