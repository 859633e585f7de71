import type { Queries, Row, Store, SurveyOptions } from '../store/store.ts'
import { RULES } from './rules.ts'

/**
 * Lists what does not add up; empty if everything does. It blocks other requests, so use it for a small state or a
 * test.
 */
export async function reconcile(queries: Queries): Promise<string[]> {
  const found: Row[][] = []
  for (const sql of SELECTS) found.push(await queries.all<Row>(sql))
  return findingsIn(found)
}

/** Does the same for a state of any size, while other requests are served. */
export async function reconcileBeside(store: Store, options: SurveyOptions): Promise<string[]> {
  return findingsIn(await store.survey(SELECTS, options))
}

const SELECTS = RULES.map(({ sql }) => `${sql} LIMIT 100`)

function findingsIn(found: readonly (readonly Row[])[]): string[] {
  return RULES.flatMap(({ name }, i) =>
    (found[i] ?? []).map((row) => `${name}: ${Object.values(row).join(' ')}`),
  )
}
