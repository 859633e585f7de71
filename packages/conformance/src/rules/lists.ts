import type { Requested } from '../causes/cause.ts'
import { behaviour } from '../contract/behaviour.ts'
import { stringAt, valueAt } from '../contract/json.ts'
import { fieldName, kindOf } from '../contract/kinds.ts'
import { type Page, walkTo } from '../model/earlier.ts'
import type { Exchange, Trace } from '../model/exchange.ts'
import { isBeside, type KnownRecord, owns, sureValue } from '../model/records.ts'
import type { Model } from '../model.ts'
import type { Cites, Report } from '../report/report.ts'
import { comparedFields, isAllowed } from './records.ts'
import { an, cited, judge, type Rule } from './rule.ts'

const listsPaged: Rule = {
  id: 'lists-paged',
  says: 'Each page has as many records as its limit, its cursor leads to the next one, and the last one has none.',
  advice:
    'Read one record more than the limit, and let the cursor say after which record the next page begins.',
  settles: ['paging/limit', 'paging/cursor', 'paging/last'],
  read(exchange, model, report) {
    const { pages, items = '' } = declaredList(exchange) ?? {}
    if (!pages || exchange.outcome === 'unknown' || !exchange.by) return
    const id = exchange.operation?.id
    const fault = cursorFault(exchange, exchange.query.get('cursor'), model)
    if (fault)
      report.failed(exchange, paging('cursor'), `${id} ${fault.words}.`, { about: fault.about })
    const page = model.walks.pageOf(exchange)
    const limit = Number(exchange.query.get('limit') ?? STANDARD)
    if (!page || !Number.isInteger(limit) || limit < 1) return
    const count = (valueAt(exchange.shown, items) as unknown[]).length
    const isLast = page.next === null
    const isWrong = count > limit || (!isLast && count < limit)
    const words = isLast ? '' : ' that is not the last one'
    const message = `${id} shows ${count} records on a page with limit ${limit}${words}.`
    judge(report, exchange, { cites: paging('limit'), message: isWrong && message, about: 'limit' })
    const isEnded = typeof page.next === 'string' || (isLast && (count > 0 || !page.previous))
    const form = `${id} shows no /next_cursor that is a cursor, or null on the last page with records.`
    judge(report, exchange, { cites: paging('last'), message: !isEnded && form, about: 'last' })
    if (page.previous) report.passed(exchange, paging('cursor'))
  },
}

/** The limit of a page without one. */
const STANDARD = 20

function cursorFault(exchange: Exchange, cursor: string | null, { walks, isComplete }: Model) {
  if (cursor === null) return undefined
  if (exchange.status === 400 && walks.isKnown(exchange, cursor))
    return { words: 'refused the cursor of its own page', about: 'own cursor' }
  if (exchange.outcome !== 'accepted' || !isComplete || walks.forgotten > 0) return undefined
  const isForeign = walks.isForeign(exchange, cursor)
  if (isForeign === undefined)
    return { words: 'accepted a cursor that no page had', about: 'cursor' }
  return isForeign && !walks.isKnown(exchange, cursor)
    ? { words: 'accepted a cursor of another list or caller', about: 'foreign cursor' }
    : undefined
}

const listsFiltered: Rule = {
  id: 'lists-filtered',
  says: 'A list with filters shows only records that match all of them.',
  advice: 'Apply every filter in the query, before the page is cut.',
  settles: ['paging/filters'],
  read(exchange, model, report) {
    const asked = exchange.outcome === 'accepted' ? filtersOf(exchange) : []
    if (asked.length === 0) return
    const wrong = exchange.records.find(({ fields }) =>
      asked.some(
        ({ field, value }) =>
          Object.hasOwn(fields, fieldName(field)) && valueAt(fields, field) !== value,
      ),
    )
    const record = wrong && model.records.find(wrong.kind, wrong.id)
    const about = asked.map(({ name }) => name).join(' and ')
    const message = `${exchange.operation?.id} filtered by ${about} shows a record with another value.`
    if (record && model.records.isRecent(record, exchange)) return report.later(exchange, message)
    judge(report, exchange, { cites: paging('filters'), message: wrong && message, about })
  },
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
    const items = walkTo(page).flatMap((it) => it.items)
    const ids = items.map(({ id }) => id)
    const isTwice = page.items.some(({ id }) => ids.indexOf(id) !== ids.lastIndexOf(id))
    const twice = `${exchange.operation?.id} shows a record on two pages.`
    judge(report, exchange, { cites: paging('order'), message: isTwice && twice, about: 'twice' })
    const created = items.flatMap(({ kind, id }) => model.records.find(kind, id)?.created ?? [])
    const isCreated = exchange.beside.some(({ request }) => request.method === 'POST')
    const isWrong = !isCreated && created.some((it, i) => isAfter(created[i + 1], it))
    const message = `${exchange.operation?.id} shows an older record before a newer one; expected newest-first.`
    if (created.length > 1)
      judge(report, exchange, {
        cites: paging('order'),
        message: isWrong && message,
        about: 'order',
      })
  },
}

/** No response shows a record twice. */
function expectOnce(exchange: Exchange, report: Report): void {
  const keys = exchange.records.map(({ kind, id }) => `${kind.name} ${id}`)
  const isTwice = new Set(keys).size < keys.length
  const message = `${exchange.operation?.id} shows a record twice in one response.`
  const cites = { question: 'identifiers' }
  if (keys.length > 1)
    judge(report, exchange, { cites, message: isTwice && message, about: 'one response' })
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
    const shown = new Set(walk.flatMap(({ items }) => items.map(({ id }) => id)))
    const expected = model.records
      .of(kind)
      .filter((it) => isExpected(it, { walk, page, exchange, model }))
    const missing = expected.filter(({ id }) => !shown.has(id))
    const [first = page] = walk
    const old = missing.filter((it) => !model.records.isRecent(it, first)).length
    const message = `${exchange.operation?.id} leaves out ${old || missing.length} of ${expected.length} records that it should show.`
    if (missing.length > 0 && old === 0) return report.later(exchange, message)
    if (expected.length === 0) return
    const isOnePage = page.next === null && walk.length === 1
    const isWhole = isOnePage && !isCut(page, missing, model)
    const cites = isWhole ? cited(declaredList(exchange)) : paging('whole')
    const filters = filtersOf(exchange).map(({ name }) => name)
    judge(report, exchange, { cites, message: old > 0 && message, about: filters.join() })
  },
}

/** Whether a list ends before its oldest records. No fact says that it has no limit. */
function isCut({ items }: Page, missing: readonly KnownRecord[], { records }: Model): boolean {
  const shown = items.flatMap(({ kind, id }) => records.find(kind, id)?.created ?? [])
  return (
    shown.length > 0 && missing.every(({ created }) => shown.every((it) => isAfter(it, created)))
  )
}

const listsCurrent: Rule = {
  id: 'lists-current',
  says: 'A list shows a change as soon as the request was accepted.',
  advice: 'Read lists from the store that writes go to, or tell users how long a list may lag.',
  settles: ['list-lag/'],
  read(exchange, model, report) {
    const page = model.walks.pageOf(exchange)
    const kind = kindOf(exchange.operation?.id)
    if (!page || page.previous || !kind || !model.isComplete) return
    const { records, walks } = model
    const cites = cited(behaviour.conventions.listsCurrent)
    const look = walks.lastLook(exchange)
    const isUnchanged = look && (records.lastWrite(kind)?.completeAt ?? 0) < look.sentAt
    for (const record of records.of(kind).filter((it) => owns(exchange.by, it))) {
      const isShown = page.items.some(({ id }) => id === record.id)
      const isNew = record.created && record.isGone === false && records.isRecent(record, exchange)
      if (isNew && isShown) report.passed(exchange, cites)
      if (!isUnchanged || !records.isRecent(record, look)) continue
      const message = `${exchange.operation?.id} shows a change of ${an(kind.name)} later than directly after the request.`
      if (isLater(record, look, { walk: [look], page, exchange, model }))
        report.failed(exchange, cites, message)
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
  const [before, now] = [look, exchange].map((it) => it.records.find(({ id }) => id === record.id))
  if (record.isGone === true) return before !== undefined && now === undefined
  if (!now) return false
  if (!before) return isExpected(record, walked)
  const of = (it: Exchange) =>
    comparedFields(it, model).filter(({ shown }) => shown.id === record.id)
  const wrong = of(look).filter((it) => !isAllowed(it, look))
  return wrong.some(({ name }) =>
    of(exchange).some((it) => it.name === name && isAllowed(it, exchange)),
  )
}

/**
 * Whether the pages so far must show a record: the last page ends the list, and any other one ends
 * at its oldest record.
 */
function isExpected(record: KnownRecord, { walk, page, exchange, model }: Walked): boolean {
  const { created, isGone, changedAt } = record
  if (!created || isGone !== false || owns(exchange.by, record) !== true) return false
  if (changedAt > (walk[0]?.sentAt ?? 0) || walk.some((it) => isBeside(it, record))) return false
  const filters = filtersOf(exchange)
  if (!filters.every(({ field, value }) => isSure(record, field, value))) return false
  if (page.next === null) return true
  const known = page.items.map(({ kind, id }) => model.records.find(kind, id)?.created)
  const oldest = known.findLast((it) => it !== undefined)
  return isAfter(created, oldest)
}

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

/** The declared filters of a request, with their values. */
function filtersOf(exchange: Exchange): { name: string; field: string; value: string }[] {
  const { filters = {} } = declaredList(exchange) ?? {}
  return Object.entries(filters).flatMap(([name, { field }]) => {
    const value = exchange.query.get(name)
    return value === null ? [] : [{ name, field, value }]
  })
}

/** All that is said of pages is one open question. */
function paging(statement: string): Cites {
  return { question: 'paging', statement }
}

export const listRules = [listsPaged, listsFiltered, listsOrdered, listsWhole, listsCurrent]
