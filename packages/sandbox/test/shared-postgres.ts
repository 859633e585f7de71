import { inject } from 'vitest'
import { type Postgres, postgresAt } from './postgres.ts'

/** The PostgreSQL that all test files share, because starting one takes longer than most of them. */
export function sharedPostgres(): Postgres {
  return postgresAt(inject('postgres'))
}
