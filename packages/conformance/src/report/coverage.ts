import type { Contract, Operation } from '../contract/contract.ts'
import { fieldsOf, valueAt } from '../contract/json.ts'
import { resolved } from '../contract/marks.ts'
import type { Exchange } from '../model/exchange.ts'
import type { Coverage, Result } from './result.ts'

/** Counts the operations and responses that a history has shown. */
export interface CoverageCounter {
  see(exchange: Exchange): void
  result(): Coverage
}

/** @param operations OperationIds. Default: all. */
export function createCoverage(contract: Contract, operations?: readonly string[]): CoverageCounter {
  const chosen = contract.operations.filter(
    ({ id, isAlias }) => !isAlias && (operations?.includes(id) ?? true),
  )
  const counts = new Map(chosen.map(({ id }) => [id, { successes: 0, requests: 0 }]))
  const rows = new Map(chosen.flatMap(rowsOf).map((row) => [keyOf(row), { ...row, seen: 0 }]))
  return {
    see({ operation, response, outcome }) {
      const counted = counts.get(operation?.id ?? '')
      if (!operation || !counted || !response) return
      counted.requests++
      if (outcome === 'accepted') counted.successes++
      const mediaType = String(response.headers['content-type'] ?? '')
        .split(';', 1)[0]
        ?.trim()
        .toLowerCase()
      const row = rows.get(keyOf({ operation: operation.id, status: String(response.status), mediaType }))
      if (row) row.seen++
    },
    result: () => ({
      operations: [...counts].map(([operation, it]) => ({ operation, ...it })),
      rows: [...rows.values()],
    }),
  }
}

interface Row {
  readonly operation: string
  readonly status: string
  readonly mediaType: string
}

function keyOf({
  operation,
  status,
  mediaType = '',
}: Omit<Row, 'mediaType'> & { mediaType?: string | undefined }) {
  return `${operation} ${status} ${mediaType}`
}

function rowsOf({ id, of, validator: { document } }: Operation): Row[] {
  const responses = fieldsOf(valueAt(document, `${of.pointer}/responses`))
  return Object.entries(responses).flatMap(([status, response]) => {
    const types = Object.keys(fieldsOf(resolved(document, response)?.content))
    return (types.length > 0 ? types : ['']).map((mediaType) => ({ operation: id, status, mediaType }))
  })
}

/** How much of one kind of thing was observed. */
export interface Share {
  /** The name for `--min-coverage`. */
  readonly gate: string
  readonly name: string
  readonly seen: number
  readonly all: number
}

/** The names for `--min-coverage`. */
export const GATES: readonly string[] = ['operations', 'rows', 'rules', 'questions']

export function sharesOf({ coverage, rules, verdicts }: Result): Share[] {
  const successes = coverage.operations.map((it) => it.successes > 0)
  const rows = coverage.rows.map((it) => it.seen > 0)
  const judged = rules.map(({ status }) => status === 'passed' || status === 'failed')
  const tried = verdicts.map(({ exercised }) => exercised > 0)
  return [
    shareOf('operations', 'operations with a success', successes),
    shareOf('rows', 'statuses and media types', rows),
    shareOf('rules', 'rules with a case', judged),
    shareOf('questions', 'open questions with a case', tried),
  ]
}

function shareOf(gate: string, name: string, all: readonly boolean[]): Share {
  return { gate, name, seen: all.filter(Boolean).length, all: all.length }
}

/** What was never observed, by kind. Complete kinds are left out. */
export function unseenOf({ coverage: { operations, rows } }: Result): Map<string, string[]> {
  const lists: [string, string[]][] = [
    ['Operations without a success', operations.flatMap((it) => (it.successes > 0 ? [] : [it.operation]))],
    [
      'Statuses and media types never returned',
      rows.flatMap((it) => (it.seen > 0 ? [] : [keyOf(it).trim()])),
    ],
  ]
  return new Map(lists.filter(([, all]) => all.length > 0))
}

/** An integer, rounded down, so that 100 means all; undefined if there is nothing to observe. */
export function percent({ seen, all }: Pick<Share, 'seen' | 'all'>): number | undefined {
  return all === 0 ? undefined : Math.floor((100 * seen) / all)
}
