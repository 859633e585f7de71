import { findDeclaredList } from '../contract/behaviour.ts'
import { listFirstLeaves, withValue } from '../contract/json.ts'
import { findNextTargets } from '../form/link-header.ts'
import type { ServiceForm } from '../form/service-form.ts'
import type { Exchange } from './exchange.ts'
import { listPageLimits } from './page-limits.ts'

/** What is known of a page of a list, with the pages before it. */
interface ShownPage {
  /** Null if the page says that it is the last one; undefined if it says nothing of a next one. */
  readonly next: unknown
  /** How many records it has. */
  readonly count: number
  /** How many different records it has with those of the pages before it. */
  readonly countSoFar: number
}

const LINK = 'a page has a header Link with rel="next"'
/** What a page says whose header Link is not followed. */
export const LINK_ELSEWHERE = `${LINK} that leads to another host or path than the list, or to its first page`

/**
 * Finds what says that a list has more records than its pages so far, where no cursor leads to them, such as `a page has
 * 10 records of 23`. Undefined if nothing does: the page may be the last one.
 */
export function findSignOfMore(
  exchange: Exchange,
  page: ShownPage,
  form: ServiceForm,
): string | undefined {
  const total = findTotal(exchange)
  if (total !== undefined && total > page.countSoFar)
    return `a page has ${page.countSoFar} records of ${total}`

  // The service says that this is the last page.
  if (page.next === null) return undefined

  const targets = findNextTargets(exchange.response?.headers.link)
  if (targets.length > 0) {
    const leadsElsewhere = form.findLinkedPage(targets, exchange.path) === undefined
    return leadsElsewhere ? LINK_ELSEWHERE : LINK
  }
  if (saysMore(exchange)) return 'a page says that it has more'

  const limits = listPageLimits(exchange)
  const isFull = limits.length > 0 && page.count >= Math.min(...limits)
  return isFull ? `a page is full, with ${page.count} records` : undefined
}

/** Whether a page says that another one follows, by a header Link or by a field such as `has_more`. */
export function hasNextPage(exchange: Exchange): boolean {
  // Wherever the link leads.
  const isLinked = findNextTargets(exchange.response?.headers.link).length > 0
  return isLinked || saysMore(exchange)
}

/** The names of headers with the number of all records. */
const TOTAL_HEADERS = ['x-total-count', 'x-total', 'total-count', 'x-total-records']
/** The names of fields with it, without `_` and `-`, in small letters. */
const TOTAL_FIELDS: ReadonlySet<string> = new Set([
  'total',
  'totalcount',
  'totalrecords',
  'totalitems',
  'totalelements',
  'totalresults',
])
/** The names of fields that are true on each page but the last one. */
const MORE_FIELDS: ReadonlySet<string> = new Set([
  'hasmore',
  'hasnext',
  'hasnextpage',
  'hasmoreitems',
])
/** So many values beside the records are looked through. */
const MAX_FIELDS = 20

/** Finds the number of all records, in a header or in a field beside the records. */
function findTotal(exchange: Exchange): number | undefined {
  for (const name of TOTAL_HEADERS) {
    const total = readCount(exchange.response?.headers[name])
    if (total !== undefined) return total
  }
  const [, total] = listFieldsBeside(exchange, TOTAL_FIELDS)[0] ?? []
  return readCount(total)
}

/** Whether a field such as `has_more` is true. */
function saysMore(exchange: Exchange): boolean {
  return listFieldsBeside(exchange, MORE_FIELDS).some(([, value]) => value === true)
}

/** Lists the fields of a page with some names that are not those of its records. */
function listFieldsBeside(
  exchange: Exchange,
  names: ReadonlySet<string>,
): readonly (readonly [pointer: string, value: unknown])[] {
  const items = findDeclaredList(exchange)?.items
  if (items === undefined) return []

  const withoutRecords = withValue(exchange.responseBody, items, undefined)
  return listFirstLeaves(withoutRecords, MAX_FIELDS, (_, name = '') =>
    names.has(name.replaceAll(/[_-]/g, '').toLowerCase()),
  )
}

function readCount(value: unknown): number | undefined {
  return /^\d{1,9}$/.test(String(value ?? '')) ? Number(value) : undefined
}
