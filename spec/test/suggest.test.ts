import { expect, test } from 'vitest'
import { countDifferences } from '../lint/suggest.ts'

test.each([
  { from: 'webhook', to: 'webhook', differences: 0 },
  { from: 'webook', to: 'webhook', differences: 1 },
  { from: 'recieve', to: 'receive', differences: 1 },
  { from: 'kitten', to: 'sitting', differences: 3 },
  { from: '', to: 'key', differences: 3 },
])('"$from" differs from "$to" in $differences characters', ({ from, to, differences }) => {
  expect(countDifferences(from, to)).toBe(differences)
})
