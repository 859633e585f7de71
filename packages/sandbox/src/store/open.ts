import type { PostgresOptions } from './postgres.ts'
import { openSqlite } from './sqlite.ts'
import type { Store } from './store.ts'
import { createTables } from './tables.ts'

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
 * Opens the state, and creates its tables if it is new.
 *
 * @throws {StoreError} if it cannot be opened, with the reason
 */
export async function openStore(options: StoreOptions): Promise<Store> {
  const store = await connect(options)
  try {
    await store.write((queries) => createTables(queries, store.backend))
    return store
  } catch (error) {
    await store.close()
    throw error
  }
}

async function connect({ databaseUrl, file, limits }: StoreOptions): Promise<Store> {
  if (!databaseUrl) return openSqlite(file)

  // Loaded on first use: a state in a file needs no PostgreSQL client.
  const { openPostgres } = await import('./postgres.ts')
  return openPostgres(databaseUrl, limits)
}
