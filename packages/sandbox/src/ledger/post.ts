import type { Queries } from '../store/store.ts'

/** Money moves from one account to another, as two entries that sum to zero. */
export interface Posting {
  /** The transfer, or the deposit, that this is a step of. */
  readonly id: string
  readonly step: 'opening' | 'hold' | 'settle' | 'release' | 'incoming'
  readonly from: string
  readonly to: string
  /** Centavos, more than none. */
  readonly amount: bigint
  /** Milliseconds since 1970. */
  readonly at: number
}

/**
 * Centavos that an account elsewhere may owe: a limit to all the money there is, and so to every balance. Beyond 2^63
 * SQLite would go on in floats.
 */
const LIMIT = 10n ** 15n

/**
 * Posts to both accounts, in the transaction of `queries`. A step of a posting can be posted once: the second time
 * its entries collide and the transaction fails.
 *
 * @returns whether `from` held enough, or may owe as much where it is elsewhere; if not, nothing was changed.
 * @throws {RangeError} for an amount of none or less, which would move money the other way
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
