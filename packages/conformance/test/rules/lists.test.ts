import { expect, it } from 'vitest'
import {
  alters,
  type Body,
  type Fault,
  isSuccess,
  ok,
  problem,
  reads,
  withBody,
  withItems,
} from './broken.ts'
import { CHARGES, NOT_ASSESSED, runOf } from './in-process.ts'

const run = runOf('list-pages', { operations: [...CHARGES, 'listWebhooks'] })
const LIST = 'listImmediateQrCodes'
const DEVIATION = `deviation list-pages ${LIST}`

/** Changes the query of list requests. */
function asking(change: (query: URLSearchParams) => void): Fault {
  return reads(LIST, (call) => {
    const [path = '', search] = call.path.split('?')
    const query = new URLSearchParams(search)
    change(query)
    return { ...call, path: query.size > 0 ? `${path}?${query}` : path }
  })
}

/** Changes the records of pages, by their query. */
function paging(change: (items: readonly Body[], query: URLSearchParams) => unknown): Fault {
  return alters(LIST, (response, { path }) =>
    isSuccess(response)
      ? withItems(response, (items) => change(items, new URL(path, 'http://in.process').searchParams))
      : response,
  )
}

/** Repeats the last record of a page at the beginning of the next. */
function overlapping(): Fault {
  let last: Body
  return paging((items, query) => {
    const shown = query.has('cursor') ? [last ?? items[0], ...items.slice(1)] : items
    last = items.at(-1)
    return shown
  })
}

it.each<readonly [what: string, fault: Fault]>([
  ['a record on two pages', overlapping()],
  [
    'a cursor on the last page',
    alters(LIST, (it) => withBody(it, (body) => ({ ...body, next_cursor: body.next_cursor ?? 'more' }))),
  ],
  ['another default limit', asking((query) => query.has('limit') || query.set('limit', '10'))],
  [
    'a time of creation that moves',
    paging((items) => items.map((it) => ({ ...it, created_at: new Date().toISOString() }))),
  ],
  [
    'a filter that is forgotten on later pages',
    asking((query) => query.has('cursor') && query.delete('tax_id')),
  ],
])('finds %s', async (_, fault) => {
  expect((await run(fault)).found).toContain(DEVIATION)
})

/** Changes the envelope of pages. */
function enveloped(change: (body: Body) => unknown): Fault {
  return alters(LIST, (it) => (isSuccess(it) ? withBody(it, change) : it))
}

/** Pages by number: the cursor is a page number, and the envelope has the number of pages. */
function numbered(): Fault {
  return async (call, next, called) => {
    if (called !== LIST) return next(call)
    const url = new URL(call.path, 'http://in.process')
    const [number, limit] = [
      Number(url.searchParams.get('cursor') ?? 1),
      Number(url.searchParams.get('limit') ?? 20),
    ]
    url.searchParams.delete('cursor')
    url.searchParams.set('limit', '100')
    const { data: items } = JSON.parse((await next({ ...call, path: `${url.pathname}${url.search}` })).text)
    const data = items.slice((number - 1) * limit, number * limit)
    return ok({ data, page: number, total_pages: Math.ceil(items.length / limit) })
  }
}

it.each<readonly [what: string, fault: Fault]>([
  ['items in another field', enveloped(({ data: items, next_cursor: next }) => ({ items, next }))],
  ['the cursor in another object', enveloped(({ data, next_cursor }) => ({ data, meta: { next_cursor } }))],
  [
    'the address of the next page',
    enveloped(({ data, next_cursor }) => ({
      data,
      next: next_cursor && `${'/x?limit=5&cursor='}${next_cursor}`,
    })),
  ],
  ['numbered pages', numbered()],
  [
    'fields that change by themselves',
    paging((items) => items.map((it) => ({ ...it, served_at: Math.random() }))),
  ],
])('reports no failure for %s', async (_, fault) => {
  const { found, status } = await run(fault)
  expect(found.filter((it) => it.startsWith('failure'))).toEqual([])
  expect(status).not.toBe('not-assessed')
})

it('reports a bare array as one deviation', async () => {
  expect((await run(enveloped(({ data }) => data))).found).toEqual([DEVIATION])
})

it('is not assessed if nothing can be created or listed', async () => {
  const fault: Fault = (call, next, called) =>
    /^(list|create)/.test(String(called)) ? Promise.resolve(problem(422)) : next(call)
  expect(await run(fault)).toEqual(NOT_ASSESSED)
})
