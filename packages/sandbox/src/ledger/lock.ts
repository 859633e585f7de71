import type { Queries, Store } from '../store/store.ts'

/**
 * Takes accounts before anything is posted to them, in the order of their ids, until the transaction ends. Two that
 * post to the same accounts in orders of their own would wait for each other, and PostgreSQL would end one of them,
 * after a second in which both stand still. A payer comes before what it has set aside, as its id begins that one's.
 */
export async function lockAccounts(
  queries: Queries,
  backend: Store['backend'],
  ids: readonly string[],
): Promise<void> {
  // One transaction at a time needs no locks.
  if (backend === 'sqlite' || ids.length === 0) return
  const places = ids.map(() => '?').join(', ')
  await queries.all(`SELECT id FROM accounts WHERE id IN (${places}) ORDER BY id FOR NO KEY UPDATE`, ids)
}
