import type { OwnerWord } from '../behaviour.ts'
import type { Schemas } from '../contract.ts'
import { insertStatement, type Queries, type Store } from '../store/store.ts'

/** An account, of this sandbox or of another institution, with its owner. */
export type Account = {
  readonly id: string
  readonly standing: string
  /** The account for its money on hold, or null if it cannot pay. */
  readonly held_id: string | null
  readonly name: string
  readonly trade_name: string
  readonly tax_id: string
  readonly owner_type: OwnerWord
  readonly ispb: string
  readonly branch: string
  readonly number: string
  readonly type: Schemas['AccountTypeInput']
  /** Centavos. */
  readonly balance: bigint
}

/** An account before anything is posted to it. */
export type NewAccount = Omit<Account, 'held_id' | 'balance'>

export function findAccount(queries: Queries, id: string): Promise<Account | undefined> {
  return queries.get<Account>(ACCOUNT_BY_ID, [id])
}

const ACCOUNT_BY_ID = `
  SELECT id, standing, held_id, name, trade_name, tax_id, owner_type, ispb, branch, number, type,
    balance
  FROM accounts WHERE id = ?`

/**
 * An SQL expression for the partner of an account, which is its own or that of a customer; null if
 * the account is of another institution.
 *
 * @param account the id of the account: a column with its table, because the expression has tables too
 */
export function partnerExpression(account: string): string {
  return `COALESCE(
    (SELECT id FROM partners WHERE account_id = ${account} LIMIT 1),
    (SELECT u.partner_id FROM customers c JOIN users u ON u.id = c.user_id
      WHERE c.account_id = ${account} LIMIT 1))`
}

/**
 * Adds an account. An account of this sandbox (`own`) gets a second one for its money on hold,
 * which pending transfers will move.
 */
export async function addAccount(queries: Queries, account: NewAccount): Promise<void> {
  if (account.standing !== 'own') {
    await insert(queries, { ...account, held_id: null })
    return
  }

  const held_id = `${account.id}/held`
  // The hold account comes first, because the account refers to it.
  await insert(queries, { ...account, id: held_id, standing: 'held', held_id: null })
  await insert(queries, { ...account, held_id })
}

function insert(queries: Queries, account: Omit<Account, 'balance'>): Promise<number> {
  return queries.run(...insertStatement('accounts', account))
}

/**
 * Locks accounts until the transaction ends, ordered by id. Transactions that locked in different
 * orders could deadlock, and PostgreSQL would abort one after a second. The id of an account is a
 * prefix of the id of its hold account, so the account comes first.
 */
export async function lockAccounts(
  queries: Queries,
  backend: Store['backend'],
  ids: readonly string[],
): Promise<void> {
  // SQLite runs one transaction at a time.
  if (backend === 'sqlite' || ids.length === 0) return
  const places = ids.map(() => '?').join(', ')
  const sql = `SELECT id FROM accounts WHERE id IN (${places}) ORDER BY id FOR NO KEY UPDATE`
  await queries.all(sql, ids)
}
