import { expect, test } from 'vitest'
import { ServiceForm } from '../src/form/service-form.ts'
import { LATER, TEN_CHARGES } from './consistency/steps.ts'
import {
  call,
  charge,
  expectFindings,
  type Json,
  readStory,
  type Step,
  webhook,
  webhooks,
} from './story.ts'

const LIST = '/pix/qrcode/dynamic/immediate'
const SHAPE = 'responses-shape@listImmediateQrCodes'

interface Shown {
  /** The query of the request. */
  readonly query?: string
  readonly from?: number
  readonly to?: number
  /** The target of the header Link. */
  readonly link?: string
  readonly headers?: Readonly<Record<string, string>>
  /** Fields beside the records. */
  readonly fields?: Json
}

/** A page of the list of charges, the newest first, that is linked to the next one. */
function page({ query = '', from = 0, to, link, headers = {}, fields = {} }: Shown): Step {
  return (story) => {
    const records = story.records.map((record) => record.fields).reverse()
    const responds = link === undefined ? headers : { ...headers, link: `<${link}>; rel="next"` }
    const body = { ...fields, data: records.slice(from, to) }
    call(`GET ${LIST}${query}`, undefined, body, { responds })(story)
  }
}

expectFindings([
  {
    title: 'it finds nothing wrong with pages that are linked by a header',
    story: [
      TEN_CHARGES,
      LATER,
      page({ query: '?limit=4', to: 4, link: '?limit=4&cursor=4' }),
      page({ query: '?limit=4&cursor=4', from: 4, to: 8, link: '?limit=4&cursor=8' }),
      page({ query: '?limit=4&cursor=8', from: 8 }),
      page({ query: '?limit=10' }),
    ],
    finds: [SHAPE],
  },
  {
    title: 'it finds nothing wrong with linked pages whose parameters have other names',
    story: [
      TEN_CHARGES,
      LATER,
      page({ query: '?limit=4', to: 4, link: '?page=2&per_page=4' }),
      page({ query: '?page=2&per_page=4', from: 4, to: 8, link: '?page=3&per_page=4' }),
      page({ query: '?page=3&per_page=4', from: 8 }),
      page({ query: '?limit=10' }),
    ],
    finds: [SHAPE],
  },
  {
    title: 'it judges a filter that the next request of a client has, although a page links to it',
    story: [
      TEN_CHARGES,
      LATER,
      page({ query: '?limit=4', to: 4, link: '?status=CONCLUIDA' }),
      page({ query: '?status=CONCLUIDA' }),
    ],
    finds: ['lists-filtered@listImmediateQrCodes', 'lists-paged@listImmediateQrCodes', SHAPE],
  },
  {
    title: 'it judges a filter of a linked page, although the page before it has none',
    story: [
      TEN_CHARGES,
      LATER,
      page({ query: '?limit=4', to: 4, link: '?limit=4&status=CONCLUIDA&cursor=4' }),
      page({ query: '?limit=4&status=CONCLUIDA&cursor=4', from: 4, to: 8 }),
    ],
    finds: ['lists-filtered@listImmediateQrCodes', SHAPE],
  },
  {
    title: 'it finds nothing wrong with linked pages whose filter is written in another way',
    story: [
      TEN_CHARGES,
      LATER,
      page({ query: '?limit=5&status=ATIVA', to: 5, link: '?limit=5&status=ativa&cursor=5' }),
      page({ query: '?limit=5&status=ativa&cursor=5', from: 5 }),
    ],
    finds: [SHAPE],
  },
  {
    title: 'it finds a record that is lost between two linked pages',
    story: [
      TEN_CHARGES,
      LATER,
      page({ query: '?limit=4', to: 4, link: '?page_info=b' }),
      page({ query: '?page_info=b', from: 4, to: 8, link: '?page_info=c' }),
      page({ query: '?page_info=c', from: 8 }),
      page({ query: '?limit=5', to: 5, link: '?page_info=d' }),
      page({ query: '?page_info=d', from: 6 }),
    ],
    finds: ['lists-consistent@listImmediateQrCodes', 'lists-whole@listImmediateQrCodes', SHAPE],
  },
  {
    title: 'it finds a record on two linked pages',
    story: [
      TEN_CHARGES,
      LATER,
      page({ query: '?limit=5', to: 5, link: '?limit=5&cursor=4' }),
      page({ query: '?limit=5&cursor=4', from: 4, to: 9, link: '?limit=5&cursor=8' }),
      page({ query: '?limit=5&cursor=8', from: 8 }),
    ],
    finds: ['lists-ordered@listImmediateQrCodes', SHAPE],
  },
  {
    title: 'it finds a linked page with more records than its limit',
    story: [
      TEN_CHARGES,
      LATER,
      page({ query: '?limit=4', to: 5, link: '?limit=4&cursor=5' }),
      page({ query: '?limit=4&cursor=5', from: 5, to: 9, link: '?limit=4&cursor=9' }),
    ],
    finds: ['lists-paged@listImmediateQrCodes', SHAPE],
  },
  {
    title:
      'it finds nothing wrong with a link without a limit, to a page as long as one without it',
    story: [
      TEN_CHARGES,
      LATER,
      page({ query: '?limit=4', to: 4, link: '?cursor=4' }),
      page({ query: '?cursor=4', from: 4 }),
    ],
    finds: [SHAPE],
  },
  {
    title: 'it finds nothing wrong with a link that lowers the limit',
    story: [
      TEN_CHARGES,
      LATER,
      page({ query: '?limit=4', to: 4, link: '?limit=2&cursor=4' }),
      page({ query: '?limit=2&cursor=4', from: 4, to: 6, link: '?limit=2&cursor=6' }),
    ],
    finds: [SHAPE],
  },
  {
    title: 'it finds a linked page that is as long as no limit says',
    story: [
      TEN_CHARGES,
      LATER,
      page({ query: '?limit=4', to: 4, link: '?cursor=4' }),
      page({ query: '?cursor=4', from: 4, to: 7, link: '?cursor=7' }),
    ],
    finds: ['lists-paged@listImmediateQrCodes', SHAPE],
  },
  {
    title: 'it finds a link that leads to the same page again, where the list has other records',
    story: [
      TEN_CHARGES,
      LATER,
      page({ query: '?limit=2', to: 2, link: '?limit=2&cursor=2' }),
      page({ query: '?limit=10' }),
      page({ query: '?limit=4', to: 4, link: '?limit=4&cursor=4' }),
      page({ query: '?limit=4&cursor=4', to: 4, link: '?limit=4&cursor=4' }),
    ],
    finds: ['lists-consistent@listImmediateQrCodes', 'lists-ordered@listImmediateQrCodes', SHAPE],
  },
])

test('it learns the header that links pages', () => {
  const form = new ServiceForm()
  readStory([charge, page({ query: '?limit=1', link: '?cursor=1' })], { form })
  expect(form.learned).toContainEqual({
    name: 'list/next',
    value: 'link',
    question: 'paging',
    isGiven: false,
  })
})

test.each([
  { title: 'that leads to another host', link: 'http://other.example/?cursor=1' },
  { title: 'that leads to another operation', link: '/mobile-bff/v1/partner/user?cursor=1' },
])('it learns no header $title', ({ link }) => {
  const form = new ServiceForm()
  readStory([charge, page({ query: '?limit=1', link })], { form })
  expect(form.learned).toEqual([])
})

test('it does not say that a link leads elsewhere if the user named another place', () => {
  const form = new ServiceForm({ list: { '/next': '/after' } })
  readStory([TEN_CHARGES, LATER, page({ query: '?limit=4', to: 4, link: '?cursor=4' })], { form })
  const sign = 'a page has a header Link with rel="next"'
  expect(form.unreadPages.list()).toEqual([['listImmediateQrCodes', sign]])
})

const SIGNS = [
  { title: 'that is full', shown: { query: '?limit=4', to: 4 } },
  {
    title: 'with a larger total in a header',
    shown: { to: 4, headers: { 'x-total-count': '10' } },
  },
  { title: 'with a larger total in its body', shown: { to: 4, fields: { meta: { total: 10 } } } },
  { title: 'that has more', shown: { to: 4, fields: { has_more: true } } },
  { title: 'whose link leads elsewhere', shown: { to: 4, link: 'http://other.example/?cursor=4' } },
]

test.each(SIGNS)('it does not say that a list is whole by a page $title', ({ shown }) => {
  const form = new ServiceForm()
  const { cases, verdicts } = readStory([TEN_CHARGES, LATER, page(shown)], { form })
  expect(cases.get('lists-whole')).toBeUndefined()
  expect(form.unreadPages.list()).toEqual([['listImmediateQrCodes', expect.any(String)]])
  const paging = verdicts.find(({ question }) => question === 'paging')
  expect(paging?.unsettled).toContain('the second page of listImmediateQrCodes')
})

test('it does not say that a list is whole whose last page names a larger total', () => {
  const fields = { next_cursor: null, total: 10 }
  const { cases, verdicts } = readStory([TEN_CHARGES, LATER, page({ to: 4, fields })])
  expect(cases.get('lists-whole')?.passed ?? 0).toBe(0)
  const paging = verdicts.find(({ question }) => question === 'paging')
  expect(paging?.verdict).not.toBe('confirmed')
})

test('it says that a list is whole by a page that has room left, and names no larger total', () => {
  const shown = { query: '?limit=11', headers: { 'x-total-count': '10' } }
  const form = new ServiceForm()
  const { cases } = readStory([TEN_CHARGES, LATER, page(shown)], { form })
  expect(cases.get('lists-whole')?.passed).toBe(1)
  expect(form.unreadPages.list()).toEqual([])
})

test.each([
  {
    title: 'links a next page',
    manner: { responds: { link: '<?page=2>; rel="next"' } },
    finds: [],
  },
  {
    title: 'says that it has more',
    manner: { shows: { has_more: true } },
    finds: ['responses-known'],
  },
])(
  'it says of no list without declared pages that it leaves records out, if it $title',
  ({ manner, finds }) => {
    const form = new ServiceForm()
    const showsOldest = { ...manner, shown: (records: Json[]) => records.slice(-1) }
    const story = [webhook, webhook, LATER, webhooks('', showsOldest)]
    const { cases, findings } = readStory(story, { form })
    expect(findings.map(({ rule }) => rule)).toEqual(finds)
    expect(cases.get('lists-whole')).toBeUndefined()
    expect(form.unreadPages.list()).toEqual([['listWebhooks', expect.stringMatching(/next|more/)]])
  },
)
