import { inject } from 'vitest'
import { type Postgres, postgresAt } from './postgres.ts'

/** The PostgreSQL of this run, which all files share: to start one takes longer than most of them. */
export function sharedPostgres(): Postgres {
  return postgresAt(inject('postgres'))
}
