import type { RequestContext } from '../causes/cause.ts'
import { behaviour } from '../contract/behaviour.ts'
import { findKind } from '../contract/kinds.ts'
import type { Page } from '../model/earlier.ts'
import { walkTo } from '../model/earlier.ts'
import type { Exchange } from '../model/exchange.ts'
import { nameOf } from '../model/exchange.ts'
import type { KnownRecord } from '../model/records.ts'
import { isBeside, owns } from '../model/records.ts'
import type { Model } from '../model.ts'
import type { ComparedField } from './fields.ts'
import { compareFields, isAllowedValue } from './fields.ts'
import {
  citePaging,
  findDeclaredList,
  findOrder,
  hasCertainValue,
  isAfter,
  listCreations,
  readFilters,
} from './list-pages.ts'
import type { Rule } from './rule.ts'
import { cite, withArticle } from './rule.ts'

export const listsWhole: Rule = {
  id: 'lists-whole',
  says: 'A list shows every record of its owner that matches its filters.',
  advice: 'Let the query select by the owner and the filters, and nothing else.',
  read(exchange, model, report) {
    const page = model.walks.pageOf(exchange)
    const kind = findKind(exchange.operation?.id)
    if (!page || !kind || !model.isComplete) return

    const walk = walkTo(page)
    const records = model.records.of(kind)
    const expected = records.filter((record) =>
      mustBeShown(record, { walk, page, exchange, model }),
    )
    if (expected.length === 0) return

    const shown = new Set(walk.flatMap(({ items }) => items.map(({ id }) => id)))
    const missing = expected.filter(({ id }) => !shown.has(id))
    const [firstPage = page] = walk
    const old = missing.filter((record) => !model.records.isRecent(record, firstPage)).length
    const filters = readFilters(exchange).map(({ name }) => name)
    const isOnePage = page.next === null && walk.length === 1
    const isUncut = isOnePage && !endsBeforeOldest(page, missing, model)
    const citesOfList = isUncut ? cite(findDeclaredList(exchange)) : citePaging(exchange, 'whole')
    report.expect(
      missing.length === 0,
      {
        evidence: exchange,
        cites: wereCreatedByOthers(missing, exchange)
          ? cite(kind.resource.ownership, kind.resource)
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
function wereCreatedByOthers(missing: readonly KnownRecord[], { by }: Exchange): boolean {
  if (missing.length === 0 || !by) return false
  return missing.every(({ owner }) => owner !== undefined && nameOf(owner) !== nameOf(by))
}

/** Whether a list ends before its oldest records. No fact says that it has no limit. */
function endsBeforeOldest(
  { items }: Page,
  missing: readonly KnownRecord[],
  { records }: Model,
): boolean {
  const shown = items.flatMap(({ kind, id }) => records.find(kind, id)?.created ?? [])
  if (shown.length === 0) return false
  return missing.every(({ created }) => shown.every((it) => isAfter(it, created)))
}

export const listsCurrent: Rule = {
  id: 'lists-current',
  says: 'A list or a record shows a change as soon as the request was accepted.',
  advice: 'Read from the store that writes go to, or tell users how long a read may lag.',
  settles: ['list-lag/'],
  read(exchange, model, report) {
    const page = model.walks.pageOf(exchange)
    const kind = findKind(exchange.operation?.id)
    if (!page || page.previous || !kind || !model.isComplete) return

    const { records, walks } = model
    const cites = cite(behaviour.conventions.listsCurrent)
    const look = walks.lastLook(exchange)
    const isUnchanged = look && (records.lastWrite(kind)?.completeAt ?? 0) < look.sentAt

    for (const record of records.of(kind)) {
      if (!owns(exchange.by, record)) continue

      const isShown = page.items.some(({ id }) => id === record.id)
      const isNew = record.created && record.isGone === false && records.isRecent(record, exchange)
      if (isNew && isShown) report.passed(exchange, cites)

      if (!isUnchanged || !records.isRecent(record, look)) continue
      if (wasMissedBefore(record, look, { walk: [look], page, exchange, model })) {
        const message = `${exchange.operation?.id} shows a change of ${withArticle(kind.name)} later than directly after the request.`
        report.failed(exchange, cites, message)
      }
    }
  },
}

interface ListWalk extends RequestContext {
  readonly page: Page
  readonly walk: readonly Pick<Page, 'sentAt' | 'beside'>[]
}

/**
 * Whether an earlier look at the same list lacked what this one shows, although nothing was written
 * in between.
 */
function wasMissedBefore(record: KnownRecord, look: Exchange, walked: ListWalk): boolean {
  const { exchange, model } = walked
  const wasShown = look.records.some(({ id }) => id === record.id)
  const isShown = exchange.records.some(({ id }) => id === record.id)

  if (record.isGone === true) return wasShown && !isShown
  if (!isShown) return false
  if (!wasShown) return mustBeShown(record, walked)

  const wrongBefore = compareFieldsOf(look, record, model).filter((it) => !isAllowedValue(it, look))
  const rightNow = compareFieldsOf(exchange, record, model).filter((it) =>
    isAllowedValue(it, exchange),
  )
  return wrongBefore.some(({ name }) => rightNow.some((it) => it.name === name))
}

/** What a response shows of a record, and what it may show. */
function compareFieldsOf(exchange: Exchange, { id }: KnownRecord, model: Model): ComparedField[] {
  return compareFields(exchange, model).filter(({ shown }) => shown.id === id)
}

/**
 * Whether the pages so far must show a record: the last page ends the list, and any other one ends
 * at its last record.
 */
function mustBeShown(record: KnownRecord, { walk, page, exchange, model }: ListWalk): boolean {
  const { created, isGone, changedAt } = record
  if (!created || isGone !== false || owns(exchange.by, record) !== true) return false

  const walkBegan = walk[0]?.sentAt ?? 0
  const mayHaveChanged = changedAt > walkBegan || walk.some((it) => isBeside(it, record))
  if (mayHaveChanged) return false

  const isMatch = readFilters(exchange).every(({ field, value }) =>
    hasCertainValue(record, field, value),
  )
  if (!isMatch) return false

  if (page.next === null) return true

  const creations = listCreations(walkTo(page), model)
  const last = creations.at(-1)
  switch (findOrder(creations)) {
    case 'newest-first':
      return isAfter(created, last)
    case 'oldest-first':
      return isAfter(last, created)
    default:
      // In another order, a later page may show it.
      return false
  }
}
