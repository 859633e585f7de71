import type { Queries, Row } from '../store/store.ts'
import { RULES } from './rules.ts'

/**
 * Lists what does not add up; empty if everything does. Each rule is a statement of its own, so nothing may be written
 * meanwhile.
 */
export async function reconcile(queries: Queries): Promise<string[]> {
  const findings: string[] = []
  for (const { name, sql } of RULES)
    for (const row of await queries.all<Row>(`${sql} LIMIT 100`))
      findings.push(`${name}: ${Object.values(row).join(' ')}`)
  return findings
}
