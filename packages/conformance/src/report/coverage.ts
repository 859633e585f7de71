import type { Coverage, Result } from '../engine/result.ts'
import { judgedRules } from './rule-results.ts'

/** How much of one kind of thing was seen. */
export interface Share {
  readonly name: string
  readonly seen: number
  readonly all: number
}

/** How much of one operation was seen. */
export interface OperationShare {
  readonly operation: string
  readonly requests: number
  readonly successes: number
  /** Pairs of status and media type. */
  readonly rows: Share
}

/** The figures of coverage, in a few lines. */
export function sharesOf(result: Result): Share[] {
  const { operations, rows, keywords, members, links } = result.coverage
  const inside = judgedRules(result).filter(({ rule }) => !rule.isOutside)
  return [
    share('operations with a success', operations, ({ successes }) => successes > 0),
    share('statuses and media types', rows, ({ seen }) => seen > 0),
    share('request keywords kept', keywords, ({ kept }) => kept > 0),
    share('request keywords broken', keywords, ({ broken }) => broken > 0),
    share('response members', members, ({ seen }) => seen > 0),
    share('links', links, ({ followed }) => followed > 0),
    share('rules assessed', inside, ({ status }) => status !== 'not-assessed'),
  ]
}

/** Coverage by operation, in the order of the contract. */
export function operationShares({ operations, rows }: Coverage): OperationShare[] {
  const byOperation = Map.groupBy(rows, ({ operation }) => operation)
  return operations.map((it) => ({
    ...it,
    rows: share('rows', byOperation.get(it.operation) ?? [], ({ seen }) => seen > 0),
  }))
}

/** What was never seen, by kind; kinds of which nothing is missing are left out. */
export function unseenOf({ operations, rows, keywords, members, links }: Coverage): Map<string, string[]> {
  const unseen = new Map([
    ['Operations without a success', operations.filter((it) => it.successes === 0).map((it) => it.operation)],
    ['Statuses and media types never seen', rows.filter((it) => it.seen === 0).map(rowOf)],
    ['Request keywords never kept', keywords.filter((it) => it.kept === 0).map(keywordOf)],
    ['Request keywords never broken', keywords.filter((it) => it.broken === 0).map(keywordOf)],
    ['Response members never seen', members.filter((it) => it.seen === 0).map((it) => it.contract)],
    ['Links never followed', links.filter((it) => it.followed === 0).map((it) => it.contract)],
  ])
  return new Map([...unseen].filter(([, all]) => all.length > 0))
}

/** Whole percent, rounded down, so that 100 means all; undefined where there is nothing to see. */
export function percent({ seen, all }: Share): number | undefined {
  return all === 0 ? undefined : Math.floor((100 * seen) / all)
}

function share<T>(name: string, all: readonly T[], isSeen: (it: T) => boolean): Share {
  return { name, seen: all.filter(isSeen).length, all: all.length }
}

function rowOf({ operation, status, mediaType }: Coverage['rows'][number]): string {
  return [operation, status, mediaType].filter(Boolean).join(' ')
}

function keywordOf({ contract, keyword }: Coverage['keywords'][number]): string {
  return contract.endsWith(`/${keyword}`) ? contract : `${contract}/${keyword}`
}
