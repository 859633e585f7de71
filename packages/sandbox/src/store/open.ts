import { migrate } from './migrate.ts'
import type { PostgresOptions } from './postgres.ts'
import { openSqlite } from './sqlite.ts'
import type { Store } from './store.ts'

/** Where the state is to live: in a PostgreSQL, in a file, or in memory when neither is named. */
export interface StoreOptions {
  /** `postgres://user:password@host:5432/name`. Goes before `file`. */
  readonly databaseUrl?: string | undefined
  /** A path; made where it is missing. */
  readonly file?: string | undefined
  /** How long a PostgreSQL is waited for. */
  readonly limits?: PostgresOptions
}

/**
 * Opens the state, with its tables up to date.
 *
 * @throws {StoreError} when it cannot be opened, with the reason in words.
 */
export async function openStore({ databaseUrl, file, limits }: StoreOptions): Promise<Store> {
  return databaseUrl ? openDatabase(databaseUrl, limits) : migrated(openSqlite(file))
}

/** Milliseconds that a statement of a migration may take: an index on many rows takes longer than a request may. */
const MIGRATION_MS = 600_000

async function openDatabase(databaseUrl: string, limits: PostgresOptions = {}): Promise<Store> {
  // Not loaded above: a state in a file needs no client of a database.
  const { openPostgres } = await import('./postgres.ts')
  const patience = { ...limits, statementMs: MIGRATION_MS, answerMs: MIGRATION_MS }
  const patient = await migrated(await openPostgres(databaseUrl, patience))
  await patient.close()
  return openPostgres(databaseUrl, limits)
}

async function migrated(store: Store): Promise<Store> {
  try {
    await migrate(store)
    return store
  } catch (error) {
    await store.close()
    throw error
  }
}
