import { expect, test } from 'vitest'
import { tokenize } from '../.vitepress/theme/search.ts'

test('a search has words as the index has them, and not more than the page can look for', () => {
  expect(tokenize('pix/out, initiation_id')).toEqual(['pix', 'out', 'initiation', 'id'])
  expect(tokenize('a '.repeat(2_000))).toHaveLength(20)
  expect(tokenize('payment'.repeat(2_000)).join('').length).toBeLessThanOrEqual(300)
})
