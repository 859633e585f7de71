import { expect, test } from 'vitest'
import {
  checkLinkedLists,
  findRuleStatus,
  listSevereFindings,
} from '../services/check-linked-lists.ts'
import type { Linking } from '../services/linked-lists.ts'

test.each<{ title: string; linking: Linking; place: string; second: RegExp }>([
  {
    title: 'a relative URL in a header',
    linking: { by: 'header', isBare: true },
    place: 'link',
    second: /^cursor=20$/,
  },
  {
    title: 'a whole URL in a header',
    linking: { by: 'header', write: (url) => url.href },
    place: 'link',
    second: /^cursor=20$/,
  },
  {
    title: 'the number of a page in a header',
    linking: { by: 'header', parameter: 'page' },
    place: 'link',
    second: /^page=2&per_page=20$/,
  },
  {
    title: 'a whole URL in the body',
    linking: { by: 'body', write: (url) => url.href },
    place: '/links/next',
    second: /^cursor=20$/,
  },
  {
    title: 'the number of a page in the body',
    linking: { by: 'body', parameter: 'page', write: (url) => url.href },
    place: '/links/next',
    second: /^page=2&per_page=20$/,
  },
])('it walks through pages that are linked by $title', async ({ linking, place, second }) => {
  const result = await checkLinkedLists(linking)
  expect(result.form).toContainEqual({
    name: 'list/next',
    value: place,
    question: 'paging',
    isGiven: false,
  })
  expect(result.queries.filter((query) => second.test(query))).not.toEqual([])
  expect(listSevereFindings(result)).toEqual([])
  expect(findRuleStatus(result, 'lists-whole')).toBe('passed')
  expect(findRuleStatus(result, 'lists-consistent')).toBe('passed')
  expect(result.notSent).toEqual([])
})

test('it finds records that are lost because the last page is not linked', async () => {
  const result = await checkLinkedLists({ by: 'header', isLastUnlinked: true })
  expect(listSevereFindings(result)).toContain('critical lists-consistent@listImmediateQrCodes')
})

test('it finds linked pages that begin with the last record of the page before', async () => {
  const result = await checkLinkedLists({ by: 'header', skipped: -1 })
  expect(result.findings.map(({ message }) => message)).toContain(
    'listImmediateQrCodes shows a record on two pages.',
  )
  // Pages of one record never end.
  expect(listSevereFindings(result)).toContain('critical lists-consistent@listImmediateQrCodes')
})

test.each<{ title: string; linking: Linking; values?: object; sign: string }>([
  {
    title: 'has a total in a header',
    linking: { by: 'none', isBare: true, showsTotal: true },
    sign: 'a page has 2 records of 24',
  },
  {
    title: 'links another host',
    linking: {
      by: 'header',
      write: ({ pathname, search }) => `http://other.example${pathname}${search}`,
    },
    sign: 'leads to another host or path than the list, or to its first page; the run follows no such link',
  },
  {
    title: 'links another operation',
    linking: { by: 'header', write: ({ search }) => `/mobile-bff/v1/partner/user${search}` },
    sign: 'leads to another host or path than the list, or to its first page; the run follows no such link',
  },
  {
    title: 'has no header Link although the user said so',
    linking: { by: 'none' },
    values: { list: { '/next': 'link' } },
    sign: 'a page is full, with 2 records',
  },
])(
  'it does not say that a list is whole which $title, and leads to no second page',
  async ({ linking, values, sign }) => {
    const result = await checkLinkedLists(linking, values)
    const notTried = result.notSent.filter((text) => text.includes('listImmediateQrCodes'))
    expect(notTried).toEqual([expect.stringContaining(sign)])
    expect(notTried.join()).toContain('not tried: the second page of listImmediateQrCodes')
    expect(listSevereFindings(result)).toEqual([])

    const paging = result.verdicts.find(({ question }) => question === 'paging')
    expect(paging?.verdict).not.toBe('confirmed')
    expect(paging?.unsettled).toContain('the second page of listImmediateQrCodes')
  },
)
