import type { Violation } from '../../engine/violation.ts'

/** What a case with an empty query parameter cites: many services read it as an absent one. */
export function citedIfEmpty(query: Readonly<Record<string, unknown>> = {}): Pick<Violation, 'cites'> {
  return Object.values(query).includes('') ? { cites: EMPTY_IS_ABSENT } : {}
}

const EMPTY_IS_ABSENT = { standard: 'common practice: a parameter without a value counts as absent' }
