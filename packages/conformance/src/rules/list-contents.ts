import type { RequestContext } from '../causes/cause.ts'
import { behaviour, findDeclaredList } from '../contract/behaviour.ts'
import type { Kind, ShownRecord } from '../contract/kinds.ts'
import { findKind } from '../contract/kinds.ts'
import type { Exchange } from '../model/exchange.ts'
import { nameOf } from '../model/exchange.ts'
import type { KnownRecord } from '../model/records.ts'
import { compareOwner, hasConcurrentWrite } from '../model/records.ts'
import type { Page } from '../model/walks.ts'
import { listPagesSoFar, listRecordIds } from '../model/walks.ts'
import type { Model } from '../model.ts'
import type { Cites } from '../report/report.ts'
import type { ComparedField } from './fields.ts'
import { compareFields, isAllowedValue } from './fields.ts'
import {
  citePaging,
  findOrder,
  hasCertainValue,
  isAfter,
  listCreations,
  readFilters,
} from './list-pages.ts'
import type { Rule } from './rule.ts'
import { cite, citeStatement, withArticle } from './rule.ts'

export const listsWhole: Rule = {
  id: 'lists-whole',
  says: 'A list shows every record of its owner that matches its filters.',
  advice: 'Let the query select by the owner and the filters, and nothing else.',
  /**
   * Expects that a list shows every known record of the caller that matches its filters. With each page, it
   * compares all pages so far with the records that must stand on one of them.
   */
  read(exchange, model, report) {
    const page = model.walks.readPage(exchange)
    const kind = findKind(exchange.operation?.id)
    if (!page || !kind || !model.isComplete) return

    // A walk is a series of pages, from the first one to this one.
    const walk = listPagesSoFar(page)
    const creationsOfShown = listCreations(walk, model)
    const context = { walk, page, creationsOfShown, exchange, model }
    const expected = model.records.listOfKind(kind).filter((record) => mustBeShown(record, context))
    if (expected.length === 0) return

    const shownIds = listRecordIds(walk)
    const missing = expected.filter(({ id }) => !shownIds.has(id))
    const cites = citeMissing(missing, kind, context)
    if (missing.length === 0) {
      // Of a list that has more records than its pages so far, nobody knows whether it is whole.
      if (page.signOfMore === undefined) report.passed(exchange, cites)
      return
    }

    // A list may lag behind the creation of new records. So only missing old ones count, unless all of them are new.
    const [firstPage] = walk
    const missingOld = missing.filter((record) => !model.records.isRecent(record, firstPage))
    const mayLag = missingOld.length === 0
    const counted = mayLag ? missing : missingOld
    const message = `${exchange.operation?.id} leaves out ${counted.length} of ${expected.length} records that it should show.`
    const filterNames = readFilters(exchange).map(({ name }) => name)
    report.failed(exchange, cites, message, { about: filterNames.join(), mayLag })
  },
}

/**
 * Cites what the missing records of a list contradict: who owns records, if other identities created all of them. Else, of
 * a list with one page, the fact that it shows all records. If it has more pages, or may show only the newest records,
 * the assumption about pages.
 */
function citeMissing(missing: readonly KnownRecord[], kind: Kind, context: ListWalk): Cites {
  const { walk, page, exchange, model } = context
  if (wereCreatedByOthers(missing, exchange)) return cite(kind.resource.ownership, kind.resource)

  const isOnlyPage = page.isLast && walk.length === 1
  const isWholeList = isOnlyPage && !mayShowOnlyNewest(page, missing, model)
  return isWholeList ? cite(findDeclaredList(exchange)) : citePaging(exchange, 'whole')
}

/** Whether other callers of the same partner created all records that a list leaves out. */
function wereCreatedByOthers(missing: readonly KnownRecord[], { identity }: Exchange): boolean {
  if (missing.length === 0 || !identity) return false
  return missing.every(({ owner }) => owner !== undefined && nameOf(owner) !== nameOf(identity))
}

/**
 * Whether all missing records are older than all shown ones, so that the list may show only the newest
 * ones: no fact says that a list has no limit.
 */
function mayShowOnlyNewest(page: Page, missing: readonly KnownRecord[], model: Model): boolean {
  const creations = listCreations([page], model)
  if (creations.length === 0) return false
  return missing.every(({ created }) => creations.every((creation) => isAfter(creation, created)))
}

export const listsCurrent: Rule = {
  id: 'lists-current',
  says: 'A list or a record shows a change as soon as the request was accepted.',
  advice: 'Read from the store that writes go to, or tell users how long a read may lag.',
  settles: [
    'list-lag/list of webhook records',
    'list-lag/list of immediateQrCode records',
    'list-lag/list of dueDateQrCode records',
    'list-lag/look-up',
  ],
  /**
   * Expects that a list shows a change directly after the request. It compares two looks at the first page of a
   * list after a change: if the second one shows a new webhook that the first one did not show yet, the list lags.
   * Each kind of lists is a case of its own, and so is the look-up of a record. One of these may lag alone.
   */
  read(exchange, model, report) {
    if (isCurrentLookUp(exchange, model))
      report.passed(exchange, citeStatement(behaviour.conventions.listsCurrent, 'look-up'))

    const page = model.walks.readPage(exchange)
    const kind = findKind(exchange.operation?.id)
    const isFirstPage = page !== undefined && page.previous === undefined
    if (!isFirstPage || !kind || !model.isComplete) return

    const statement = `list of ${kind.name} records`
    const citesOfKind = citeStatement(behaviour.conventions.listsCurrent, statement)
    const earlierLook = findEarlierLook(exchange, kind, model)
    const shownIds = listRecordIds([page])
    const creationsOfShown = listCreations([page], model)

    for (const record of model.records.listOfKind(kind)) {
      if (compareOwner(exchange.identity, record) !== 'same') continue

      const isShown = shownIds.has(record.id)
      if (isShown && isNew(record, { exchange, model })) report.passed(exchange, citesOfKind)

      if (
        earlierLook &&
        hasLagged(earlierLook, record, { page, creationsOfShown, exchange, model })
      ) {
        const message = `${exchange.operation?.id} shows a change of ${withArticle(kind.name)} later than directly after the request.`
        report.failed(exchange, cite(behaviour.conventions.listsCurrent), message)
      }
    }
  },
}

/** Whether an exchange looks up one record that was created or changed only seconds ago, and shows it as it is now. */
function isCurrentLookUp(exchange: Exchange, model: Model): boolean {
  const [shown] = exchange.records
  if (exchange.operation?.role !== 'read' || shown === undefined) return false

  const record = model.records.find(shown.kind, shown.id)
  if (!record || !model.isComplete || !model.records.isRecent(record, exchange)) return false

  const fields = listRecordFields(record, exchange, model)
  return fields.length > 0 && fields.every((field) => isAllowedValue(field, exchange))
}

/**
 * Whether a record was created or changed only seconds ago, so that a list that shows it does not lag. Only records
 * whose creation the history shows count.
 */
function isNew(record: KnownRecord, { exchange, model }: RequestContext): boolean {
  const wasCreated = record.created !== undefined && record.presence === 'there'
  return wasCreated && model.records.isRecent(record, exchange)
}

/**
 * Finds an earlier look at the first page of a list to compare with this one: the last one with the same query.
 * Undefined if there is none, or if any record of the kind was written since.
 */
function findEarlierLook(exchange: Exchange, kind: Kind, model: Model): Exchange | undefined {
  const lastLook = model.walks.findLastFirstPage(exchange)
  const lastWrite = model.records.lastWrite(kind)
  if (!lastLook || !lastWrite) return lastLook

  const wasWrittenSince = lastWrite.completeAt >= lastLook.sentAt
  return wasWrittenSince ? undefined : lastLook
}

/** Whether an earlier look at a list came soon after a change of a record, and only this page shows the change. */
function hasLagged(
  earlierLook: Exchange,
  record: KnownRecord,
  looked: Omit<ListWalk, 'walk'>,
): boolean {
  const { model } = looked
  // A look long after the change cannot have lagged behind it.
  const wasChangeRecent = model.records.isRecent(record, earlierLook)
  if (!wasChangeRecent) return false

  // The walk begins with the earlier look: the record must not have changed from then on.
  return wasMissedBefore(record, earlierLook, { ...looked, walk: [earlierLook] })
}

/** A page of a list, with the pages of its walk so far. */
interface ListWalk extends RequestContext {
  readonly page: Page
  /** The first page is the first. The page itself is the last. */
  readonly walk: readonly Pick<Page, 'sentAt' | 'beside'>[]
  /** The requests that created the records shown so far, in their order. */
  readonly creationsOfShown: readonly Exchange[]
}

/**
 * Whether only this look at a list shows a record as it is. The earlier look still showed it after its deletion, did
 * not show it yet, or showed an old value of a field.
 */
function wasMissedBefore(record: KnownRecord, earlierLook: Exchange, context: ListWalk): boolean {
  const { exchange, model } = context
  const wasShown = findShown(record, earlierLook).length > 0
  const isShown = findShown(record, exchange).length > 0

  if (record.presence === 'gone') return wasShown && !isShown
  if (!isShown) return false
  // An earlier page that was full may have left it out rightly.
  if (!wasShown) return mustBeShown(record, context)
  return showsCorrectedField(record, earlierLook, { exchange, model })
}

/** Whether an earlier response showed a wrong value in a field of a record, where this one shows a right value. */
function showsCorrectedField(
  record: KnownRecord,
  earlier: Exchange,
  { exchange, model }: RequestContext,
): boolean {
  /** The names of the fields that were wrong: `status`. */
  const wrongBefore = new Set<string>()
  for (const field of listRecordFields(record, earlier, model))
    if (!isAllowedValue(field, earlier)) wrongBefore.add(field.name)

  const fieldsNow = listRecordFields(record, exchange, model)
  return fieldsNow.some((field) => wrongBefore.has(field.name) && isAllowedValue(field, exchange))
}

/** Lists each field of one record in a response: what it shows, and what it may show. */
function listRecordFields(
  record: KnownRecord,
  exchange: Exchange,
  model: Model,
): readonly ComparedField[] {
  return compareFields(exchange, model, findShown(record, exchange))
}

type ShownById = ReadonlyMap<string, readonly ShownRecord[]>

/** A look at a list is asked for each known record, and may show thousands. */
const shownByExchange = new WeakMap<Exchange, ShownById>()

/** Finds where a response shows a record: once, or more often in a list that repeats it. */
function findShown({ id }: KnownRecord, exchange: Exchange): readonly ShownRecord[] {
  const shownById =
    shownByExchange.get(exchange) ?? Map.groupBy(exchange.records, (shown) => shown.id)
  shownByExchange.set(exchange, shownById)
  return shownById.get(id) ?? []
}

/**
 * Whether the pages of a list so far must show a record: it is there, is the caller's, has not changed since the
 * first page, and matches the filters. While pages may follow, it must also belong before the last record shown so far:
 * otherwise, a later page may show it.
 */
function mustBeShown(record: KnownRecord, context: ListWalk): boolean {
  const { walk, page, exchange, creationsOfShown } = context
  const { created, presence } = record
  const isOfCaller = compareOwner(exchange.identity, record) === 'same'
  if (presence !== 'there' || !isOfCaller) return false
  if (mayHaveChangedDuring(walk, record)) return false
  if (!matchesFilters(record, exchange)) return false

  // Only a record whose creation the history shows has a known place in the list.
  if (created === undefined) return false
  if (page.isLast) return true

  // A record that comes after the last one shown so far may stand on a later page.
  return comesBeforeEnd(created, creationsOfShown)
}

/** Whether a record certainly matches all filters of a request. */
function matchesFilters(record: KnownRecord, exchange: Exchange): boolean {
  const filters = readFilters(exchange)
  return filters.every(({ field, value }) => hasCertainValue(record, field, value))
}

/** Whether a record may have changed since the first page of a list was requested. */
function mayHaveChangedDuring(walk: ListWalk['walk'], record: KnownRecord): boolean {
  const walkBegan = walk[0]?.sentAt ?? 0
  return record.changedAt > walkBegan || walk.some((page) => hasConcurrentWrite(page, record))
}

/**
 * Whether a record belongs before the last shown one: in a list with the newest first, it was created later. False
 * if the shown records have no certain order: a later page may show the record.
 *
 * @param created The request that created the record.
 * @param creations The requests that created the shown records, in their order.
 */
function comesBeforeEnd(created: Exchange, creations: readonly Exchange[]): boolean {
  const last = creations.at(-1)
  switch (findOrder(creations)) {
    case 'newest-first':
      return isAfter(created, last)
    case 'oldest-first':
      return isAfter(last, created)
    default:
      return false
  }
}
