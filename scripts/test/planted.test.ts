import { expect, test } from 'vitest'
import { explainMisfit, readBugs } from '../planted/bugs.ts'

test('every planted bug fits the source', () => {
  const root = `${import.meta.dirname}/../..`
  expect(readBugs().flatMap((bug) => explainMisfit(root, bug) ?? [])).toEqual([])
})
