import type { Context } from '../../engine/context.ts'
import { below, valueAt } from '../../model/document.ts'
import type { Exchange } from '../../model/exchange.ts'
import type { OperationView } from '../../model/operation-view.ts'
import { fieldIn, itemsIn } from './items.ts'

export type Query = Readonly<Record<string, string>>

/** How a list is paged, as declared or by the usual names of parameters. */
export interface Paging {
  /** Its items and the cursor of the next page, in the response. */
  readonly items: string | undefined
  readonly next: string | undefined
  readonly cursor: string | undefined
  readonly limit: Limit | undefined
  readonly offset: string | undefined
  readonly page: string | undefined
  /** Whether a required parameter selects its records. */
  readonly isSelection: boolean
}

interface Limit {
  readonly name: string
  /** The largest limit and the default limit, if the contract declares them. */
  readonly most: number | undefined
  readonly standard: number | undefined
}

const NAMES = {
  limit: /^(limit|size|count|top|take|per_?page|page_?size|max_?results)$/i,
  cursor: /cursor|token|^(page_?)?(after|before)$|^starting_after$/i,
  offset: /^(offset|skip)$/i,
  page: /^page$/i,
}

export function pagingOf({ contract, behaviour }: Context, list: OperationView): Paging {
  const declared = behaviour.lists?.[list.id]
  const { queryParameters } = list
  const named = (role: keyof typeof NAMES) => queryParameters.find(({ name }) => NAMES[role].test(name))
  const limit = queryParameters.find(({ name }) => name === declared?.pages?.limit) ?? named('limit')
  return {
    items: declared?.items,
    next: declared?.pages?.next,
    cursor: declared?.pages?.cursor ?? named('cursor')?.name,
    limit: limit && limitOf(limit.name, contract.document.follow(below(limit.pointer, 'schema')).node),
    offset: named('offset')?.name,
    page: named('page')?.name,
    isSelection: queryParameters.some(({ name, isRequired }) => isRequired && !isOfPaging(name)),
  }
}

/** Whether a parameter controls paging, and not the selection of records. */
export function isOfPaging(name: string): boolean {
  return Object.values(NAMES).some((it) => it.test(name))
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

interface Position {
  readonly size: number | undefined
  /** Records on this and earlier pages. */
  readonly count: number
  readonly number: number
}

export function pageOf(exchange: Exchange, paging: Paging, { size, count, number }: Position): Page {
  const items = itemsIn(exchange.body, paging.items)
  const way = nextOf(exchange, paging, { items, number, seen: count + items.length })
  const isShort = items.length < Math.min(size ?? FEW, paging.limit?.most ?? FEW)
  const isLast = way === 'end' ? true : way === undefined && (isShort || !isCut(paging)) ? true : undefined
  return { exchange, items, next: typeof way === 'object' ? way : undefined, isLast }
}

/** Whether a list is shown in pages. */
export function isCut({ cursor, limit, offset, page }: Paging): boolean {
  return [cursor, limit, offset, page].some((it) => it !== undefined)
}

/** The parameters of the next page, from the response or from the parameters in the contract. */
function nextOf(
  { body, response }: Exchange,
  { next, cursor, offset, page }: Paging,
  {
    items,
    number,
    seen,
  }: { readonly items: readonly unknown[]; readonly number: number; readonly seen: number },
): Query | 'end' | undefined {
  const token = (next === undefined ? undefined : valueAt(body, next)) ?? fieldIn(body, /^next/i)
  if (typeof token === 'string' && token !== '') return queryOf(token, cursor)
  const [, link] = /<([^>]*)>[^,]*rel="?next/i.exec(String(response.headers.link ?? '')) ?? []
  if (link !== undefined) return queryOf(link, cursor)
  const [shown, last] = [
    fieldIn(body, /^(current_?)?page$/i),
    fieldIn(body, /^(total_?)?pages$|^last_?page$/i),
  ]
  if (typeof shown === 'number' && typeof last === 'number')
    return shown < last ? { [page ?? cursor ?? 'page']: String(shown + 1) } : 'end'
  if (token !== undefined || fieldIn(body, /^has_?more$/i) === false) return 'end'
  if (offset !== undefined) return items.length === 0 ? 'end' : { [offset]: String(seen) }
  return page === undefined ? undefined : { [page]: String(number) }
}

/** A cursor, or the query of a URL in its place. */
function queryOf(token: string, cursor: string | undefined): Query {
  const [, query] = /^(?:https?:|\/)[^?]*\?(.*)$/.exec(token) ?? []
  return query === undefined
    ? { [cursor ?? 'cursor']: token }
    : Object.fromEntries(new URLSearchParams(query))
}
