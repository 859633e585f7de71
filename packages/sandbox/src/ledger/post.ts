import { bind, type Queries, sendInOneTrip } from '../store/store.ts'

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
 * How many centavos an account of another institution may owe. This limits all money in the
 * sandbox, and so every balance. SQLite would switch to floats beyond 2^63.
 */
const LIMIT = 10n ** 15n

/**
 * Moves money from one account to another: writes both entries and both balances, in the
 * transaction of `queries`. Each step of a transfer, such as its hold, can be posted once: a second
 * time the entries collide and the transaction fails.
 *
 * @param refuse called if `from` has too little money; it throws, which rolls the transaction back
 * @throws {RangeError} if the amount is not above zero
 */
export async function post(queries: Queries, posting: Posting, refuse: () => never): Promise<void> {
  const { id, step, from, to, amount, at } = posting
  if (amount <= 0n) throw new RangeError(`a posting must move more than 0 centavos, got ${amount}`)
  // No account can pay as much.
  if (amount > LIMIT) refuse()

  // One entry for each account: 500 centavos are -500 in `from`, and 500 in `to`.
  const entries = { id, step, from, to, taken: -amount, given: amount, at }
  await sendInOneTrip([
    takeMoney(queries, posting, refuse),
    queries.run(...bind(GIVE_MONEY, { to, amount })),
    queries.run(...bind(ADD_BOTH_ENTRIES, entries)),
  ])
}

/**
 * Takes the money from the account `from`, or calls `refuse` if it has too little: then the
 * statement changes no row.
 */
async function takeMoney(
  queries: Queries,
  { from, amount }: Posting,
  refuse: () => never,
): Promise<void> {
  const taken = await queries.run(...bind(TAKE_IF_ENOUGH, { from, amount }))
  if (taken !== 1) refuse()
}

/**
 * Changes no row if the account has too little. An account of another institution may owe up to the
 * limit.
 */
const TAKE_IF_ENOUGH = `
  UPDATE accounts SET balance = balance - :amount
  WHERE id = :from
    AND balance - :amount >= CASE standing WHEN 'outside' THEN -${LIMIT} ELSE 0 END`
const GIVE_MONEY = 'UPDATE accounts SET balance = balance + :amount WHERE id = :to'
const ADD_BOTH_ENTRIES = `
  INSERT INTO entries (posting_id, step, account_id, amount, posted_at)
  VALUES
    (:id, :step, :from, :taken, :at),
    (:id, :step, :to, :given, :at)`
