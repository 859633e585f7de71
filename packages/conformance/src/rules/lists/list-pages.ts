import type { Context } from '../../engine/context.ts'
import { expectRefusal } from '../../engine/refusal.ts'
import type { Rule } from '../../engine/rule.ts'
import { valueAt } from '../../model/document.ts'
import type { OperationView } from '../../model/operation-view.ts'
import { type Resource, resourcesOf } from '../../model/resources.ts'
import { expectSameTimes } from './creation-times.ts'
import { fill, IN_TURN, NONE } from './fill.ts'
import {
  createVaried,
  type Filter,
  filtersOf,
  unseenValuesOf,
  type Valued,
  valueIn,
  valuesOf,
} from './filters.ts'
import { isCut, pagingOf } from './paging.ts'
import { keyFor, PARTIAL, type Walk, walkList, wholeList } from './walk.ts'

/** Pages that are compared with the whole list, where its order is declared. */
const COMPARED = 4

export const listPages: Rule = {
  id: 'list-pages',
  phase: 'lists',
  isTraffic: true,
  cites: { convention: 'pages' },
  stateful: true,
  title: 'The pages of a list show each matching record once and in order, for every page size and filter.',
  advice:
    'Filter before the page is cut, and let the cursor say after which record the next page begins, in an order without ties.',
  run: async (context) => {
    const lists = context.contract.operations.filter((it) => it.method === 'GET' && context.isIncluded(it))
    // One after the other: a record that is created for one list would change the pages of another.
    for (const list of lists) await context.each([list], () => tryList(context, list))
  },
}

/** A list, and all that it shows in its largest pages. */
interface Tried {
  readonly list: OperationView
  readonly resource: Resource | undefined
  readonly whole: Walk
  /** Ids of records that were created one after the other. */
  readonly created: readonly string[]
}

async function tryList(context: Context, list: OperationView): Promise<void> {
  const paging = pagingOf(context, list)
  const filters = filtersOf(context, list)
  const resource = resourcesOf(context.contract).find((it) => it.list?.id === list.id)
  await expectSameTimes(context, list, resource)
  if (!context.behaviour.lists?.[list.id]) return
  const { standard } = paging.limit ?? {}
  const { ids, changed } = resource ? await fill(context, resource, (standard ?? 3) + 2) : NONE
  const whole = await wholeList(context, list)
  if (!whole) return context.inconclusive()
  const keys = whole.items.map(keyFor(context, list))
  // The change may remove the record from the list.
  const created = ids.filter((it) => it !== changed || keys.includes(it))
  const tried = { list, resource, whole, created }
  expectOrder(context, tried)
  if (isCut(paging)) {
    expectForm(context, list, whole)
    await expectCursor(context, list)
    await expectPages(context, tried, { walk: whole, filters: [], words: 'in its largest pages' })
    const sizes = standard === undefined ? [1, 2, 3] : [1, 2, 3, standard + 1, undefined]
    for (const size of sizes) await trySize(context, tried, [], size)
  }
  if (!resource || filters.length === 0) return
  // The newest records differ, so that the first pages of a filtered list must omit some.
  await createVaried(context, resource, filters)
  await tryFilters(context, { ...tried, whole: (await wholeList(context, list)) ?? whole }, filters)
}

function orderOf({ behaviour }: Context, { id }: OperationView): string | undefined {
  return behaviour.lists?.[id]?.order?.direction
}

function expectOrder(context: Context, { list, whole, created }: Tried): void {
  const declared = orderOf(context, list)
  if (declared === undefined) return
  const keys = whole.items.map(keyFor(context, list))
  const places = created.map((it) => keys.indexOf(it))
  const [rising, falling] = [1, -1].map((sign) =>
    places.every((at, i) => i === 0 || sign * at > sign * (places[i - 1] ?? 0)),
  )
  const order = falling ? 'newest-first' : rising ? 'oldest-first' : 'unordered'
  const message = `${list.id} shows its records ${order}; expected ${declared}.`
  if (places.length < IN_TURN - 1 || places.includes(-1)) context.inconclusive(PARTIAL)
  else context.expect(whole.first, order === declared ? undefined : message, { about: 'order' })
}

/** Records and cursors in another form are found too, with one deviation. */
function expectForm(context: Context, list: OperationView, walk: Walk): void {
  const { items = '', pages } = context.behaviour.lists?.[list.id] ?? {}
  if (!pages) return
  const bodies = walk.pages.map(({ exchange }) => exchange.body)
  const cursors = bodies.map((it) => valueAt(it, pages.next))
  const isFormed = bodies.every((it) => Array.isArray(valueAt(it, items))) && !cursors.includes(undefined)
  const isFilled = walk.pages.length === 1 || walk.pages.at(-1)?.items.length !== 0
  const isEnded = walk.end !== 'last' || (cursors.at(-1) === null && isFilled)
  const form = `${items}, and ${pages.next} that is null on the last page with records`
  const message =
    isFormed && isEnded ? undefined : `${list.id} shows pages in another form; expected ${form}.`
  context.expect(walk.last, message, { about: 'form' })
}

/** A cursor that no page had is refused. */
async function expectCursor(context: Context, list: OperationView): Promise<void> {
  const { cursor } = context.behaviour.lists?.[list.id]?.pages ?? {}
  if (cursor === undefined) return
  const exchange = await context.send(list, { query: { [cursor]: 'no-page-had-this-cursor' } })
  const message = `${list.id} accepted a cursor that no page had (${exchange.response.status}).`
  expectRefusal(context, exchange, message, { about: 'cursor' })
}

/** Each filter with some of its values, and with those of each other filter. */
async function tryFilters(context: Context, tried: Tried, filters: readonly Filter[]): Promise<void> {
  const valued = filters.map((it) => valuesOf(tried.whole.items, it))
  if (valued.some((it) => it.length === 0)) context.inconclusive('no record shows the field of a filter')
  const unseen = filters.flatMap((filter, i) => {
    const seen = valued[i] ?? []
    return seen.length === 0 ? [] : unseenValuesOf(context, tried.list, { filter, seen })
  })
  const singles = [...valued.flat(), ...unseen].map((it) => [it])
  const pairs = valued.flatMap((ones, i) =>
    valued.slice(i + 1).flatMap((others) => ones.flatMap((one) => others.map((other) => [one, other]))),
  )
  for (const asked of [...singles, ...pairs]) {
    const query = queryOf(asked)
    const walk = await wholeList(context, tried.list, { query })
    const words = `filtered by ${Object.keys(query).join(' and ')}`
    if (walk) await expectPages(context, tried, { walk, filters: asked, words })
    else context.inconclusive()
    if (walk && isCut(pagingOf(context, tried.list))) await trySize(context, tried, asked, 1)
  }
}

function queryOf(filters: readonly Valued[]): Record<string, string> {
  return Object.fromEntries(filters.map(({ name, value }) => [name, value]))
}

/** Tries one limit of pages; undefined is no limit. */
async function trySize(
  context: Context,
  tried: Tried,
  filters: readonly Valued[],
  size?: number,
): Promise<void> {
  const { list, resource, created } = tried
  const keyOf = keyFor(context, list)
  const query = queryOf(filters)
  const count = size ?? pagingOf(context, list).limit?.standard ?? 0
  const walk = await walkList(context, list, {
    query,
    size,
    most: COMPARED,
    isEnough: (items) =>
      items.length > count && created.length > 0 && created.every((it) => items.map(keyOf).includes(it)),
    // A record that is created meanwhile moves no other one to another page.
    afterFirst: async () => resource && filters.length === 0 && (await context.accepted(resource.create.id)),
  })
  if (!walk) return context.inconclusive()
  expectForm(context, list, walk)
  const words = [size === undefined ? 'without a limit' : `with limit ${size}`, ...Object.keys(query)].join(
    ' and ',
  )
  expectCount(context, tried, { walk, count, words })
  await expectPages(context, tried, { walk, filters, words })
}

interface Counted {
  readonly walk: Walk
  /** The limit that was asked for. */
  readonly count: number
  readonly words: string
}

/** Expects each page to have as many records as its limit. */
function expectCount(context: Context, { list }: Tried, { walk, count, words }: Counted): void {
  // The last page may have fewer records.
  const counts = walk.pages.map(({ items, next }) => ({ shown: items.length, mayBeShort: !next }))
  const wrong = counts.find(({ shown, mayBeShort }) => shown > count || (shown < count && !mayBeShort))
  const message = wrong && `${list.id} ${words} shows ${wrong.shown} records on a page; expected ${count}.`
  // A single page that is not full does not show that the limit is applied.
  if (wrong || counts.some(({ shown }) => shown === count))
    context.expect(walk.first, message, { about: `size ${words}` })
}

interface Asked {
  readonly walk: Walk
  readonly filters: readonly Valued[]
  readonly words: string
}

/** Expects the pages to show each matching record once, and no others. */
async function expectPages(context: Context, tried: Tried, { walk, filters, words }: Asked): Promise<void> {
  const { list } = tried
  const isMatching = (item: unknown) => filters.every((it) => valueIn(item, it) === it.value)
  const keys = walk.items.map(keyFor(context, list))
  const fault =
    walk.end === 'refused'
      ? `refused its own cursor (${walk.last.response.status})`
      : walk.end === 'repeated' || new Set(keys).size < keys.length
        ? 'shows a record on two pages'
        : walk.items.every(isMatching)
          ? undefined
          : 'shows records with other values'
  const missing = fault ? 0 : await missingFrom(context, tried, { walk, keys, isMatching })
  const what = missing > 0 ? `leaves out ${missing} records` : fault
  context.expect(walk.last, what && `${list.id} ${words} ${what}; expected each matching record once.`, {
    about: `pages ${words}`,
  })
}

interface Shown {
  readonly walk: Walk
  readonly keys: readonly string[]
  readonly isMatching: (item: unknown) => boolean
}

/** The number of records that the pages should show and do not. */
async function missingFrom(
  context: Context,
  { list, whole, created }: Tried,
  { walk, keys, isMatching }: Shown,
) {
  const keyOf = keyFor(context, list)
  const all = whole.items.filter(isMatching).map(keyOf)
  const shown = new Set(keys)
  const known = keys.filter((it) => all.includes(it)).length
  const own = walk === whole ? created : []
  const expected = walk.isWhole ? [...all, ...own] : all.slice(0, known)
  const missing = expected.filter((it) => !shown.has(it))
  if (missing.length === 0 || walk === whole) return missing.length
  // Others may have changed or deleted records meanwhile.
  const again = (await wholeList(context, list))?.items.filter(isMatching).map(keyOf) ?? []
  return missing.filter((it) => again.includes(it)).length
}
