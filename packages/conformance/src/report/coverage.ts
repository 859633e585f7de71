import type { Coverage, Result } from '../engine/result.ts'
import { judgedRules } from './rule-results.ts'

/** How much of one kind of thing was observed. */
export interface Share {
  /** The name for `--min-coverage`. */
  readonly gate: string
  readonly name: string
  readonly seen: number
  readonly all: number
}

/** How much of one operation was observed. */
export interface OperationShare {
  readonly operation: string
  readonly requests: number
  readonly successes: number
  /** Statuses with their media types. */
  readonly rows: Share
}

/** A kind of thing that coverage counts. */
interface Kind<T = unknown> {
  readonly gate: string
  readonly name: string
  /** Title for the list of unobserved items; absent if reports show them elsewhere. */
  readonly unseen?: string
  readonly items: (result: Result) => readonly T[]
  readonly isSeen: (item: T) => boolean
  readonly label?: (item: T) => string
}

const kind = <T>(it: Kind<T>): Kind => it as Kind

const KINDS: readonly Kind[] = [
  kind<Coverage['operations'][number]>({
    gate: 'operations',
    name: 'operations with a success',
    unseen: 'Operations without a success',
    items: ({ coverage }) => coverage.operations,
    isSeen: ({ successes }) => successes > 0,
    label: ({ operation }) => operation,
  }),
  kind<Coverage['rows'][number]>({
    gate: 'rows',
    name: 'statuses and media types',
    unseen: 'Statuses and media types never returned',
    items: ({ coverage }) => coverage.rows,
    isSeen: ({ seen }) => seen > 0,
    label: ({ operation, status, mediaType }) => [operation, status, mediaType].filter(Boolean).join(' '),
  }),
  kind<Coverage['keywords'][number]>({
    gate: 'accepted',
    name: 'request keywords accepted',
    unseen: 'Request keywords of which no valid value was accepted',
    items: ({ coverage }) => coverage.keywords,
    isSeen: ({ accepted }) => accepted > 0,
    label: keywordOf,
  }),
  kind<Coverage['keywords'][number]>({
    gate: 'refused',
    name: 'request keywords refused',
    unseen: 'Request keywords of which no invalid value was refused',
    items: ({ coverage }) => coverage.keywords,
    isSeen: ({ refused }) => refused > 0,
    label: keywordOf,
  }),
  kind<Coverage['fields'][number]>({
    gate: 'fields',
    name: 'response fields',
    unseen: 'Response fields never returned',
    items: ({ coverage }) => coverage.fields,
    isSeen: ({ seen }) => seen > 0,
    label: ({ contract }) => contract,
  }),
  kind<Coverage['links'][number]>({
    gate: 'links',
    name: 'links',
    unseen: 'Links never followed',
    items: ({ coverage }) => coverage.links,
    isSeen: ({ followed }) => followed > 0,
    label: ({ contract }) => contract,
  }),
  kind<Result['rules'][number]>({
    gate: 'rules',
    name: 'rules assessed',
    items: (result) => judgedRules(result).filter(({ isOutside }) => !isOutside),
    isSeen: ({ status }) => status !== 'not-assessed',
  }),
]

/** The names for `--min-coverage`. */
export const GATES = KINDS.map(({ gate }) => gate)

export function sharesOf(result: Result): Share[] {
  return KINDS.map(({ gate, name, items, isSeen }) => share({ gate, name }, items(result), isSeen))
}

/** In the order of the contract. */
export function operationShares({ operations, rows }: Coverage): OperationShare[] {
  const byOperation = Map.groupBy(rows, ({ operation }) => operation)
  return operations.map((it) => ({
    ...it,
    rows: share(
      { gate: 'rows', name: it.operation },
      byOperation.get(it.operation) ?? [],
      ({ seen }) => seen > 0,
    ),
  }))
}

/** Unobserved items by kind. Complete kinds are left out. */
export function unseenOf(result: Result): Map<string, string[]> {
  const lists = KINDS.flatMap(({ unseen, items, isSeen, label = String }): [string, string[]][] =>
    unseen
      ? [
          [
            unseen,
            items(result)
              .filter((it) => !isSeen(it))
              .map(label),
          ],
        ]
      : [],
  )
  return new Map(lists.filter(([, all]) => all.length > 0))
}

/** An integer, rounded down, so that 100 means all; undefined if nothing is declared. */
export function percent({ seen, all }: Pick<Share, 'seen' | 'all'>): number | undefined {
  return all === 0 ? undefined : Math.floor((100 * seen) / all)
}

function share<T>(names: Pick<Share, 'gate' | 'name'>, all: readonly T[], isSeen: (it: T) => boolean): Share {
  return { ...names, seen: all.filter(isSeen).length, all: all.length }
}

function keywordOf({ contract, keyword }: Coverage['keywords'][number]): string {
  return contract.endsWith(`/${keyword}`) ? contract : `${contract}/${keyword}`
}
