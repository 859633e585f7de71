import { behaviour } from '../contract/behaviour.ts'
import { stringAt, valueAt } from '../contract/json.ts'
import type { ShownRecord } from '../contract/kinds.ts'
import { isNextPage, listCursorCandidates } from '../form/cursors.ts'
import type { RecordedExchange } from '../history.ts'
import { Bounded } from './bounded.ts'
import { type Exchange, nameOf } from './exchange.ts'

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
  readonly previous: Page | undefined
  /** Its number in the walk, from 1. */
  readonly number: number
}

/** The values of a page one of which may be its cursor, and the ids of its records. */
interface Candidates {
  readonly values: readonly (readonly [pointer: string, value: string])[]
  readonly ids: readonly string[]
}

/** Limits of what is remembered: cursors, and pages of one walk. */
const MAX_CURSORS = 5_000
const MAX_PAGES = 500

/** The walks through lists: pages that are joined by their cursors. */
export class Walks {
  /** The pages by list and cursor of the next page. */
  readonly #pagesByCursor = new Bounded<string, Page>(MAX_CURSORS)
  /** The list and the owner whose page showed a cursor. */
  readonly #issuerByCursor = new Bounded<string, string>(MAX_CURSORS)
  /** The last request of the first page of a list. */
  readonly #firstPages = new Bounded<string, Exchange>(100)

  /** Of each list without a cursor at the declared place: the values of its last page. */
  readonly #candidates = new Bounded<string, Candidates>(100)

  /** How many cursors it has forgotten. */
  get forgotten(): number {
    return this.#issuerByCursor.forgotten
  }

  /**
   * The page of a list that a response shows, linked to the page before it, whose cursor the request had.
   * Undefined if the response shows no list, if no known page had that cursor, or after too many pages.
   */
  readPage(exchange: Exchange): Page | undefined {
    const { sentAt, beside, records, responseBody, query } = exchange
    const declared = behaviour.lists[exchange.operation?.id ?? '']
    if (!declared || exchange.outcome !== 'accepted' || !exchange.identity) return undefined
    if (!Array.isArray(valueAt(responseBody, declared.items))) return undefined

    // A list without pages has no such parameter: its only page is the first one, and the last one.
    const cursor = query.get(declared.pages?.cursor ?? '')
    const isFirst = cursor === null
    const previous = isFirst
      ? undefined
      : this.#pagesByCursor.get(this.#cursorKey(exchange, cursor))
    // The page that showed this cursor is not known, such as before the history began.
    if (!isFirst && !previous) return undefined

    const number = (previous?.number ?? 0) + 1
    if (number > MAX_PAGES) return undefined

    return {
      sentAt,
      beside,
      items: records.map(({ kind, id }) => ({ kind, id })),
      next: declared.pages ? valueAt(responseBody, declared.pages.next) : null,
      previous,
      number,
    }
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
   * Whether the last page that had a cursor is one of another list or owner; undefined if no page
   * had it.
   */
  isForeignCursor(exchange: Exchange, cursor: string): boolean | undefined {
    const issuer = this.#issuerByCursor.get(cursor)
    return issuer === undefined ? undefined : issuer !== describeIssuer(exchange)
  }

  /**
   * The pointer at which a service shows its cursor, if that is not the declared place. A value of the
   * page before proves to be the cursor if this request sent it and got other records. Undefined if this
   * is not so, or that page had the value at several places.
   */
  findCursorPlace(exchange: Exchange): string | undefined {
    const name = behaviour.lists[exchange.operation?.id ?? '']?.pages?.cursor ?? ''
    const cursor = exchange.query.get(name)
    const pageBefore = cursor === null ? undefined : this.#candidates.get(listKey(exchange))
    if (!pageBefore) return undefined

    const ids = exchange.records.map(({ id }) => id)
    if (!isNextPage(pageBefore.ids, ids)) return undefined

    const [match, ...others] = pageBefore.values.filter(([, value]) => value === cursor)
    if (!match || others.length > 0) return undefined
    const [pointer] = match
    return pointer
  }

  /**
   * Takes in the next exchange: remembers the page that it shows by its next cursor, so that the page after
   * it can be linked to it.
   */
  fold(exchange: Exchange): void {
    this.#rememberCandidates(exchange)
    this.#rememberIssuer(exchange)
    const page = this.readPage(exchange)
    if (page && !page.previous) this.#firstPages.set(this.#firstPageKey(exchange), exchange)
    if (typeof page?.next === 'string')
      this.#pagesByCursor.set(this.#cursorKey(exchange, page.next), page)
  }

  /** Remembers whose list showed a cursor, whether the pages before it are known or not. */
  #rememberIssuer(exchange: Exchange): void {
    const { pages } = behaviour.lists[exchange.operation?.id ?? ''] ?? {}
    if (!pages || exchange.outcome !== 'accepted') return
    const cursor = stringAt(exchange.responseBody, pages.next)
    if (cursor !== undefined) this.#issuerByCursor.set(cursor, describeIssuer(exchange))
  }

  /**
   * If a page has no cursor at the declared place, remembers its values that look like one: a service may
   * show its cursor elsewhere.
   */
  #rememberCandidates(exchange: Exchange): void {
    const list = exchange.operation?.id ?? ''
    const { pages } = behaviour.lists[list] ?? {}
    if (!pages || exchange.outcome !== 'accepted') return
    if (typeof valueAt(exchange.responseBody, pages.next) === 'string') return

    const values = listCursorCandidates(list, exchange.responseBody)
    // One of them may turn out to be the cursor.
    for (const [, value] of values) this.#issuerByCursor.set(value, describeIssuer(exchange))
    this.#candidates.set(listKey(exchange), {
      values,
      ids: exchange.records.map(({ id }) => id),
    })
  }

  /** A cursor with the list, the filters and the owner of its page. */
  #cursorKey(exchange: Exchange, cursor: unknown): string {
    return JSON.stringify([listKey(exchange), cursor])
  }

  #firstPageKey(exchange: Exchange): string {
    return this.#cursorKey(exchange, [...exchange.query].sort())
  }
}

/** A list with its owner and its filters as a text, whatever the size of its pages. */
export function listKey({ operation, query, identity }: Exchange): string {
  const { cursor, limit } = behaviour.lists[operation?.id ?? '']?.pages ?? {}
  const filters = [...query].filter(([name]) => name !== cursor && name !== limit)
  return JSON.stringify([describeIssuer({ operation, identity }), filters.sort()])
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
export function listRecordIds(pages: readonly Page[]): ReadonlySet<string> {
  return new Set(pages.flatMap(({ items }) => items.map(({ id }) => id)))
}
