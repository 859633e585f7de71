import { expect, test } from 'vitest'
import { Bounded } from '../src/model/bounded.ts'

test('it forgets the oldest entry when it is full, and counts it', () => {
  const map = new Bounded<string, number>(2)
  map.set('a', 1).set('b', 2).set('c', 3).set('d', 4)
  expect([...map]).toEqual([
    ['c', 3],
    ['d', 4],
  ])
  expect(map.forgotten).toBe(2)
})

test('it takes an entry that is set again for the newest', () => {
  const map = new Bounded<string, number>(2)
  map.set('a', 1).set('b', 2).set('c', 3)
  map.set('b', 4).set('d', 5)
  expect([...map]).toEqual([
    ['b', 4],
    ['d', 5],
  ])
})

test('it goes on after entries were deleted, or all of them', () => {
  const map = new Bounded<string, number>(2)
  map.set('a', 1).set('b', 2).set('c', 3)
  map.delete('b')
  map.set('d', 4).set('e', 5)
  expect([...map.keys()]).toEqual(['d', 'e'])

  map.clear()
  map.set('f', 6).set('g', 7).set('h', 8)
  expect([...map.keys()]).toEqual(['g', 'h'])
})
