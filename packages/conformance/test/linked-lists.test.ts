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

