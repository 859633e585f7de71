import { migrate } from './migrate.ts'
import { openSqlite } from './sqlite.ts'
import type { Store } from './store.ts'

/** Where the state is to live: in a PostgreSQL, in a file, or in memory when neither is named. */
export interface StoreOptions {
  /** `postgres://user:password@host:5432/name`. Goes before `file`. */
  readonly databaseUrl?: string | undefined
  /** A path; made where it is missing. */
  readonly file?: string | undefined
}

/**
 * Opens the state, with its tables up to date.
 *
 * @throws {StoreError} when it cannot be opened, with the reason in words.
 */
export async function openStore({ databaseUrl, file }: StoreOptions): Promise<Store> {
  const store = databaseUrl ? await openOn(databaseUrl) : openSqlite(file)
  try {
    await migrate(store)
    return store
  } catch (error) {
    await store.close()
    throw error
  }
}

/** Not loaded above: a state in a file needs no client of a database. */
async function openOn(databaseUrl: string): Promise<Store> {
  const { openPostgres } = await import('./postgres.ts')
  return openPostgres(databaseUrl)
}
