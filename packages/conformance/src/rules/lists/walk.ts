import type { Context } from '../../engine/context.ts'
import { nodeOf } from '../../model/document.ts'
import { type Exchange, isSuccess } from '../../model/exchange.ts'
import type { OperationView } from '../../model/operation-view.ts'
import { type Resource, resourcesOf } from '../../model/resources.ts'
import { anyStep, itemIdReader } from '../common/record-steps.ts'
import { type Page, pageOf, pagingOf, type Query } from './paging.ts'

export type IsMatching = (item: unknown) => boolean

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
const SMALL = 10

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
    isWhole: end === 'last',
  })
  for (let next: Query = {}; ; ) {
    const exchange = await context.send(list, { path, query: { ...asked, ...next } })
    if (!isSuccess(exchange)) return pages.length === 0 ? undefined : ended('refused', exchange)
    const page = pageOf(exchange, paging, size)
    const fresh = page.items.map(keyOf).filter((it) => !keys.has(it))
    for (const it of fresh) keys.add(it)
    pages.push(page)
    if (page.isLast) return ended('last', exchange)
    if (fresh.length === 0 && pages.length > 1) return ended('repeated', exchange)
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
  const named = (step && itemIdReader(step)) ?? ((item: unknown) => nodeOf(item).id)
  return (item) => String(named(item) ?? JSON.stringify(item))
}
