import type { Contract } from '../contract/contract.ts'
import { valueAt } from '../contract/json.ts'
import type { Shown } from '../contract/kinds.ts'
import type { RecordedExchange } from '../history.ts'
import { Bounded } from './bounded.ts'
import type { Exchange } from './exchange.ts'
import { nameOf } from './identity.ts'

/** A page of a list, joined to the ones before it by their cursors. */
export interface Page {
  readonly sentAt: number
  readonly beside: readonly RecordedExchange[]
  readonly items: readonly Pick<Shown, 'kind' | 'id'>[]
  /** The cursor of the next page; null if this is the last one, undefined if the response shows none. */
  readonly next: unknown
  readonly previous: Page | undefined
  /** Its place in the walk. The first page has 1. */
  readonly count: number
}

/** The walks through lists. */
export interface Walks {
  /** The page that a response shows; undefined if it shows none, or its first page is not known. */
  pageOf(exchange: Exchange): Page | undefined
  /** The last look at the first page of a list with the same owner and query. */
  lastLook(exchange: Exchange): Exchange | undefined
  /** Whether an earlier page had a cursor: of the same list, owner and filters, or of anybody's. */
  isKnown(exchange: Exchange, cursor: string, isAnybodys?: boolean): boolean
  fold(exchange: Exchange): void
  /** How many cursors it has forgotten. */
  readonly forgotten: number
}

/** Cursors, pages of a walk, and looks that are remembered. */
const MOST = 5_000
const MOST_PAGES = 500
const MOST_LOOKS = 100

export function createWalks({ behaviour }: Contract): Walks {
  const ended = new Bounded<string, Page>(MOST)
  const issued = new Bounded<string, true>(MOST)
  const looks = new Bounded<string, Exchange>(MOST_LOOKS)

  function pageOf(exchange: Exchange): Page | undefined {
    const declared = behaviour.lists?.[exchange.operation?.id ?? '']
    if (!declared || exchange.outcome !== 'accepted' || !exchange.by) return undefined
    if (!Array.isArray(valueAt(exchange.shown, declared.items))) return undefined
    const { pages } = declared
    const cursor = pages && exchange.query.get(pages.cursor)
    const previous = typeof cursor === 'string' ? ended.get(keyOf(exchange, cursor)) : undefined
    const count = (previous?.count ?? 0) + 1
    if ((typeof cursor === 'string' && !previous) || count > MOST_PAGES) return undefined
    const { sentAt, beside, records } = exchange
    const items = records.map(({ kind, id }) => ({ kind, id }))
    return {
      sentAt,
      beside,
      items,
      next: pages ? valueAt(exchange.shown, pages.next) : null,
      previous,
      count,
    }
  }

  /** A cursor goes with the list, the filters and the owner of its page. */
  function keyOf({ operation, query, by }: Exchange, cursor: unknown): string {
    const { pages } = behaviour.lists?.[operation?.id ?? ''] ?? {}
    const filters = [...query].filter(([name]) => name !== pages?.cursor && name !== pages?.limit).sort()
    return JSON.stringify([operation?.id, by && nameOf(by), filters, cursor])
  }

  const lookKey = (exchange: Exchange) => keyOf(exchange, [...exchange.query].sort())

  return {
    pageOf,
    lastLook: (exchange) => looks.get(lookKey(exchange)),
    isKnown: (exchange, cursor, isAnybodys) =>
      (isAnybodys ? issued : ended).has(isAnybodys ? cursor : keyOf(exchange, cursor)),
    get forgotten() {
      return issued.forgotten
    },
    fold(exchange) {
      const page = pageOf(exchange)
      if (page && !page.previous) looks.set(lookKey(exchange), exchange)
      if (typeof page?.next !== 'string') return
      ended.set(keyOf(exchange, page.next), page)
      issued.set(page.next, true)
    },
  }
}

/** A page and all before it, the first one first. */
export function walkTo(page: Page): Page[] {
  const pages = [page]
  for (let it = page.previous; it; it = it.previous) pages.unshift(it)
  return pages
}
