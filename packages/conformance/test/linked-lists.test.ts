import { expect, test } from 'vitest'
import {
  checkLinkedLists,
  findRuleStatus,
  listSevereFindings,
} from './services/check-linked-lists.ts'

// Other ways to link pages are in `nightly/linked-lists.test.ts`.
test('it walks through pages that a header links, by whatever parameter', async () => {
  const result = await checkLinkedLists({ by: 'header', parameter: 'page_info' })
  const learned = { name: 'list/next', value: 'link', question: 'paging', isGiven: false }
  expect(result.form).toContainEqual(learned)
  expect(result.queries).toContainEqual(expect.stringMatching(/^page_info=[\w-]+$/))
  expect(listSevereFindings(result)).toEqual([])
  expect(findRuleStatus(result, 'lists-whole')).toBe('passed')
  expect(findRuleStatus(result, 'lists-consistent')).toBe('passed')
  expect(result.notSent).toEqual([])
})

test('it finds a record that is lost between linked pages', async () => {
  const result = await checkLinkedLists({ by: 'header', skipped: 1 })
  const lost = 'critical lists-consistent@listImmediateQrCodes'
  expect(listSevereFindings(result)).toContain(lost)
})

test('it says which list is not known to be whole, and what helps', async () => {
  const result = await checkLinkedLists({ by: 'none' })
  const ofList = result.notSent.filter((text) => text.includes('listImmediateQrCodes'))
  expect(ofList).toEqual([
    'not tried: the second page of listImmediateQrCodes, so that nothing shows whether the list is whole: a page is full, with 2 records, and no cursor was found in it; name its place with --set list/next=POINTER, or --set list/next=link for a header Link',
  ])
  expect(listSevereFindings(result)).toEqual([])

  const paging = result.verdicts.find(({ question }) => question === 'paging')
  expect(paging?.unsettled).toContain('the second page of listImmediateQrCodes')
})
