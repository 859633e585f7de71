import type { Queries, Row } from '../store/store.ts'

/** What does not add up, in words; empty where all does. */
export async function reconcile(queries: Queries): Promise<string[]> {
  const found: string[] = []
  for (const { name, sql } of LAWS) {
    const rows = await queries.all<Row>(`${sql} LIMIT 100`)
    found.push(...rows.map((row) => `${name}: ${Object.values(row).join(' ')}`))
  }
  return found
}

const LAWS = [
  {
    name: 'the entries of a step do not sum to zero',
    sql: 'SELECT posting_id, step FROM entries GROUP BY posting_id, step HAVING sum(amount) <> 0',
  },
  {
    name: 'a balance is not the sum of its entries',
    sql: `SELECT a.id FROM accounts a LEFT JOIN entries e ON e.account_id = a.id
      GROUP BY a.id, a.balance HAVING a.balance <> coalesce(sum(e.amount), 0)`,
  },
  {
    name: 'an account is overdrawn',
    sql: `SELECT id FROM accounts WHERE standing <> 'outside' AND balance < 0`,
  },
  {
    name: 'a transfer set nothing aside, or not its amount',
    sql: `SELECT t.id FROM transfers t LEFT JOIN entries e
        ON e.posting_id = t.id AND e.step = 'hold' AND e.account_id = t.account_id
      WHERE e.amount IS NULL OR e.amount <> -t.amount`,
  },
  {
    name: 'a settled transfer did not reach its payee, or a rejected one its payer',
    sql: `SELECT t.id FROM transfers t LEFT JOIN entries e ON e.posting_id = t.id AND e.amount = t.amount
        AND ((t.status = 'settled' AND e.step = 'settle' AND e.account_id = t.payee_id)
          OR (t.status = 'rejected' AND e.step = 'release' AND e.account_id = t.account_id))
      WHERE t.status <> 'pending' AND e.amount IS NULL`,
  },
  {
    name: 'a pending transfer moved on',
    sql: `SELECT t.id FROM transfers t JOIN entries e ON e.posting_id = t.id AND e.step <> 'hold'
      WHERE t.status = 'pending'`,
  },
  {
    name: 'a charge was settled more than once',
    sql: `SELECT qrcode_id FROM transfers WHERE status = 'settled' AND qrcode_id IS NOT NULL
      GROUP BY qrcode_id HAVING count(*) > 1`,
  },
  {
    name: 'a charge is paid without money, or the other way round',
    sql: `SELECT q.id FROM qrcodes q LEFT JOIN transfers t ON t.qrcode_id = q.id AND t.status = 'settled'
      LEFT JOIN entries e ON e.posting_id = q.id AND e.step = 'incoming'
      WHERE (q.status = 'CONCLUIDA') <> (t.id IS NOT NULL OR e.posting_id IS NOT NULL)`,
  },
  {
    name: 'a transfer that ended told no event',
    sql: `SELECT t.id FROM transfers t LEFT JOIN events e ON e.record_id = t.id
      WHERE t.status <> 'pending' AND e.id IS NULL`,
  },
]
