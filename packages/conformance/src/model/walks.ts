import { findDeclaredList } from '../contract/behaviour.ts'
import { type Comparison, findOnlyItem, listItems, stringAt, valueAt } from '../contract/json.ts'
import type { ShownRecord } from '../contract/kinds.ts'
import { isNextPage } from '../form/cursors.ts'
import type { ServiceForm } from '../form/service-form.ts'
import type { RecordedExchange } from '../history.ts'
import { Bounded } from './bounded.ts'
import { type Exchange, nameOf } from './exchange.ts'
import { findSignOfMore, hasNextPage } from './more-records.ts'

/** A page of a list, with the pages before it, to which their cursors lead. */
export interface Page {
  readonly sentAt: number
  readonly beside: readonly RecordedExchange[]
  readonly items: readonly Pick<ShownRecord, 'kind' | 'id'>[]
  /**
   * The cursor of the next page; null if this is the last one, undefined if the response shows
   * none.
   */
  readonly next: unknown
  /** Whether its cursor says that no page follows. */
  readonly isLast: boolean
  /** What says that there are more records, where no cursor leads to them; undefined if nothing does. */
  readonly signOfMore: string | undefined
  readonly previous: Page | undefined
  /** Its number in the walk, from 1. */
  readonly number: number
  /** How many records the walk has shown up to it. */
  readonly recordsSoFar: number
}

/** The values of a page one of which may be its cursor, and the ids of its records. */
interface Candidates {
  readonly values: readonly (readonly [pointer: string, value: string])[]
  readonly ids: readonly string[]
}

/** Limits of what is remembered: cursors, pages of one walk, and records on all of them. */
const MAX_CURSORS = 5_000
const MAX_PAGES = 500
/** Each further page goes through them. */
const MAX_WALKED_RECORDS = 100_000

/** The walks through lists: pages that are joined by their cursors. */
export class Walks {
  readonly #form: ServiceForm
  /** The pages by list and cursor of the next page. */
  readonly #pagesByCursor = new Bounded<string, Page>(MAX_CURSORS)
  /** The list and the owner whose page showed a cursor. */
  readonly #issuerByCursor = new Bounded<string, string>(MAX_CURSORS)
  /** The last request of the first page of a list. */
  readonly #firstPages = new Bounded<string, Exchange>(100)

  /** Of each list without a cursor at the declared place: the values of its last page. */
  readonly #candidates = new Bounded<string, Candidates>(100)

  /** @param form How the service leads from a page to the next one. */
  constructor(form: ServiceForm) {
    this.#form = form
  }

  /** How many cursors it has forgotten. */
  get forgotten(): number {
    return this.#issuerByCursor.forgotten
  }

  /**
   * The page of a list that a response shows, linked to the page before it (`previous`), whose cursor the request
   * had: `{ items: [{ id: 'qr_3' }], next: 'c_2', isLast: false, number: 2, … }`. Undefined if the response shows no
   * list, if no known page had that cursor, or after 500 pages or 100,000 records.
   */
  readPage(exchange: Exchange): Page | undefined {
    const { sentAt, beside, records, responseBody } = exchange
    const list = findDeclaredList(exchange)
    if (!list || exchange.outcome !== 'accepted' || !exchange.identity) return undefined
    if (!Array.isArray(valueAt(responseBody, list.items))) return undefined

    const next = readNextCursor(exchange)
    const items = records.map(({ kind, id }) => ({ kind, id }))
    const content = { sentAt, beside, items, next, isLast: next === null }

    const cursor = readSentCursor(exchange)
    if (cursor === undefined) {
      const place = { previous: undefined, number: 1, recordsSoFar: items.length }
      return this.#withSignOfMore(exchange, { ...content, ...place })
    }

    const previous = this.#pagesByCursor.get(this.#cursorKey(exchange, cursor))
    if (!previous || previous.number === MAX_PAGES) return undefined

    const recordsSoFar = previous.recordsSoFar + items.length
    if (recordsSoFar > MAX_WALKED_RECORDS) return undefined

    const place = { previous, number: previous.number + 1, recordsSoFar }
    return this.#withSignOfMore(exchange, { ...content, ...place })
  }

  /** Completes a page with what says that there are more records than its walk has shown. */
  #withSignOfMore(exchange: Exchange, page: Omit<Page, 'signOfMore'>): Page {
    const { next, items, previous } = page
    const leadsOn = typeof next === 'string'
    if (leadsOn) return { ...page, signOfMore: undefined }

    const pages = previous ? [...listPagesSoFar(previous), page] : [page]
    // Records whose id has another name are on the page too.
    const declared = findDeclaredList(exchange)
    const count = declared ? listItems(valueAt(exchange.responseBody, declared.items)).length : 0
    const countSoFar = listRecordIds(pages).size + count - items.length
    const signOfMore = findSignOfMore(exchange, { next, count, countSoFar }, this.#form)
    return { ...page, signOfMore }
  }

  /** The last request of the first page of this list, by the same owner and with the same query. */
  findLastFirstPage(exchange: Exchange): Exchange | undefined {
    return this.#firstPages.get(this.#firstPageKey(exchange))
  }

  /** Whether an earlier page of the same list, owner and filters had a cursor. */
  isIssuedCursor(exchange: Exchange, cursor: string): boolean {
    return this.#pagesByCursor.has(this.#cursorKey(exchange, cursor))
  }

  /**
   * Compares the list and the owner of a request with those of the last page that had a cursor. Unknown
   * if no page had it.
   */
  compareIssuer(exchange: Exchange, cursor: string): Comparison {
    const issuer = this.#issuerByCursor.get(cursor)
    if (issuer === undefined) return 'unknown'
    return issuer === describeIssuer(exchange) ? 'same' : 'different'
  }

  /**
   * The pointer at which a service shows its cursor, if that is not the declared place, such as `/meta/next`: the
   * only one at which the page before had the cursor that this request sent. Undefined if no place or several had it,
   * or if this response does not show a next page.
   */
  findCursorPlace(exchange: Exchange): string | undefined {
    const sentCursor = readSentCursor(exchange)
    // The last page of this list, if it had no cursor at the declared place: its ids, and values such as
    // `['/meta/next', 'c_2']`.
    const pageBefore = this.#candidates.get(listKey(exchange))
    if (sentCursor === undefined || !pageBefore) return undefined

    const ids = exchange.records.map(({ id }) => id)
    const hasCursorWorked = isNextPage(pageBefore.ids, ids)
    if (!hasCursorWorked) return undefined

    const matches = pageBefore.values.filter(([, value]) => value === sentCursor)
    const [pointer] = findOnlyItem(matches) ?? []
    return pointer
  }

  /**
   * Takes in the next exchange: remembers the page that it shows by its next cursor, so that the page after
   * it can be linked to it.
   */
  fold(exchange: Exchange): void {
    this.#rememberCursor(exchange)

    const page = this.readPage(exchange)
    if (!page) return

    const isFirst = page.previous === undefined
    if (isFirst) this.#firstPages.set(this.#firstPageKey(exchange), exchange)
    if (typeof page.next === 'string')
      this.#pagesByCursor.set(this.#cursorKey(exchange, page.next), page)
  }

  /**
   * Remembers whose list showed a cursor, whether the pages before it are known or not. Without a cursor at the declared
   * place, remembers all values of the response that may be one.
   */
  #rememberCursor(exchange: Exchange): void {
    const { operation, outcome, responseBody } = exchange
    const pages = findDeclaredList(exchange)?.pages
    if (!operation || !pages || outcome !== 'accepted') return

    const cursor = stringAt(responseBody, pages.next)
    if (cursor !== undefined) {
      this.#issuerByCursor.set(cursor, describeIssuer(exchange))
      return
    }

    // The service may show it at another place.
    const { path } = exchange
    const candidates = this.#form.listCursorCandidates(operation.id, path, responseBody)
    this.#rememberCandidates(candidates, exchange)
  }

  /** Remembers the values of a page that may be its cursor. */
  #rememberCandidates(values: Candidates['values'], exchange: Exchange): void {
    for (const [, value] of values) this.#issuerByCursor.set(value, describeIssuer(exchange))
    const ids = exchange.records.map(({ id }) => id)
    this.#candidates.set(listKey(exchange), { values, ids })
  }

  /** A cursor with the list, the filters and the owner of its page. */
  #cursorKey(exchange: Exchange, cursor: unknown): string {
    return JSON.stringify([listKey(exchange), cursor])
  }

  #firstPageKey(exchange: Exchange): string {
    return this.#cursorKey(exchange, [...exchange.query].sort())
  }
}

/** Reads the cursor of the next page; null if this is the last one, undefined if the page shows none. */
function readNextCursor(exchange: Exchange): unknown {
  const { pages } = findDeclaredList(exchange) ?? {}
  if (pages) return valueAt(exchange.responseBody, pages.next)

  // A list without pages has only one, unless the service says that another one follows.
  return hasNextPage(exchange) ? undefined : null
}

/** The cursor that a request sends; undefined if it asks for the first page. */
function readSentCursor(exchange: Exchange): string | undefined {
  const pages = findDeclaredList(exchange)?.pages
  if (!pages) return undefined
  return exchange.query.get(pages.cursor) ?? undefined
}

/**
 * A list with its owner and its filters as a text, `["listWebhooks key_1",[["status","active"]]]`: the same for all
 * pages of a walk, whatever their cursor and limit.
 */
export function listKey(exchange: Exchange): string {
  const pages = findDeclaredList(exchange)?.pages
  // All parameters of the query but the cursor and the limit.
  const isFilter = (name: string) => name !== pages?.cursor && name !== pages?.limit
  const filters = [...exchange.query].filter(([name]) => isFilter(name))
  return JSON.stringify([describeIssuer(exchange), filters.sort()])
}

/** A list with its owner as a text. */
function describeIssuer({ operation, identity }: Pick<Exchange, 'operation' | 'identity'>): string {
  return `${operation?.id} ${identity && nameOf(identity)}`
}

/** The pages of a walk from the first one to this one. */
export function listPagesSoFar(page: Page): [first: Page, ...others: Page[]] {
  const pages: [Page, ...Page[]] = [page]
  for (let earlier = page.previous; earlier; earlier = earlier.previous) pages.unshift(earlier)
  return pages
}

/** The ids of the records on pages of a list. */
export function listRecordIds(pages: readonly Pick<Page, 'items'>[]): ReadonlySet<string> {
  return new Set(pages.flatMap(({ items }) => items.map(({ id }) => id)))
}
