import { expect, test } from 'vitest'
import type { Result } from '../src/index.ts'
import { plans } from '../src/plans/index.ts'
import { run } from '../src/run.ts'
import { partner as credentials, other } from './service.ts'
import { type Linking, linkedLists } from './services/linked-lists.ts'
import { listen } from './services/listen.ts'
import { openService } from './services/service.ts'

/** Checks the lists of a service over HTTP. Returns the queries with which it asked for pages, too. */
async function checkLists(linking: Linking, values = {}): Promise<Result & { queries: string[] }> {
  const { fetch, close } = await openService(linkedLists(linking))
  const queries: string[] = []
  const server = await listen((request) => {
    const { pathname, search } = new URL(request.url)
    const isList = request.method === 'GET' && pathname.endsWith('/immediate')
    if (isList) queries.push(search.slice(1))
    return fetch(request)
  })
  try {
    const result = await run({
      target: 'sandbox',
      isDisposable: true,
      url: server.url,
      credentials,
      other,
      plans: plans.filter(({ id }) => id === 'lists'),
      operations: ['createImmediateQrCode', 'listImmediateQrCodes', 'cancelImmediateQrCode'],
      values,
      // Lists do not lag here.
      lagMs: 1,
    })
    return { ...result, queries }
  } finally {
    await server.close()
    await close()
  }
}

const statusOf = ({ rules }: Result, id: string) => rules.find(({ rule }) => rule === id)?.status
const severe = ({ findings }: Result) =>
  findings
    .filter(({ kind, severity }) => kind === 'failure' || severity === 'critical')
    .map(({ rule, operation, severity }) => `${severity} ${rule}@${operation}`)

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
    title: 'a parameter in a header that stands for the filters too',
    linking: { by: 'header', parameter: 'page_info' },
    place: 'link',
    second: /^page_info=[\w-]+$/,
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
  const result = await checkLists(linking)
  expect(result.form).toContainEqual({
    name: 'list/next',
    value: place,
    question: 'paging',
    isGiven: false,
  })
  expect(result.queries.filter((query) => second.test(query))).not.toEqual([])
  expect(severe(result)).toEqual([])
  expect(statusOf(result, 'lists-whole')).toBe('passed')
  expect(statusOf(result, 'lists-consistent')).toBe('passed')
  expect(result.notSent).toEqual([])
})

test.each<{ title: string; linking: Linking; finding: string }>([
  {
    title: 'the next page begins one record too late',
    linking: { by: 'header', skipped: 1 },
    finding: 'critical lists-consistent@listImmediateQrCodes',
  },
  {
    title: 'the last page is not linked',
    linking: { by: 'header', isLastUnlinked: true },
    finding: 'critical lists-consistent@listImmediateQrCodes',
  },
])('it finds records that are lost between linked pages: $title', async ({ linking, finding }) => {
  expect(severe(await checkLists(linking))).toContain(finding)
})

test('it finds linked pages that begin with the last record of the page before', async () => {
  const result = await checkLists({ by: 'header', skipped: -1 })
  expect(result.findings.map(({ message }) => message)).toContain(
    'listImmediateQrCodes shows a record on two pages.',
  )
  // Pages of one record never end.
  expect(severe(result)).toContain('critical lists-consistent@listImmediateQrCodes')
})

test.each<{ title: string; linking: Linking; values?: object; sign: string }>([
  {
    title: 'shows a full page',
    linking: { by: 'none' },
    sign: 'a page is full, with 20 records, and no cursor was found in it; name its place with --set list/next=POINTER, or --set list/next=link for a header Link',
  },
  {
    title: 'has a total in a header',
    linking: { by: 'none', isBare: true, showsTotal: true },
    sign: 'a page has 20 records of 24',
  },
  {
    title: 'links another host',
    linking: {
      by: 'header',
      write: ({ pathname, search }) => `http://other.example${pathname}${search}`,
    },
    sign: 'leads to another host or path than the list; the run follows no such link',
  },
  {
    title: 'links another operation',
    linking: { by: 'header', write: ({ search }) => `/mobile-bff/v1/partner/user${search}` },
    sign: 'leads to another host or path than the list; the run follows no such link',
  },
  {
    title: 'has no header Link although the user said so',
    linking: { by: 'none' },
    values: { list: { '/next': 'link' } },
    sign: 'a page is full, with 20 records',
  },
])(
  'it does not say that a list is whole which $title, and leads to no second page',
  async ({ linking, values, sign }) => {
    const result = await checkLists(linking, values)
    const notTried = result.notSent.filter((text) => text.includes('listImmediateQrCodes'))
    expect(notTried).toEqual([expect.stringContaining(sign)])
    expect(notTried.join()).toContain('not tried: the second page of listImmediateQrCodes')
    expect(severe(result)).toEqual([])

    const paging = result.verdicts.find(({ question }) => question === 'paging')
    expect(paging?.verdict).not.toBe('confirmed')
    expect(paging?.unsettled).toContain('the second page of listImmediateQrCodes')
  },
)
