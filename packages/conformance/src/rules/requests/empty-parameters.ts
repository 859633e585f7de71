import type { Violation } from '../../engine/violation.ts'

/** Cites a practice instead of the contract if a query parameter is empty: many services read it as absent. */
export function citedIfEmpty(query: Readonly<Record<string, unknown>> = {}): Pick<Violation, 'cites'> {
  return Object.values(query).includes('') ? { cites: EMPTY_IS_ABSENT } : {}
}

const EMPTY_IS_ABSENT = { standard: 'common practice: a parameter without a value counts as absent' }
