import { expect, test } from 'vitest'
import { createFindingStore } from '../../src/engine/finding-store.ts'
import type { Evidence } from '../../src/engine/result.ts'

test('it keeps the hash in the ids of findings when a rule gets a new name', () => {
  const store = createFindingStore()
  store.add(
    { id: 'response-received', advice: '' },
    { operation: 'listUsers', contract: '/paths', about: 'x', message: '', citation: { pointer: '/paths' } },
    () => ({}) as Evidence,
  )
  // Computed with answers-come, the former id of the rule.
  expect(store.findings().map(({ id }) => id)).toEqual(['response-received:listUsers:2b559b7f'])
})
