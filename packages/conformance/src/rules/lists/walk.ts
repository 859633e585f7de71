import type { Context } from '../../engine/context.ts'
import { below, nodeOf, valueAt } from '../../model/document.ts'
import { type Exchange, isSuccess } from '../../model/exchange.ts'
import type { OperationView } from '../../model/operation-view.ts'
import { type Resource, resourcesOf } from '../../model/resources.ts'
import { anyStep, idIn } from '../records/record-steps.ts'

export type Query = Readonly<Record<string, string>>
export type IsMatching = (item: unknown) => boolean

export interface Page {
  readonly exchange: Exchange
  readonly items: readonly unknown[]
  /** The parameters of the next page; undefined if there is none, or the response does not contain them. */
  readonly next: Query | undefined
  /** Whether this is the last page; undefined if that is unknown. */
  readonly isLast: boolean | undefined
}

/** Pages of a list, one after the other. */
export interface Walk {
  readonly pages: readonly Page[]
  readonly first: Exchange
  readonly items: readonly unknown[]
  /**
   * Why the walk ended: `last` on the last page, `cut` if enough was read or the next page is unknown, `repeated` on a
   * page without new records, `refused` on a refused page, which `last` contains.
   */
  readonly end: 'last' | 'cut' | 'repeated' | 'refused'
  readonly last: Exchange
  /** Whether all pages were read. Otherwise a missing record may be on a later page. */
  readonly isWhole: boolean
}

interface WalkOptions {
  readonly query?: Query
  /** The parameters of its path: those of the record that the list is below. */
  readonly path?: Query | undefined
  /** The limit of a page. Default: that of the service. */
  readonly size?: number | undefined
  readonly isEnough?: (items: readonly unknown[]) => boolean
  readonly most?: number
  /** Runs after the first page. */
  readonly afterFirst?: () => Promise<unknown>
}

/** The reason why a case is inconclusive that depends on the rest of a list. */
export const PARTIAL = 'the rest of the list could not be read'

/** Pages at most. */
const PAGES = 200
/** The requested limit if the contract has no maximum. */
const MANY = 1_000
/** The limit of a page that is read to find one record. */
const SMALL = 5
/** A page with fewer records than this is the last one: no default limit is smaller. */
const FEW = 10

/** The pages of a list; undefined where the first one was refused. */
export async function walkList(
  context: Context,
  list: OperationView,
  {
    query = {},
    path = {},
    size,
    isEnough = () => false,
    most = PAGES,
    afterFirst = async () => {},
  }: WalkOptions = {},
): Promise<Walk | undefined> {
  const paging = pagingOf(context, list)
  const asked = paging.limit && size !== undefined ? { ...query, [paging.limit.name]: String(size) } : query
  const pages: Page[] = []
  const keyOf = keyFor(context, list)
  const keys = new Set<string>()
  const ended = (end: Walk['end'], last: Exchange): Walk => ({
    pages,
    first: pages[0]?.exchange ?? last,
    items: pages.flatMap((it) => it.items),
    end,
    last,
    isWhole: end === 'last' && !paging.isSelection,
  })
  // The number of the page after the first one.
  let base = 1
  for (let next: Query = {}; ; ) {
    const exchange = await context.send(list, { path, query: { ...asked, ...next } })
    if (!isSuccess(exchange)) return pages.length === 0 ? undefined : ended('refused', exchange)
    const page = pageOf(exchange, paging, { size, count: keys.size, number: pages.length + base })
    const fresh = page.items.map(keyOf).filter((it) => !keys.has(it))
    for (const it of fresh) keys.add(it)
    pages.push(page)
    if (page.isLast) return ended('last', exchange)
    // A service may count its pages from 0 or from 1: the second request may show the first page again.
    if (paging.page && next[paging.page] === '1' && fresh.length === 0) {
      pages.pop()
      base = 2
      next = { ...next, [paging.page]: '2' }
      continue
    }
    const isCounted = next[paging.page ?? ''] !== undefined || next[paging.offset ?? ''] !== undefined
    if (fresh.length === 0 && pages.length > 1) return ended(isCounted ? 'last' : 'repeated', exchange)
    if (!page.next || pages.length >= most || isEnough(pages.flatMap(({ items }) => items)))
      return ended('cut', exchange)
    if (pages.length === 1) await afterFirst()
    next = page.next
  }
}

/** Reads a list as far as possible, in the largest pages. */
export async function wholeList(
  context: Context,
  list: OperationView,
  options: Omit<WalkOptions, 'size'> = {},
): Promise<Walk | undefined> {
  const { limit } = pagingOf(context, list)
  const wide = limit && (await walkList(context, list, { ...options, size: limit.most ?? MANY }))
  return wide ?? walkList(context, list, options)
}

/** The first matching item of a list; undefined if no page that can be read has one. */
export async function itemOf(context: Context, { list }: Resource, isMatching: IsMatching): Promise<unknown> {
  return list && (await findListed(context, list, isMatching))?.item
}

/** Finds an item of a list, first on a small page, since new records usually come first. `isSure`: all pages were read. */
export async function findListed(
  context: Context,
  list: OperationView,
  isMatching: IsMatching,
  path?: Query,
) {
  const isEnough = (items: readonly unknown[]) => items.some(isMatching)
  const small = await walkList(context, list, { most: 1, size: SMALL, path })
  const isDone = small && (small.isWhole || isEnough(small.items))
  const walk = isDone ? small : await wholeList(context, list, { isEnough, path })
  return walk && { item: walk.items.find(isMatching), isSure: walk.isWhole, first: walk.first }
}

/** Returns a function that identifies the items of a list, by the id of their resource. */
export function keyFor({ contract }: Context, list: OperationView): (item: unknown) => string {
  const resource = resourcesOf(contract).find((it) => it.list?.id === list.id)
  const step = resource && anyStep(resource)
  const named = (step && idIn(step)) ?? ((item: unknown) => nodeOf(item).id)
  return (item) => String(named(item) ?? JSON.stringify(item))
}

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

interface Position {
  readonly size: number | undefined
  /** Records on this and earlier pages. */
  readonly count: number
  readonly number: number
}

function pageOf(exchange: Exchange, paging: Paging, { size, count, number }: Position): Page {
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

const TOTAL = /^total(_?(count|items|records|results|elements))?$/i

/** The number of records on all pages, as a page shows it beside its records under one of the usual names. */
export function totalIn(body: unknown): number | undefined {
  const records = itemsIn(body)
  const objects = [body, ...Object.values(nodeOf(body))].map(nodeOf)
  const own = records.length > 0 ? objects.find((it) => Object.values(it).includes(records)) : undefined
  const [, total] = Object.entries(own ?? {}).find(([name]) => TOTAL.test(name)) ?? []
  return Number.isInteger(total) ? (total as number) : undefined
}

/** A field of a response outside of its records, whose name matches. */
function fieldIn(body: unknown, name: RegExp): unknown {
  if (Array.isArray(body)) return undefined
  const levels = [
    nodeOf(body),
    ...Object.values(nodeOf(body))
      .filter((it) => !Array.isArray(it))
      .map(nodeOf),
  ]
  const [found] = levels.flatMap((it) => Object.entries(it).filter(([key]) => name.test(key)))
  return found && (nodeOf(found[1]).href ?? found[1])
}

/** Arrays of a response that hold no records. */
const ASIDE = /^(_?links?|errors?|messages?|warnings?|included)$/i

/** The records of a list: where they are declared to be, or in the one array that the response holds. */
export function itemsIn(body: unknown, declared?: string): readonly unknown[] {
  const shown = declared === undefined ? undefined : valueAt(body, declared)
  if (Array.isArray(shown)) return shown
  if (Array.isArray(body)) return body
  const inside = fieldsOf(body)
  const all = [...inside, ...inside.flatMap((it) => (Array.isArray(it) ? [] : fieldsOf(it)))]
  return all.find((it) => Array.isArray(it)) ?? []
}

function fieldsOf(value: unknown): unknown[] {
  return Object.entries(nodeOf(value)).flatMap(([name, it]) => (ASIDE.test(name) ? [] : [it]))
}
