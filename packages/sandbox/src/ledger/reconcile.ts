import type { Queries, Row } from '../store/store.ts'
import { LAWS } from './laws.ts'

/** What does not add up, in words; empty where all does. */
export async function reconcile(queries: Queries): Promise<string[]> {
  const found: string[] = []
  for (const { name, sql } of LAWS) {
    const rows = await queries.all<Row>(`${sql} LIMIT 100`)
    found.push(...rows.map((row) => `${name}: ${Object.values(row).join(' ')}`))
  }
  return found
}
