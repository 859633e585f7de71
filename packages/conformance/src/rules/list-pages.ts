import { findDeclaredList } from '../contract/behaviour.ts'
import { stringAt } from '../contract/json.ts'
import { fieldName } from '../contract/kinds.ts'
import type { Direction } from '../form/service-form.ts'
import type { Exchange, Trace } from '../model/exchange.ts'
import type { KnownRecord } from '../model/records.ts'
import { readCertainValue } from '../model/records.ts'
import type { Page } from '../model/walks.ts'
import type { Model } from '../model.ts'
import type { Cites } from '../report/report.ts'
import { citeStatement } from './rule.ts'

/**
 * Lists the requests that created the records of some pages, in the order in which the pages show the
 * records. A record whose creation the history does not show is left out.
 */
export function listCreations(
  pages: readonly Pick<Page, 'items'>[],
  { records }: Model,
): Exchange[] {
  const creations: Exchange[] = []
  for (const { items } of pages) {
    for (const { kind, id } of items) {
      const created = records.find(kind, id)?.created
      if (created) creations.push(created)
    }
  }
  return creations
}

/**
 * Finds the order of a list, from the requests that created its records: `newest-first` or `oldest-first`.
 * Undefined if it is neither, or if it may be both, as of a single record.
 */
export function findOrder(creations: readonly Exchange[]): Direction | undefined {
  const isNewestFirst = isInOrder(creations, 'newest-first')
  const isOldestFirst = isInOrder(creations, 'oldest-first')
  if (isNewestFirst && !isOldestFirst) return 'newest-first'
  if (isOldestFirst && !isNewestFirst) return 'oldest-first'
  return undefined
}

/**
 * Whether creations are in an order: none is followed by one that should come before it. Creations at one time may
 * come in any order.
 *
 * @param creations The requests that created the records of a list, as the list shows them.
 */
export function isInOrder(creations: readonly Exchange[], direction: Direction): boolean {
  for (const [index, creation] of creations.entries()) {
    const next = creations[index + 1]
    const isWrong = direction === 'newest-first' ? isAfter(next, creation) : isAfter(creation, next)
    if (isWrong) return false
  }
  return true
}

/**
 * Whether a field of a record certainly has a value.
 *
 * @param field A pointer into the record, such as `/status`.
 */
export function hasCertainValue(record: KnownRecord, field: string, value: string): boolean {
  const name = fieldName(field)
  const certainFields = { [name]: readCertainValue(record, name) }
  return stringAt(certainFields, field) === value
}

/** When a request was sent, and when its response was complete. */
type Moment = Pick<Trace, 'sentAt' | 'completeAt'>

/** Whether one request was certainly sent after the other one had ended; false if there is no such request. */
export function isAfter(one: Moment | undefined, other: Moment | undefined): boolean {
  return one !== undefined && other !== undefined && one.sentAt > other.completeAt
}

/** A filter of a request, such as `?status=ATIVA`. */
export interface Filter {
  /** The name of the parameter. */
  readonly name: string
  /** The pointer to the field of a record, such as `/status`. */
  readonly field: string
  readonly value: string
}

/**
 * Lists the filters that a request for a list names in its query: `?status=ATIVA` is
 * `[{ name: 'status', field: '/status', value: 'ATIVA' }]`.
 */
export function readFilters(exchange: Exchange): Filter[] {
  const declared = findDeclaredList(exchange)?.filters ?? {}
  const filters: Filter[] = []
  for (const [name, { field }] of Object.entries(declared)) {
    const value = exchange.query.get(name)
    // A parameter without a value counts as absent.
    if (value) filters.push({ name, field, value })
  }
  return filters
}

/**
 * Cites one statement of the open question about pages.
 *
 * @param statement Such as `limit`, `cursor` or `order`.
 */
export function citePaging(exchange: Exchange, statement: string): Cites {
  const list = findDeclaredList(exchange)
  const declared = statement === 'order' ? list?.order : list?.pages
  return citeStatement({ question: 'paging' }, statement, declared ?? list)
}
