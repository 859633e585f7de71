import { listItems, stringAt, valueAt } from '../contract/json.ts'
import { isNextPage } from '../form/cursors.ts'
import { findOperation, type Sender } from '../send/requests.ts'
import type { PlanContext } from './plan.ts'

type Query = Readonly<Record<string, string>>

/** How to walk through a list. */
export interface Walk {
  readonly query?: Query
  readonly by?: Sender
  /** Default: 30. */
  readonly maxPages?: number
  readonly afterFirstPage?: () => Promise<unknown>
}

/** What a walk sends with. */
type WalkContext = Pick<PlanContext, 'send' | 'form' | 'contract'>

/**
 * Requests a list page by page, with the cursor of each page for the next one. Returns the bodies of the
 * pages, with the names of the contract: `[{ data: […], next_cursor: 'c_1' }, { data: […], next_cursor: null }]`.
 *
 * @param afterFirstPage Runs between the first and the second page.
 */
export async function walkList(
  context: WalkContext,
  list: string,
  { query = {}, by = 'partner', maxPages = 30, afterFirstPage }: Walk = {},
): Promise<readonly unknown[]> {
  const pages: unknown[] = []
  let pageQuery = query
  while (pages.length < maxPages) {
    const { json } = await context.send(list, { query: pageQuery, by })
    pages.push(json)

    const cursor = await findNextCursor(context, { list, query, by, json })
    const isLastPage = cursor === undefined || cursor === ''
    if (isLastPage) return pages

    if (pages.length === 1) await afterFirstPage?.()
    pageQuery = { ...query, cursor }
  }
  return pages
}

/** Finds the cursor of the next page: at its declared place, or where the service shows it instead. */
async function findNextCursor(context: WalkContext, page: Page): Promise<string | undefined> {
  const declaredCursor = stringAt(page.json, '/next_cursor')
  return declaredCursor ?? findCursor(context, page)
}

/** The records on a page of QR codes; none if it is no page. */
export function recordsOnPage(page: unknown): readonly unknown[] {
  return listItems(valueAt(page, '/data'))
}

function idsOnPage(page: unknown): readonly unknown[] {
  return recordsOnPage(page).map((record) => valueAt(record, '/id'))
}

/** A page of a list, and the request that it responds to. */
interface Page {
  readonly list: string
  readonly query: Query
  readonly by: Sender
  /** The response, in the form of the contract as far as that of the service is known. */
  readonly json: unknown
}

/** A value of a page that the service accepted as a cursor. */
interface AcceptedCursor {
  readonly pointer: string
  readonly value: string
  /** Whether it led to other records. */
  readonly leadsOn: boolean
}

/**
 * Finds the cursor in a page of a service that shows it at another place than the contract says, such as
 * `/meta/next`, and learns that place. It is the first value that leads to other records, else the one that the
 * service takes as a cursor although it leads nowhere. Undefined if the place is known, or no value is a cursor.
 */
async function findCursor(context: WalkContext, page: Page): Promise<string | undefined> {
  const { form } = context
  const isPlaceLearned = form.isLinked || form.cursorPlace !== undefined
  // Also if it is null, on the last page.
  const hasDeclaredField = valueAt(page.json, '/next_cursor') !== undefined
  if (isPlaceLearned || hasDeclaredField) return undefined

  const isPageEmpty = recordsOnPage(page.json).length === 0
  if (isPageEmpty) return undefined

  const candidates = await tryCandidates(context, page)
  const leadingOn = candidates.find(({ leadsOn }) => leadsOn)
  const cursor = leadingOn ?? (await findIgnoredCursor(context, page, candidates))
  if (!cursor) return undefined
  form.learnCursor(cursor.pointer)
  return cursor.value
}

/** So many values of a page are tried as its cursor. */
const MAX_CANDIDATES = 6

/**
 * Requests the page after this one with each value of the page that may be its cursor, until one leads to
 * other records. Returns the values that the service accepted:
 * `[{ pointer: '/meta/next', value: 'c_1', leadsOn: true }]`.
 */
async function tryCandidates(
  { send, form, contract }: WalkContext,
  { list, query, by, json: page }: Page,
): Promise<readonly AcceptedCursor[]> {
  const ids = idsOnPage(page)
  const { path = '' } = findOperation(contract, list) ?? {}
  const candidates = form.listCursorCandidates(list, path, page).slice(0, MAX_CANDIDATES)
  const accepted: AcceptedCursor[] = []
  for (const [pointer, value] of candidates) {
    const { json, isAccepted } = await send(list, { query: { ...query, cursor: value }, by })
    if (!isAccepted) continue

    const leadsOn = isNextPage(ids, idsOnPage(json))
    accepted.push({ pointer, value, leadsOn })
    if (leadsOn) break
  }
  return accepted
}

/**
 * Finds the value that a service means as a cursor, although it led to no other records: one whose name says so, such
 * as `/meta/next`. Otherwise the only one that it accepts, if it refuses an invented cursor. Undefined of a service
 * that accepts the invented one too, and so ignores all cursors.
 */
async function findIgnoredCursor(
  { send }: WalkContext,
  { list, query, by }: Page,
  accepted: readonly AcceptedCursor[],
): Promise<AcceptedCursor | undefined> {
  const named = accepted.find(({ pointer }) => /cursor|next/i.test(pointer))
  if (named) return named

  const [only, ...others] = accepted
  if (!only || others.length > 0) return undefined

  const { isAccepted } = await send(list, { query: { ...query, cursor: NO_CURSOR }, by })
  return isAccepted ? undefined : only
}

/** A cursor that no page has. */
export const NO_CURSOR = 'none'
