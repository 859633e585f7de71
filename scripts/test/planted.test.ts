import { expect, test } from 'vitest'
import { misfitOf, readBugs } from '../planted/bugs.ts'

test('every planted bug fits the source', () => {
  const root = `${import.meta.dirname}/../..`
  expect(readBugs().flatMap((bug) => misfitOf(root, bug) ?? [])).toEqual([])
})
