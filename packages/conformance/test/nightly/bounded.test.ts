import { expect, test } from 'vitest'
import { Bounded } from '../../src/model/bounded.ts'

test('it forgets 200,000 entries in less than half a second', () => {
  const map = new Bounded<number, true>(10_000)
  const before = process.cpuUsage()
  for (let key = 0; key < 210_000; key++) map.set(key, true)
  expect(process.cpuUsage(before).user).toBeLessThan(500_000)
  expect(map.forgotten).toBe(200_000)
})
