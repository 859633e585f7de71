import type { Queries, Store } from '../store/store.ts'

/**
 * Locks accounts until the transaction ends, ordered by id. Transactions that locked in different orders could
 * deadlock, and PostgreSQL would abort one after a second. An account comes before its hold account, because its id is
 * a prefix of that one's.
 */
export async function lockAccounts(
  queries: Queries,
  backend: Store['backend'],
  ids: readonly string[],
): Promise<void> {
  // SQLite runs one transaction at a time.
  if (backend === 'sqlite' || ids.length === 0) return
  const places = ids.map(() => '?').join(', ')
  await queries.all(`SELECT id FROM accounts WHERE id IN (${places}) ORDER BY id FOR NO KEY UPDATE`, ids)
}
