import { migrate } from './migrations.ts'
import type { PostgresOptions } from './postgres.ts'
import { openSqlite } from './sqlite.ts'
import type { Store } from './store.ts'

/** Where to store the state: in PostgreSQL, in a file, or by default in memory. */
export interface StoreOptions {
  /** `postgres://user:password@host:5432/name`. Takes precedence over `file`. */
  readonly databaseUrl?: string | undefined
  /** A path. The file is created if it is missing. */
  readonly file?: string | undefined
  /** Timeouts for PostgreSQL. */
  readonly limits?: PostgresOptions
}

/**
 * Opens the state, and migrates its tables.
 *
 * @throws {StoreError} if it cannot be opened, with the reason
 */
export async function openStore({ databaseUrl, file, limits }: StoreOptions): Promise<Store> {
  return databaseUrl ? openDatabase(databaseUrl, limits) : migrated(openSqlite(file))
}

/** Timeout of a migration statement in milliseconds. Creating an index on many rows takes longer than a request may. */
const MIGRATION_MS = 600_000

async function openDatabase(databaseUrl: string, limits: PostgresOptions = {}): Promise<Store> {
  // Loaded on first use: a state in a file needs no PostgreSQL client.
  const { openPostgres } = await import('./postgres.ts')
  const patience = { ...limits, statementMs: MIGRATION_MS, responseMs: MIGRATION_MS }
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
