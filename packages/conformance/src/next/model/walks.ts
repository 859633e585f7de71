import type { Contract } from '../contract/contract.ts'
import { valueAt } from '../contract/json.ts'
import type { Shown } from '../contract/kinds.ts'
import { Bounded } from './bounded.ts'
import type { Exchange } from './exchange.ts'
import { nameOf } from './identity.ts'

/** A page of a list, joined to the ones before it by their cursors. */
export interface Page {
  readonly exchange: Exchange
  readonly items: readonly Shown[]
  /** The cursor of the next page; null if this is the last one, undefined if the response shows none. */
  readonly next: unknown
  readonly previous: Page | undefined
}

/** The walks through lists. */
export interface Walks {
  /** The page that a response shows; undefined if it shows none, or its first page is not known. */
  pageOf(exchange: Exchange): Page | undefined
  /** Whether an earlier page had a cursor: of the same list, owner and filters, or of anybody's. */
  isKnown(exchange: Exchange, cursor: string, isAnybodys?: boolean): boolean
  fold(exchange: Exchange): void
}

/** Cursors that are remembered. */
const MOST = 5_000

export function createWalks({ behaviour }: Contract): Walks {
  const ended = new Bounded<string, Page>(MOST)
  const issued = new Bounded<string, true>(MOST)

  function pageOf(exchange: Exchange): Page | undefined {
    const declared = behaviour.lists?.[exchange.operation?.id ?? '']
    if (!declared || exchange.outcome !== 'accepted' || !exchange.by) return undefined
    if (!Array.isArray(valueAt(exchange.shown, declared.items))) return undefined
    const { pages } = declared
    const cursor = pages && exchange.query.get(pages.cursor)
    const previous = typeof cursor === 'string' ? ended.get(keyOf(exchange, cursor)) : undefined
    if (typeof cursor === 'string' && !previous) return undefined
    return {
      exchange,
      items: exchange.records,
      next: pages ? valueAt(exchange.shown, pages.next) : null,
      previous,
    }
  }

  /** A cursor goes with the list, the filters and the owner of its page. */
  function keyOf({ operation, query, by }: Exchange, cursor: unknown): string {
    const { pages } = behaviour.lists?.[operation?.id ?? ''] ?? {}
    const filters = [...query].filter(([name]) => name !== pages?.cursor && name !== pages?.limit).sort()
    return JSON.stringify([operation?.id, by && nameOf(by), filters, cursor])
  }

  return {
    pageOf,
    isKnown: (exchange, cursor, isAnybodys) =>
      (isAnybodys ? issued : ended).has(isAnybodys ? cursor : keyOf(exchange, cursor)),
    fold(exchange) {
      const page = pageOf(exchange)
      if (typeof page?.next !== 'string') return
      ended.set(keyOf(exchange, page.next), page)
      issued.set(page.next, true)
    },
  }
}

/** A page and all before it, the first one first. */
export function walkTo(page: Page): Page[] {
  const pages = [page]
  for (let it = page.previous; it && pages.length < MOST; it = it.previous) pages.unshift(it)
  return pages
}
