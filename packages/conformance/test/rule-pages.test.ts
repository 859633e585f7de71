import { expect, test } from 'vitest'
import { pageIds, pageOf, textOf } from '../scripts/rule-pages.ts'
import { rules } from '../src/rules/index.ts'

test('it has a page for each rule, and a rule for each page', () => {
  expect(pageIds().sort()).toEqual(rules.map(({ id }) => id).sort())
})

test.each(rules)(
  'it says on the page of $id what the rule says; `pnpm exec node scripts/rule-pages.ts` writes it',
  (rule) => {
    expect(textOf(rule.id)).toBe(pageOf(rule, textOf(rule.id)))
  },
)
