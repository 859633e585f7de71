import type { Context } from '../../engine/context.ts'
import { below, nodeOf } from '../../model/document.ts'
import type { Exchange } from '../../model/exchange.ts'
import { isSuccess } from '../../model/exchange.ts'
import type { OperationView } from '../../model/operation-view.ts'
import type { Resource } from '../../model/resources.ts'
import { listIn } from './records.ts'

/** What a list showed, and whether that is all it has. */
export interface Listed {
  /** The answer to a request without any parameter. */
  readonly first: Exchange
  readonly items: readonly unknown[]
  /** Whether nothing is left out: what is absent from a part of a list may be in the rest. */
  readonly isWhole: boolean
}

/** Why a case is masked that only the rest of a list could decide. */
export const PARTIAL = 'the list may go on, and the rest of it could not be had'

/** Pages at most. */
const PAGES = 200
/** What a list is asked for whose limit has no maximum. */
const MANY = 1_000
/** Of what a limit may be that is written as a text of some pattern. */
const SIZES = [1_000, 500, 200, 100, 50, 20, 10]
/** A page of fewer is no page that a service has cut short by a bound of its own. */
const FEW = 10

const SIZE = /^(limit|size|count|top|take|per_?page|page_?size|max_?results)$/i
const CURSOR = /cursor|token|^(page_?)?(after|before)$|^starting_after$/i

type Query = Readonly<Record<string, string>>
type IsMeant = (item: unknown) => boolean
type Page = { readonly exchange: Exchange; readonly items: readonly unknown[] }

/**
 * Everything that a list has, as far as it can be had: walked by its cursor, page or offset, or asked for with its
 * largest limit. Undefined where a request of it was refused.
 */
export function wholeList(
  context: Context,
  list: OperationView,
  query: Query = {},
): Promise<Listed | undefined> {
  return listUntil(context, list, query, () => false)
}

/** The first item of a list that is meant; no page is asked for after the one that has it. */
export async function itemOf(context: Context, { list }: Resource, isMeant: IsMeant): Promise<unknown> {
  const listed = list && (await listUntil(context, list, {}, isMeant))
  return listed?.items.find(isMeant)
}

async function listUntil(
  context: Context,
  list: OperationView,
  query: Query,
  isMeant: IsMeant,
): Promise<Listed | undefined> {
  const plain = await pageOf(context, list, query)
  if (!plain) return undefined
  const listed = (items: readonly unknown[], isWhole: boolean) => ({ first: plain.exchange, items, isWhole })
  if (isSelected(list)) return listed(plain.items, false)
  if (!mayBePartial(list) && !saysMore(plain)) return listed(plain.items, true)
  if (plain.items.some(isMeant)) return listed(plain.items, false)
  const step = sizeOf(context, list)
  const wide = step ? { ...query, [step.name]: String(step.most ?? MANY) } : query
  const asked = step ? await pageOf(context, list, wide) : plain
  const widest = asked ?? plain
  const walked = await walk(context, list, { query: asked ? wide : query, begun: widest, isMeant })
  if (walked) return listed([...plain.items, ...walked], true)
  return listed([...plain.items, ...widest.items], !saysMore(widest) && isAll(widest, asked && step))
}

/** Parameters that ask for as many records at once as a page may hold. */
export function wide(context: Context, list: OperationView): Query {
  const size = sizeOf(context, list)
  return size?.most === undefined ? {} : { [size.name]: String(size.most) }
}

async function pageOf(context: Context, list: OperationView, query: Query): Promise<Page | undefined> {
  const exchange = await context.send(list, { query })
  return isSuccess(exchange) ? { exchange, items: listIn(exchange.body) } : undefined
}

/** Whether a list shows what it was asked for by a parameter that it cannot do without: others are in no page of it. */
function isSelected({ queryParameters }: OperationView): boolean {
  return queryParameters.some(
    ({ name, isRequired }) => isRequired && !SIZE.test(name) && !CURSOR.test(name) && !isWay(name),
  )
}

function mayBePartial({ queryParameters }: OperationView): boolean {
  return queryParameters.some(({ name }) => SIZE.test(name) || CURSOR.test(name) || isWay(name))
}

function isWay(name: string): boolean {
  return /^(page|offset|skip)$/i.test(name)
}

interface Size {
  readonly name: string
  /** The largest page, where the contract says one. */
  readonly most: number | undefined
}

function sizeOf({ contract }: Context, { queryParameters }: OperationView): Size | undefined {
  for (const { name, pointer } of queryParameters.filter((it) => SIZE.test(it.name))) {
    const { type, maximum, pattern } = contract.document.follow(below(pointer, 'schema')).node
    if (typeof maximum === 'number') return { name, most: maximum }
    const most =
      typeof pattern === 'string' ? SIZES.find((it) => new RegExp(pattern).test(String(it))) : undefined
    if (type === 'integer' || most !== undefined) return { name, most }
  }
  return undefined
}

/** Whether a page of its size would have held more: one that is not full, or shorter than any service cuts a page. */
function isAll({ items }: Page, size: Size | undefined): boolean {
  return items.length < (size?.most ?? FEW)
}

/** Whether an answer says that there is more: by a member for the next page, or by a link (RFC 8288). */
function saysMore({ exchange: { body, response } }: Page): boolean {
  if (/\brel="?next/i.test(String(response.headers.link ?? ''))) return true
  return Object.entries(nodeOf(body)).some(([name, value]) =>
    /^(next|has_?more)/i.test(name) ? value === true || (typeof value === 'string' && value !== '') : false,
  )
}

interface Walk {
  readonly query: Query
  readonly begun: Page
  readonly isMeant: IsMeant
}

/** Further pages, until one brings nothing new or has what is meant; undefined where there is no way that is known. */
async function walk(
  context: Context,
  list: OperationView,
  { query, begun, isMeant }: Walk,
): Promise<unknown[] | undefined> {
  const items = [...begun.items]
  const known = new Set(items.map((it) => JSON.stringify(it)))
  let page = begun
  for (let at = 1; at <= PAGES; at++) {
    if (page.items.some(isMeant)) return items
    const next = nextOf(list, page, { at, seen: items.length })
    if (next === undefined) return undefined
    if (next === 'end') return items
    const got = await pageOf(context, list, { ...query, ...next })
    if (!got) return undefined
    const fresh = got.items.filter((it) => !known.has(JSON.stringify(it)))
    for (const it of fresh) known.add(JSON.stringify(it))
    items.push(...fresh)
    // The first of the pages that are numbered was seen already.
    if (fresh.length === 0 && (at > 1 || got.items.length === 0)) return items
    page = got
  }
  return undefined
}

/** How the page behind one is asked for. */
function nextOf(
  { queryParameters }: OperationView,
  { exchange, items }: Page,
  { at, seen }: { readonly at: number; readonly seen: number },
): Query | 'end' | undefined {
  const has = (name: string) => queryParameters.some((it) => it.name === name)
  const { next_cursor: cursor } = nodeOf(exchange.body)
  if (has('cursor') && cursor !== undefined)
    return typeof cursor === 'string' && cursor !== '' ? { cursor } : 'end'
  if (has('cursor')) return undefined
  if (has('offset')) return items.length === 0 ? 'end' : { offset: String(seen) }
  return has('page') ? { page: String(at) } : undefined
}
