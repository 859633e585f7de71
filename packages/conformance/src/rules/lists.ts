import { findDeclaredList } from '../contract/behaviour.ts'
import { type Json, listItems, valueAt } from '../contract/json.ts'
import { fieldName, findKind, nameRecord } from '../contract/kinds.ts'
import type { Direction } from '../form/service-form.ts'
import { type Exchange, isValid } from '../model/exchange.ts'
import { listPageLimits } from '../model/page-limits.ts'
import { hasConcurrentCreation } from '../model/records.ts'
import { listPagesSoFar, listRecordIds, type Page } from '../model/walks.ts'
import type { Model } from '../model.ts'
import type { Report } from '../report/report.ts'
import { listsCurrent, listsWhole } from './list-contents.ts'
import {
  citePaging,
  type Filter,
  findOrder,
  isInOrder,
  listCreations,
  readFilters,
} from './list-pages.ts'
import { ALL_BUT_REQUEST_HEADERS, cite, type Rule, type RuleContext } from './rule.ts'
import { isSameOrMasked } from './tax-ids.ts'

const listsPaged: Rule = {
  id: 'lists-paged',
  says: 'Each page has as many records as its limit, its cursor leads to the next one, and the last one has none.',
  advice:
    'Read one record more than the limit, and let the cursor say after which record the next page begins.',
  settles: ['paging/limit', 'paging/cursor', 'paging/last'],
  /**
   * Judges one page of a list: the cursor that the request sent, the number of its records by the limit,
   * and the cursor of the next page that it shows.
   */
  read(exchange, model, report) {
    const { operation, outcome, identity } = exchange
    // What is declared of the list. One without `pages` comes as a whole.
    const list = findDeclaredList(exchange)
    if (!operation || !list?.pages || outcome === 'unknown' || !identity) return

    // The cursor of the request is judged even if the response shows no page.
    reportCursorFault({ exchange, model, report })

    const page = model.walks.readPage(exchange)
    const limits = listPageLimits(exchange)
    if (!page || limits.length === 0) return

    const count = listItems(valueAt(exchange.responseBody, list.items)).length
    expectDeclaredRecords(count, { exchange, report })
    expectLimit(page, { count, limits, exchange, report })
    expectCursor(page, { count, exchange, report })
    // The cursor of the page before has led to this one.
    if (page.previous) report.passed(exchange, citePaging(exchange, 'cursor'))
  },
}

/**
 * Expects that the checker could read each item of a list as a record: the contract declares a resource for it. Does
 * nothing if the response has not its declared shape, which another rule judges.
 *
 * @param count The number of items in the response.
 */
function expectDeclaredRecords(
  count: number,
  { exchange, report }: Omit<RuleContext, 'model'>,
): void {
  if (count === 0 || exchange.differences.length > 0) return

  report.expect(
    exchange.records.length === count,
    {
      evidence: exchange,
      cites: cite(findDeclaredList(exchange)),
      about: 'records',
    },
    () =>
      `${exchange.operation?.id} shows ${count} items that no resource declares as its records.`,
  )
}

interface CountedPage extends Omit<RuleContext, 'model'> {
  /** The number of records on the page. */
  readonly count: number
}

/**
 * Expects that a page has no more records than its limit, and no fewer unless it may be the last one: it
 * shows no cursor of a next page.
 *
 * @param limits The limits that the page may have.
 */
function expectLimit(
  page: Page,
  { count, limits, exchange, report }: CountedPage & { readonly limits: readonly number[] },
): void {
  const showsNextCursor = typeof page.next === 'string'
  const fitsALimit = limits.some((limit) => (showsNextCursor ? count === limit : count <= limit))
  const isTooLong = count > Math.max(...limits)
  report.expect(
    fitsALimit,
    {
      evidence: exchange,
      cites: citePaging(exchange, 'limit'),
      // A finding of its own: a user who accepts short pages must still see a limit that is ignored.
      about: isTooLong ? 'more than limit' : 'limit',
    },
    () => {
      const which = showsNextCursor ? ' that is not the last one' : ''
      return `${exchange.operation?.id} shows ${count} records on a page with limit ${limits.join(' or ')}${which}.`
    },
  )
}

/**
 * Expects that a page shows the cursor of the next one as a string, or null if it is the last one.
 *
 * @param count The number of records on the page.
 */
function expectCursor(page: Page, { count, exchange, report }: CountedPage): void {
  const fault = findNextCursorFault(page, count)
  report.expect(
    fault === undefined,
    {
      evidence: exchange,
      cites: citePaging(exchange, 'last'),
      about: 'last',
    },
    () => `${exchange.operation?.id} ${fault}.`,
  )
}

/**
 * Finds what is wrong with the cursor of the next page that a page shows: it is left out, or the page is an empty last
 * one after another page. Undefined if nothing is wrong.
 */
function findNextCursorFault({ next, isLast, previous }: Page, count: number): string | undefined {
  if (typeof next === 'string') return undefined
  // The last page has null.
  if (!isLast) return 'shows no next_cursor; expected a string, or null on the last page'

  // The page before leads to this one only if there are records for it.
  const isUseless = count === 0 && previous !== undefined
  return isUseless ? 'shows a last page without records' : undefined
}

/** Reports what a service does wrong with the cursor that a request sends; nothing if it does nothing wrong. */
function reportCursorFault({ exchange, model, report }: RuleContext): void {
  const fault = findCursorFault(exchange, model)
  if (!fault) return

  const message = `${exchange.operation?.id} ${fault.words}.`
  report.failed(exchange, citePaging(exchange, 'cursor'), message, { about: fault.about })
}

/** What a service does wrong with the cursor of a request. */
interface CursorFault {
  /** Such as `accepted a cursor that no page had`. */
  readonly words: string
  /** Names it in the id of the finding. */
  readonly about: string
}

/**
 * Finds what a service does wrong with the cursor that a request sends: it refuses one that its page
 * showed, or accepts one that no page of this list showed to this caller. Undefined if nothing is wrong.
 */
function findCursorFault(
  exchange: Exchange,
  { walks, isComplete }: Model,
): CursorFault | undefined {
  const cursor = readCursor(exchange)
  if (cursor === null) return undefined

  // A page of this list, with the same filters and for the same caller, showed this cursor.
  const isFromThisList = walks.isIssuedCursor(exchange, cursor)
  // Of a valid request, only the cursor can be what the service refuses.
  const isCursorRefused = exchange.status === 400 && isValid(exchange)
  if (isCursorRefused && isFromThisList)
    return { words: 'refused the cursor of its own page', about: 'own cursor' }

  if (exchange.outcome !== 'accepted') return undefined
  // A page that the history lacks or has forgotten may have shown the cursor.
  const isAnyPageUnknown = !isComplete || walks.forgotten > 0
  if (isAnyPageUnknown) return undefined

  // The last page that showed it was of this list and caller (`same`), of others (`different`), or there was none.
  const issuer = walks.compareIssuer(exchange, cursor)
  if (issuer === 'unknown') return { words: 'accepted a cursor that no page had', about: 'cursor' }

  if (issuer === 'different' && !isFromThisList)
    return { words: 'accepted a cursor of another list or caller', about: 'foreign cursor' }

  return undefined
}

/** Reads the cursor that a request sends; null if it sends none. */
function readCursor(exchange: Exchange): string | null {
  const parameter = findDeclaredList(exchange)?.pages?.cursor
  return parameter === undefined ? null : exchange.query.get(parameter)
}

const listsFiltered: Rule = {
  id: 'lists-filtered',
  says: 'A list with filters shows only records that match all of them.',
  advice: 'Apply every filter in the query, before the page is cut.',
  settles: ['paging/filters'],
  /**
   * Expects that each record in a list with filters, such as `?status=ATIVA`, matches all of them. A difference may
   * be a lag behind a change of the record, which a later look at the list decides.
   */
  read(exchange, model, report) {
    const filters = readFilters(exchange)
    if (exchange.outcome !== 'accepted' || filters.length === 0) return

    const cites = citePaging(exchange, 'filters')
    const wrongRecord = exchange.records.find(({ fields }) => !matchesFilters(fields, filters))
    if (!wrongRecord) {
      report.passed(exchange, cites)
      return
    }

    const record = model.records.find(wrongRecord.kind, wrongRecord.id)
    const mayLag = record !== undefined && model.records.isRecent(record, exchange)
    const names = filters.map(({ name }) => name).join(' and ')
    const message = `${exchange.operation?.id} filtered by ${names} shows a record with another value.`
    report.failed(exchange, cites, message, { about: names, mayLag })
  },
}

/** Whether a record matches all filters. A field that it does not show matches. */
function matchesFilters(fields: Json, filters: readonly Filter[]): boolean {
  return filters.every(({ field, value }) => {
    const isShown = Object.hasOwn(fields, fieldName(field))
    if (!isShown) return true

    return isSameOrMasked(field, value, valueAt(fields, field))
  })
}

const listsOrdered: Rule = {
  id: 'lists-ordered',
  says: 'A list shows its records in the declared order, each once.',
  advice: 'Sort by the time of the creation and by the id, and page by the same order.',
  settles: ['paging/order'],
  needs: ALL_BUT_REQUEST_HEADERS,
  /** Expects that a list shows each record once, and its records in the declared order, also across pages. */
  read(exchange, model, report) {
    expectOnceInResponse(exchange, report)

    const page = model.walks.readPage(exchange)
    if (!page) return
    expectOnOnePage(page, exchange, report)
    expectInOrder(page, { exchange, model, report })
  },
}

/** Expects that a response shows no record twice. */
function expectOnceInResponse(exchange: Exchange, report: Report): void {
  const names = exchange.records.map(nameRecord)
  if (names.length < 2) return

  const isTwice = new Set(names).size < names.length
  report.expect(
    !isTwice,
    {
      evidence: exchange,
      cites: { question: 'identifiers' },
      about: 'one response',
    },
    () => `${exchange.operation?.id} shows a record twice in one response.`,
  )
}

/** Expects that no record of a page stands on the page twice, or on one of the pages before it too. */
function expectOnOnePage(page: Page, exchange: Exchange, report: Report): void {
  const ids = listRecordIds([page])
  const isTwiceOnPage = ids.size < page.items.length
  const pagesBefore = listPagesSoFar(page).slice(0, -1)
  const isOnPageBefore = pagesBefore.some(({ items }) => items.some(({ id }) => ids.has(id)))
  report.expect(
    !isTwiceOnPage && !isOnPageBefore,
    {
      evidence: exchange,
      cites: citePaging(exchange, 'order'),
      about: 'twice',
    },
    () => `${exchange.operation?.id} shows a record on two pages.`,
  )
}

/**
 * Expects that the pages of a list so far show records in the declared order, such as newest first. If all pages
 * of the list have shown another order so far, they are also expected to keep that one.
 */
function expectInOrder(page: Page, { exchange, model, report }: RuleContext): void {
  const { operation } = exchange
  const kind = findKind(operation?.id)
  const declared = findDeclaredList(exchange)?.order
  if (!operation || !kind || !declared) return
  if (hasConcurrentCreation(exchange, kind, model.contract)) return

  // The order of the records is that of the requests which created them.
  const creations = listCreations(listPagesSoFar(page), model)
  if (creations.length < 2) return
  noteOrder(creations, exchange, report)

  const { direction } = declared
  // The other direction of this list, if the checker has learned one. Undefined if the list has the declared one.
  const usualDirection = model.form.findDirection(operation.id)
  if (usualDirection !== undefined && usualDirection !== direction)
    expectDirection(usualDirection, creations, {
      about: 'own order',
      expected: `${usualDirection}, as on its other pages`,
      exchange,
      report,
    })
  expectDirection(direction, creations, {
    about: 'order',
    expected: direction,
    exchange,
    report,
  })
}

/** A comparison of the order of a list: in the id of its finding, and in its message. */
interface OrderCase extends Omit<RuleContext, 'model'> {
  readonly about: string
  readonly expected: string
}

/** Expects that a list shows its records in an order, from the requests that created them. */
function expectDirection(
  direction: Direction,
  creations: readonly Exchange[],
  { about, expected, exchange, report }: OrderCase,
): void {
  report.expect(
    isInOrder(creations, direction),
    {
      evidence: exchange,
      cites: citePaging(exchange, 'order'),
      about,
    },
    () => `${exchange.operation?.id} shows records in another order; expected ${expected}.`,
  )
}

/** Notes in which order a list shows its records: `newest-first` or `oldest-first`. An open question asks that. */
function noteOrder(creations: readonly Exchange[], exchange: Exchange, report: Report): void {
  const order = findOrder(creations)
  if (order === undefined) return

  report.saw({
    question: 'paging',
    at: `behaviour#/lists/${exchange.operation?.id}/order/direction`,
    of: 'value',
    seen: order,
  })
}

export const listRules = [listsPaged, listsFiltered, listsOrdered, listsWhole, listsCurrent]
