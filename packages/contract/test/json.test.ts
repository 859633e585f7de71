import { expect, it } from 'vitest'
import { leavesOf } from '../src/json.ts'

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
