import type { Requested } from '../causes/cause.ts'
import { behaviour } from '../contract/behaviour.ts'
import { defaultNumber } from '../contract/contract.ts'
import { isSameValue, type Json, stringAt, valueAt } from '../contract/json.ts'
import { fieldName, kindOf } from '../contract/kinds.ts'
import type { Direction } from '../form/own-form.ts'
import { type Exchange, nameOf, type Trace } from '../model/exchange.ts'
import { isBeside, isCreationBeside, type KnownRecord, owns, sureValue } from '../model/records.ts'
import { type Page, walkTo } from '../model/walks.ts'
import type { Model } from '../model.ts'
import type { Cites, Report } from '../report/report.ts'
import { type Compared, comparedFields, isAllowed } from './records.ts'
import { an, cited, citedStatement, type Reading, type Rule } from './rule.ts'

const listsPaged: Rule = {
  id: 'lists-paged',
  says: 'Each page has as many records as its limit, its cursor leads to the next one, and the last one has none.',
  advice:
    'Read one record more than the limit, and let the cursor say after which record the next page begins.',
  settles: ['paging/limit', 'paging/cursor', 'paging/last'],
  read(exchange, model, report) {
    const { operation } = exchange
    const { pages, items = '' } = declaredList(exchange) ?? {}
    if (!operation || !pages || exchange.outcome === 'unknown' || !exchange.by) return

    const fault = cursorFault(exchange, model)
    if (fault) {
      const message = `${operation.id} ${fault.words}.`
      report.failed(exchange, paging(exchange, 'cursor'), message, { about: fault.about })
    }

    const page = model.walks.pageOf(exchange)
    const limit = Number(exchange.query.get(pages.limit) ?? defaultNumber(operation, pages.limit))
    if (!page || !Number.isInteger(limit) || limit < 1) return

    const count = (valueAt(exchange.shown, items) as unknown[]).length
    expectRecords(count, { exchange, report })
    expectLimit(page, { count, limit, exchange, report })
    expectCursor(page, { count, exchange, report })
    if (page.previous) report.passed(exchange, paging(exchange, 'cursor'))
  },
}

/** The items of a list are records of the resource that names it. */
function expectRecords(count: number, { exchange, report }: Omit<Reading, 'model'>): void {
  if (count === 0 || exchange.differences.length > 0) return

  report.expect(
    exchange.records.length === count,
    {
      evidence: exchange,
      cites: cited(declaredList(exchange)),
      about: 'records',
    },
    () =>
      `${exchange.operation?.id} shows ${count} items that no resource declares as its records.`,
  )
}

interface CountedPage extends Omit<Reading, 'model'> {
  /** The number of records on the page. */
  readonly count: number
}

/**
 * A page has no more records than its limit, and no fewer unless it is the last one. Without a
 * cursor, it may be the last one.
 */
function expectLimit(
  page: Page,
  { count, limit, exchange, report }: CountedPage & { readonly limit: number },
): void {
  const isLast = typeof page.next !== 'string'
  const isTooLong = count > limit
  const isTooShort = !isLast && count < limit
  report.expect(
    !isTooLong && !isTooShort,
    {
      evidence: exchange,
      cites: paging(exchange, 'limit'),
      about: 'limit',
    },
    () => {
      const which = isLast ? '' : ' that is not the last one'
      return `${exchange.operation?.id} shows ${count} records on a page with limit ${limit}${which}.`
    },
  )
}

/** The last page has the cursor null, and each other one has a string. */
function expectCursor(page: Page, { count, exchange, report }: CountedPage): void {
  const fault = faultOfCursor(page, count)
  report.expect(
    fault === undefined,
    {
      evidence: exchange,
      cites: paging(exchange, 'last'),
      about: 'last',
    },
    () => `${exchange.operation?.id} ${fault}.`,
  )
}

function faultOfCursor({ next, previous }: Page, count: number): string | undefined {
  if (typeof next === 'string') return undefined
  if (next !== null) return 'shows no next_cursor; expected a string, or null on the last page'

  // A page after another one exists since there are records for it.
  const isUseless = count === 0 && previous !== undefined
  return isUseless ? 'shows a last page without records' : undefined
}

interface CursorFault {
  readonly words: string
  readonly about: string
}

function cursorFault(exchange: Exchange, { walks, isComplete }: Model): CursorFault | undefined {
  const cursor = exchange.query.get(declaredList(exchange)?.pages?.cursor ?? '')
  if (cursor === null) return undefined

  const isKnown = walks.isKnown(exchange, cursor)
  if (exchange.status === 400 && isKnown)
    return { words: 'refused the cursor of its own page', about: 'own cursor' }

  if (exchange.outcome !== 'accepted' || !isComplete || walks.forgotten > 0) return undefined

  const isForeign = walks.isForeign(exchange, cursor)
  if (isForeign === undefined)
    return { words: 'accepted a cursor that no page had', about: 'cursor' }

  if (isForeign && !isKnown)
    return { words: 'accepted a cursor of another list or caller', about: 'foreign cursor' }

  return undefined
}

const listsFiltered: Rule = {
  id: 'lists-filtered',
  says: 'A list with filters shows only records that match all of them.',
  advice: 'Apply every filter in the query, before the page is cut.',
  settles: ['paging/filters'],
  read(exchange, model, report) {
    const filters = filtersOf(exchange)
    if (exchange.outcome !== 'accepted' || filters.length === 0) return

    const about = filters.map(({ name }) => name).join(' and ')
    const wrong = exchange.records.find(({ fields }) => !matches(fields, filters))
    const record = wrong && model.records.find(wrong.kind, wrong.id)
    report.expect(
      wrong === undefined,
      {
        evidence: exchange,
        cites: paging(exchange, 'filters'),
        about,
        mayLag: record !== undefined && model.records.isRecent(record, exchange),
      },
      () => `${exchange.operation?.id} filtered by ${about} shows a record with another value.`,
    )
  },
}

/** Whether a record matches all filters. A field that it does not show matches. */
function matches(fields: Json, filters: readonly Filter[]): boolean {
  return filters.every(({ field, value }) => {
    const isShown = Object.hasOwn(fields, fieldName(field))
    return !isShown || isSameValue(value, valueAt(fields, field))
  })
}

const listsOrdered: Rule = {
  id: 'lists-ordered',
  says: 'A list shows its records in the declared order, each once.',
  advice: 'Sort by the time of the creation and by the id, and page by the same order.',
  settles: ['paging/order'],
  read(exchange, model, report) {
    expectOnce(exchange, report)

    const page = model.walks.pageOf(exchange)
    if (!page) return
    expectOnOnePage(page, exchange, report)
    expectInOrder(page, { exchange, model, report })
  },
}

/** No response shows a record twice. */
function expectOnce(exchange: Exchange, report: Report): void {
  const keys = exchange.records.map(({ kind, id }) => `${kind.name} ${id}`)
  if (keys.length < 2) return

  const isTwice = new Set(keys).size < keys.length
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

/** No walk shows a record twice. */
function expectOnOnePage(page: Page, exchange: Exchange, report: Report): void {
  const ids = walkTo(page).flatMap(({ items }) => items.map(({ id }) => id))
  const isTwice = page.items.some(({ id }) => ids.indexOf(id) !== ids.lastIndexOf(id))
  report.expect(
    !isTwice,
    {
      evidence: exchange,
      cites: paging(exchange, 'order'),
      about: 'twice',
    },
    () => `${exchange.operation?.id} shows a record on two pages.`,
  )
}

function expectInOrder(page: Page, { exchange, model, report }: Reading): void {
  const { direction } = declaredList(exchange)?.order ?? {}
  const kind = kindOf(exchange.operation?.id)
  const created = creationsOn(walkTo(page), model)
  if (direction === undefined || !kind || created.length < 2) return
  if (isCreationBeside(exchange, kind, model.contract)) return

  const order = orderOf(created)
  if (order !== undefined)
    report.saw({
      question: 'paging',
      at: `behaviour#/lists/${exchange.operation?.id}/order/direction`,
      of: 'value',
      seen: order,
    })

  const ownDirection = model.form.directionOf(exchange.operation?.id ?? '')
  if (ownDirection !== undefined && ownDirection !== direction)
    report.expect(
      isInOrder(created, ownDirection),
      {
        evidence: exchange,
        cites: paging(exchange, 'order'),
        about: 'own order',
      },
      () =>
        `${exchange.operation?.id} shows records in another order; expected ${ownDirection}, as on its other pages.`,
    )

  report.expect(
    isInOrder(created, direction),
    {
      evidence: exchange,
      cites: paging(exchange, 'order'),
      about: 'order',
    },
    () => `${exchange.operation?.id} shows records in another order; expected ${direction}.`,
  )
}

const listsWhole: Rule = {
  id: 'lists-whole',
  says: 'A list shows every record of its owner that matches its filters.',
  advice: 'Let the query select by the owner and the filters, and nothing else.',
  read(exchange, model, report) {
    const page = model.walks.pageOf(exchange)
    const kind = kindOf(exchange.operation?.id)
    if (!page || !kind || !model.isComplete) return

    const walk = walkTo(page)
    const records = model.records.of(kind)
    const expected = records.filter((record) => isExpected(record, { walk, page, exchange, model }))
    if (expected.length === 0) return

    const shown = new Set(walk.flatMap(({ items }) => items.map(({ id }) => id)))
    const missing = expected.filter(({ id }) => !shown.has(id))
    const [firstPage = page] = walk
    const old = missing.filter((record) => !model.records.isRecent(record, firstPage)).length
    const filters = filtersOf(exchange).map(({ name }) => name)
    const isOnePage = page.next === null && walk.length === 1
    const isUncut = isOnePage && !isCut(page, missing, model)
    const citesOfList = isUncut ? cited(declaredList(exchange)) : paging(exchange, 'whole')
    report.expect(
      missing.length === 0,
      {
        evidence: exchange,
        cites: areOfOthers(missing, exchange)
          ? cited(kind.resource.ownership, kind.resource)
          : citesOfList,
        about: filters.join(),
        mayLag: old === 0,
      },
      () =>
        `${exchange.operation?.id} leaves out ${old || missing.length} of ${expected.length} records that it should show.`,
    )
  },
}

/** Whether other callers of the same partner created all records that a list leaves out. */
function areOfOthers(missing: readonly KnownRecord[], { by }: Exchange): boolean {
  if (missing.length === 0 || !by) return false
  return missing.every(({ owner }) => owner !== undefined && nameOf(owner) !== nameOf(by))
}

/** Whether a list ends before its oldest records. No fact says that it has no limit. */
function isCut({ items }: Page, missing: readonly KnownRecord[], { records }: Model): boolean {
  const shown = items.flatMap(({ kind, id }) => records.find(kind, id)?.created ?? [])
  if (shown.length === 0) return false
  return missing.every(({ created }) => shown.every((it) => isAfter(it, created)))
}

const listsCurrent: Rule = {
  id: 'lists-current',
  says: 'A list or a record shows a change as soon as the request was accepted.',
  advice: 'Read from the store that writes go to, or tell users how long a read may lag.',
  settles: ['list-lag/'],
  read(exchange, model, report) {
    const page = model.walks.pageOf(exchange)
    const kind = kindOf(exchange.operation?.id)
    if (!page || page.previous || !kind || !model.isComplete) return

    const { records, walks } = model
    const cites = cited(behaviour.conventions.listsCurrent)
    const look = walks.lastLook(exchange)
    const isUnchanged = look && (records.lastWrite(kind)?.completeAt ?? 0) < look.sentAt

    for (const record of records.of(kind)) {
      if (!owns(exchange.by, record)) continue

      const isShown = page.items.some(({ id }) => id === record.id)
      const isNew = record.created && record.isGone === false && records.isRecent(record, exchange)
      if (isNew && isShown) report.passed(exchange, cites)

      if (!isUnchanged || !records.isRecent(record, look)) continue
      if (isLater(record, look, { walk: [look], page, exchange, model })) {
        const message = `${exchange.operation?.id} shows a change of ${an(kind.name)} later than directly after the request.`
        report.failed(exchange, cites, message)
      }
    }
  },
}

interface Walked extends Requested {
  readonly page: Page
  readonly walk: readonly Pick<Page, 'sentAt' | 'beside'>[]
}

/**
 * Whether an earlier look at the same list lacked what this one shows, although nothing was written
 * in between.
 */
function isLater(record: KnownRecord, look: Exchange, walked: Walked): boolean {
  const { exchange, model } = walked
  const wasShown = look.records.some(({ id }) => id === record.id)
  const isShown = exchange.records.some(({ id }) => id === record.id)

  if (record.isGone === true) return wasShown && !isShown
  if (!isShown) return false
  if (!wasShown) return isExpected(record, walked)

  const wrongBefore = fieldsIn(look, record, model).filter((it) => !isAllowed(it, look))
  const rightNow = fieldsIn(exchange, record, model).filter((it) => isAllowed(it, exchange))
  return wrongBefore.some(({ name }) => rightNow.some((it) => it.name === name))
}

/** What a response shows of a record, and what it may show. */
function fieldsIn(exchange: Exchange, { id }: KnownRecord, model: Model): Compared[] {
  return comparedFields(exchange, model).filter(({ shown }) => shown.id === id)
}

/**
 * Whether the pages so far must show a record: the last page ends the list, and any other one ends
 * at its last record.
 */
function isExpected(record: KnownRecord, { walk, page, exchange, model }: Walked): boolean {
  const { created, isGone, changedAt } = record
  if (!created || isGone !== false || owns(exchange.by, record) !== true) return false

  const walkBegan = walk[0]?.sentAt ?? 0
  const mayHaveChanged = changedAt > walkBegan || walk.some((it) => isBeside(it, record))
  if (mayHaveChanged) return false

  const isMatch = filtersOf(exchange).every(({ field, value }) => isSure(record, field, value))
  if (!isMatch) return false

  if (page.next === null) return true

  const creations = creationsOn(walkTo(page), model)
  const last = creations.at(-1)
  switch (orderOf(creations)) {
    case 'newest-first':
      return isAfter(created, last)
    case 'oldest-first':
      return isAfter(last, created)
    default:
      // In another order, a later page may show it.
      return false
  }
}

/** The creations of the records that pages show, in their order. */
function creationsOn(pages: readonly Pick<Page, 'items'>[], { records }: Model): Exchange[] {
  const items = pages.flatMap((page) => page.items)
  return items.flatMap(({ kind, id }) => records.find(kind, id)?.created ?? [])
}

/** The order in which records were created; undefined if it is neither, or cannot be seen. */
function orderOf(creations: readonly Exchange[]): Direction | undefined {
  const isNewestFirst = isInOrder(creations, 'newest-first')
  const isOldestFirst = isInOrder(creations, 'oldest-first')
  if (isNewestFirst === isOldestFirst) return undefined
  return isNewestFirst ? 'newest-first' : 'oldest-first'
}

/** Whether no record is before one that the order puts first. Creations at one time have no order. */
function isInOrder(creations: readonly Exchange[], direction: Direction): boolean {
  return creations.every((creation, index) => {
    const next = creations[index + 1]
    return direction === 'newest-first' ? !isAfter(next, creation) : !isAfter(creation, next)
  })
}

/** Whether a record certainly has a value. */
function isSure(record: KnownRecord, field: string, value: string): boolean {
  const name = fieldName(field)
  return stringAt({ [name]: sureValue(record, name) }, field) === value
}

type Moment = Pick<Trace, 'sentAt' | 'completeAt'>

function isAfter(one: Moment | undefined, other: Moment | undefined): boolean {
  return one !== undefined && other !== undefined && one.sentAt > other.completeAt
}

function declaredList({ operation }: Exchange) {
  return behaviour.lists[operation?.id ?? '']
}

interface Filter {
  readonly name: string
  /** The pointer to the field of a record. */
  readonly field: string
  readonly value: string
}

/** The declared filters of a request, with their values. */
function filtersOf(exchange: Exchange): Filter[] {
  const { filters = {} } = declaredList(exchange) ?? {}
  const asked: Filter[] = []
  for (const [name, { field }] of Object.entries(filters)) {
    const value = exchange.query.get(name)
    // A parameter without a value counts as absent.
    if (value) asked.push({ name, field, value })
  }
  return asked
}

/** What is said of the pages of a list. */
function paging(exchange: Exchange, statement: string): Cites {
  const list = declaredList(exchange)
  const declared = statement === 'order' ? list?.order : list?.pages
  return citedStatement({ question: 'paging' }, statement, declared ?? list)
}

export const listRules = [listsPaged, listsFiltered, listsOrdered, listsWhole, listsCurrent]
