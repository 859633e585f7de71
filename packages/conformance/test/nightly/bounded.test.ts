import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { expect, test } from 'vitest'
import { Bounded } from '../../src/model/bounded.ts'

test('it forgets 200,000 entries in less than half a second', () => {
  const map = new Bounded<number, true>(10_000)
  const before = process.cpuUsage()
  for (let key = 0; key < 210_000; key++) map.set(key, true)
  expect(process.cpuUsage(before).user).toBeLessThan(500_000)
  expect(map.forgotten).toBe(200_000)
})

test('it sets 100,000 entries of a full map again in less than half a second', () => {
  const map = new Bounded<number, true>(10_000)
  for (let key = 0; key < 10_000; key++) map.set(key, true)
  const before = process.cpuUsage()
  for (let i = 0; i < 100_000; i++) map.set(i % 10_001, true)
  expect(process.cpuUsage(before).user).toBeLessThan(500_000)
})

test('it keeps no value that was replaced', () => {
  setFlagsFromString('--expose-gc')
  const collectGarbage = runInNewContext('gc')
  const map = new Bounded<number, number[]>(100)
  collectGarbage()
  const before = process.memoryUsage().heapUsed
  for (let i = 0; i < 2_000; i++) map.set(i % 50, new Array(10_000).fill(i))
  collectGarbage()
  const keptBytes = process.memoryUsage().heapUsed - before
  expect(keptBytes).toBeLessThan(20_000_000)
})
