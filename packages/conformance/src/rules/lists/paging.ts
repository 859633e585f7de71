import type { Context } from '../../engine/context.ts'
import { below, valueAt } from '../../model/document.ts'
import type { Exchange } from '../../model/exchange.ts'
import type { OperationView } from '../../model/operation-view.ts'
import { fieldIn, itemsIn } from './items.ts'

export type Query = Readonly<Record<string, string>>

/** How a list is paged. */
export interface Paging {
  /** Its items and the cursor of the next page, in the response. */
  readonly items: string | undefined
  readonly next: string | undefined
  readonly cursor: string | undefined
  readonly limit: Limit | undefined
}

interface Limit {
  readonly name: string
  /** The largest limit and the default limit, if the contract declares them. */
  readonly most: number | undefined
  readonly standard: number | undefined
}

export function pagingOf({ contract, behaviour }: Context, { id, queryParameters }: OperationView): Paging {
  const { items, pages } = behaviour.lists?.[id] ?? {}
  const limit = queryParameters.find((it) => it.name === pages?.limit)
  return {
    items,
    next: pages?.next,
    cursor: pages?.cursor,
    limit: limit && limitOf(limit.name, contract.document.follow(below(limit.pointer, 'schema')).node),
  }
}

/** Limits that are tried where the limit is a string with a pattern. */
const SIZES = [1_000, 500, 200, 100, 50, 20, 10]

function limitOf(name: string, { maximum, pattern, ...schema }: Readonly<Record<string, unknown>>): Limit {
  const known =
    typeof pattern === 'string' ? SIZES.find((it) => new RegExp(pattern).test(`${it}`)) : undefined
  const standard = Number(schema.default)
  return {
    name,
    most: typeof maximum === 'number' ? maximum : known,
    standard: standard > 0 ? standard : undefined,
  }
}

/** A page with fewer records than this is the last one: no default limit is smaller. */
const FEW = 10

export interface Page {
  readonly exchange: Exchange
  readonly items: readonly unknown[]
  /** The parameters of the next page; undefined if there is none, or the response does not contain them. */
  readonly next: Query | undefined
  /** Whether this is the last page; undefined if that is unknown. */
  readonly isLast: boolean | undefined
}

/** @param size the limit of the request, if it has one */
export function pageOf(exchange: Exchange, paging: Paging, size: number | undefined): Page {
  const items = itemsIn(exchange.body, paging.items)
  const way = nextOf(exchange, paging)
  const isShort = items.length < Math.min(size ?? FEW, paging.limit?.most ?? FEW)
  const isLast = way === 'end' || (way === undefined && (isShort || !isCut(paging))) ? true : undefined
  return { exchange, items, next: typeof way === 'object' ? way : undefined, isLast }
}

/** Whether a list is shown in pages. */
export function isCut({ cursor, limit }: Paging): boolean {
  return cursor !== undefined || limit !== undefined
}

/** The parameters of the next page. A service may show its cursor elsewhere than the contract assumes. */
function nextOf({ body }: Exchange, { next, cursor = 'cursor' }: Paging): Query | 'end' | undefined {
  const token = (next === undefined ? undefined : valueAt(body, next)) ?? fieldIn(body, /^next/i)
  if (typeof token === 'string' && token !== '') return { [cursor]: token }
  return token !== undefined || fieldIn(body, /^has_?more$/i) === false ? 'end' : undefined
}
