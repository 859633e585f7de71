import type { Queries } from '../store/store.ts'

/** Moves money between two accounts, as two entries that sum to zero. */
export interface Posting {
  /** The transfer or deposit that this posting belongs to. */
  readonly id: string
  readonly step: 'opening' | 'hold' | 'settle' | 'release' | 'incoming'
  readonly from: string
  readonly to: string
  /** Centavos, above zero. */
  readonly amount: bigint
  /** Milliseconds since 1970. */
  readonly at: number
}

/**
 * How many centavos an account of another institution may owe. This limits all money in the sandbox, and so every
 * balance. SQLite would switch to floats beyond 2^63.
 */
const LIMIT = 10n ** 15n

/**
 * Posts to both accounts, in the transaction of `queries`. Each step of a transfer can be posted once: a second time
 * the entries collide and the transaction fails.
 *
 * @returns whether `from` has enough money, or may owe it at another institution; if not, nothing changes
 * @throws {RangeError} if the amount is not above zero
 */
export async function post(queries: Queries, { id, step, from, to, amount, at }: Posting): Promise<boolean> {
  if (amount <= 0n) throw new RangeError(`a posting must move more than 0 centavos, got ${amount}`)
  if (amount > LIMIT || (await queries.run(TAKE, [amount, from, amount])) === 0) return false
  await queries.run('UPDATE accounts SET balance = balance + ? WHERE id = ?', [amount, to])
  await queries.run(
    `INSERT INTO entries (posting_id, step, account_id, amount, posted_at) VALUES (?, ?, ?, ?, ?), (?, ?, ?, ?, ?)`,
    [id, step, from, -amount, at, id, step, to, amount, at],
  )
  return true
}

const TAKE = `
  UPDATE accounts SET balance = balance - ?
  WHERE id = ? AND balance - ? >= CASE standing WHEN 'outside' THEN -${LIMIT} ELSE 0 END`
