import { expect, it } from 'vitest'
import { leavesOf } from '../src/json/leaves.ts'

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
