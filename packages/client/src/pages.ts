import { kindOf } from '@partner-payments/contract'
import { DecodeError } from './errors.ts'
import type { Operation } from './operation.ts'
import type { CallOptions } from './options.ts'
import { readProperty, readText } from './property.ts'

/** A page of a list (assumption `paging`). */
export interface Page {
  readonly data: unknown[]
  readonly next_cursor?: string | null
}

type RequestPage = (query: object | undefined, options?: CallOptions) => Promise<unknown>

/**
 * A call that resolves to one page, and iterates over the records of this page and all following
 * pages.
 */
export function createList(operation: Operation, requestPage: RequestPage): RequestPage {
  return (query, options) => {
    const first = requestPage(query, options)
    const requestNext = (cursor: string) => requestPage({ ...query, cursor }, options)
    const records = () => listRecords(operation, first, requestNext)
    return Object.assign(first, { [Symbol.asyncIterator]: records })
  }
}

/** Yields the records of the first page, then requests and yields page after page. */
async function* listRecords(
  operation: Operation,
  first: Promise<unknown>,
  requestNext: (cursor: string) => Promise<unknown>,
) {
  const cursors = new Set<string>()
  let page = await first
  while (true) {
    yield* readRecords(operation, page)

    const cursor = readNextCursor(operation, page)
    const isLastPage = cursor === ''
    if (isLastPage) return

    const wouldLoopForever = cursors.has(cursor)
    if (wouldLoopForever) {
      throw new DecodeError(operation, 'expected a new /next_cursor, got a previous one', {
        body: page,
      })
    }
    cursors.add(cursor)
    page = await requestNext(cursor)
  }
}

/** The records of a page, from its field `data`. Throws `DecodeError` if that is no array. */
function readRecords(operation: Operation, page: unknown): unknown[] {
  const { data } = page as Page
  if (Array.isArray(data)) return data
  throw new DecodeError(operation, `expected /data to be an array, got ${kindOf(data)}`, {
    body: page,
  })
}

/**
 * The cursor of the next page; empty on the last one, which says so by null or an empty string.
 * Throws for every other value: a list must not end early because the service names its cursor in
 * another way.
 */
export function readNextCursor(operation: Operation, page: unknown): string {
  const value = readProperty(page, 'next_cursor')
  const isLast = value === null || value === ''
  if (isLast) return ''

  const cursor = readText(page, 'next_cursor')
  if (cursor) return cursor

  throw new DecodeError(
    operation,
    `expected /next_cursor to be a cursor, or null on the last page, got ${kindOf(value)}`,
    { body: page },
  )
}
