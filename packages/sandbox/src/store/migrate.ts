import { migrations } from './migrations.ts'
import { type Queries, type Store, StoreError } from './store.ts'

/** An arbitrary number that all instances share. */
const LOCK = 20_661_704

/**
 * Migrates the tables: runs each missing migration in one transaction, under a lock that other instances wait for.
 *
 * @param known All migrations; those of this version by default.
 * @throws {StoreError} if a later version has written the state
 */
export function migrate(store: Store, known = migrations): Promise<void> {
  return store.write(async (queries) => {
    if (store.backend === 'postgres') await queries.get('SELECT pg_advisory_xact_lock(?)', [LOCK])
    await migrateIn(queries, store.backend, known)
  })
}

/** Migrates the tables in the transaction of `queries`. */
export async function migrateIn(queries: Queries, backend: Store['backend'], known = migrations) {
  await queries.run('CREATE TABLE IF NOT EXISTS migrations (version BIGINT PRIMARY KEY)')
  const version = await versionOf(queries)
  if (version > known.length) throw new StoreError(tooNew(version, known.length))
  for (const [i, statements] of known.entries()) {
    if (i < version) continue
    for (const sql of statements) await queries.run(inDialect(sql, backend))
    await queries.run('INSERT INTO migrations (version) VALUES (?)', [i + 1])
  }
}

async function versionOf(queries: Queries): Promise<number> {
  const row = await queries.get<{ version: bigint | null }>('SELECT max(version) AS version FROM migrations')
  return Number(row?.version ?? 0)
}

function tooNew(version: number, known: number): string {
  return `the state is of version ${version}, and this sandbox knows ${known}; use a later sandbox`
}

/** The only syntax in which the two backends differ: a number that grows with each row. */
function inDialect(sql: string, backend: Store['backend']): string {
  const serial =
    backend === 'postgres'
      ? 'BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY'
      : 'INTEGER PRIMARY KEY AUTOINCREMENT'
  return sql.replace('SERIAL PRIMARY KEY', serial)
}
