import { type EventType, eventsByChange } from '../behaviour.ts'
import type { Queries, Row } from '../store/store.ts'
import { partnerExpression } from './accounts.ts'

/**
 * Checks that all money adds up, and lists what does not, such as `an account is overdrawn: acc_1`;
 * empty if everything does. Each rule is an SQL statement that selects the rows which break it, so
 * nothing may be written meanwhile.
 */
export async function reconcile(queries: Queries): Promise<string[]> {
  const findings: string[] = []
  for (const [name, sql] of Object.entries(RULES)) {
    const rows = await queries.all<Row>(`${sql} LIMIT ${MAX_ROWS}`)
    for (const row of rows) {
      const values = Object.values(row)
      findings.push(`${name}: ${values.join(' ')}`)
    }
  }
  return findings
}

/** Maximum number of findings of each rule. */
const MAX_ROWS = 100

/** The events of each change, as SQL lists. */
const SETTLED = quoteTypes(eventsByChange().settled)
const REJECTED = quoteTypes(eventsByChange().rejected)
const PAID = quoteTypes(eventsByChange().paid)
const CREDITED = quoteTypes(eventsByChange().credited)

function quoteTypes(types: readonly EventType[]): string {
  return types.map((type) => `'${type}'`).join(', ')
}

/**
 * Credits, each with the partner of its account. Transfers that ended before version 4 of the tables
 * have no key, and no event for their receiver.
 */
const CREDITS = `
  SELECT id, ${partnerExpression('transfers.payee_id')} AS partner_id FROM transfers
    WHERE status = 'settled' AND dict_key IS NOT NULL
  UNION ALL
  SELECT id, ${partnerExpression('incoming.account_id')} FROM incoming`

/** What paid each QR code: transfers, and payments from outside. */
const PAYMENTS = `
  SELECT qrcode_id, end_to_end_id FROM transfers WHERE status = 'settled'
  UNION ALL
  SELECT qrcode_id, end_to_end_id FROM incoming`

/**
 * Rules that hold between two transactions. The name of a rule describes its violation; its SQL
 * finds the rows.
 */
export const RULES: Readonly<Record<string, string>> = {
  'the entries of a step do not sum to zero':
    'SELECT posting_id, step FROM entries GROUP BY posting_id, step HAVING sum(amount) <> 0',
  'a balance is not the sum of its entries': `
    SELECT a.id FROM accounts a LEFT JOIN entries e ON e.account_id = a.id
      GROUP BY a.id, a.balance HAVING a.balance <> coalesce(sum(e.amount), 0)`,
  'an account is overdrawn': `SELECT id FROM accounts WHERE standing <> 'outside' AND balance < 0`,
  'the money on hold differs from the pending transfers': `
    SELECT p.id FROM accounts p JOIN accounts h ON h.id = p.held_id
        LEFT JOIN transfers t ON t.account_id = p.id AND t.status = 'pending'
      GROUP BY p.id, h.balance HAVING h.balance <> coalesce(sum(t.amount), 0)`,
  'a transfer put no money on hold, or another amount': `
    SELECT t.id FROM transfers t LEFT JOIN entries e
        ON e.posting_id = t.id AND e.step = 'hold' AND e.account_id = t.account_id
      WHERE e.amount IS NULL OR e.amount <> -t.amount`,
  'money moved for a transfer that does not exist': `
    SELECT e.posting_id, e.step FROM entries e LEFT JOIN transfers t ON t.id = e.posting_id
      WHERE e.step IN ('hold', 'settle', 'release') AND t.id IS NULL`,
  'a settled transfer did not reach its payee, or a rejected one its payer': `
    SELECT t.id FROM transfers t LEFT JOIN entries e ON e.posting_id = t.id AND e.amount = t.amount
        AND ((t.status = 'settled' AND e.step = 'settle' AND e.account_id = t.payee_id)
          OR (t.status = 'rejected' AND e.step = 'release' AND e.account_id = t.account_id))
      WHERE t.status <> 'pending' AND e.amount IS NULL`,
  'a pending transfer has entries after its hold': `
    SELECT t.id FROM transfers t JOIN entries e ON e.posting_id = t.id AND e.step <> 'hold'
      WHERE t.status = 'pending'`,
  'a pending transfer has no due time, or a finished one has': `
    SELECT id FROM transfers WHERE (status = 'pending') <> (due_at IS NOT NULL)`,
  'a charge was settled more than once': `
    SELECT qrcode_id FROM transfers WHERE status = 'settled' AND qrcode_id IS NOT NULL
      GROUP BY qrcode_id HAVING count(*) > 1`,
  'a charge was paid by a transfer and from outside': `
    SELECT t.qrcode_id FROM transfers t JOIN entries e ON e.posting_id = t.qrcode_id AND e.step = 'incoming'
      WHERE t.status = 'settled'`,
  'a paid charge received no money, or an unpaid one did': `
    SELECT q.id FROM qrcodes q LEFT JOIN transfers t ON t.qrcode_id = q.id AND t.status = 'settled'
      LEFT JOIN entries e ON e.posting_id = q.id AND e.step = 'incoming'
      WHERE (q.status = 'CONCLUIDA') <> (t.id IS NOT NULL OR e.posting_id IS NOT NULL)`,
  'a charge refers to a transfer that does not exist or was rejected': `
    SELECT q.id FROM qrcodes q LEFT JOIN transfers t ON t.id = q.transfer_id
      WHERE q.transfer_id IS NOT NULL AND (t.id IS NULL OR t.status = 'rejected')`,
  'a paid charge has no payment, or an unpaid one has one': `
    SELECT id FROM qrcodes WHERE (status = 'CONCLUIDA') <> (payment IS NOT NULL)`,
  'a paid charge shows another payment than the one that paid it': `
    SELECT q.id FROM qrcodes q JOIN (${PAYMENTS}) p ON p.qrcode_id = q.id
      WHERE q.payment NOT LIKE '%"' || p.end_to_end_id || '"%'`,
  'a payment from outside did not reach its account': `
    SELECT i.id FROM incoming i LEFT JOIN entries e ON e.posting_id = i.id AND e.step = 'incoming'
        AND e.account_id = i.account_id AND e.amount = i.amount
      WHERE e.amount IS NULL`,
  'a finished transfer has no event, a wrong one, or several': `
    SELECT t.id FROM transfers t LEFT JOIN events e
        ON e.record_id = t.id AND e.type IN (${SETTLED}, ${REJECTED})
      GROUP BY t.id, t.status
      HAVING count(e.id) <> CASE WHEN t.status = 'pending' THEN 0 ELSE 1 END
        OR count(CASE WHEN t.status = 'settled' AND e.type IN (${REJECTED}) THEN 1 END) > 0
        OR count(CASE WHEN t.status = 'rejected' AND e.type IN (${SETTLED}) THEN 1 END) > 0`,
  'a paid charge has no event or several, or an unpaid one has an event': `
    SELECT q.id FROM qrcodes q LEFT JOIN events e ON e.record_id = q.id AND e.type IN (${PAID})
      GROUP BY q.id, q.status HAVING count(e.id) <> CASE WHEN q.status = 'CONCLUIDA' THEN 1 ELSE 0 END`,
  'a credit of a partner has no event, several, or one for somebody else': `
    SELECT c.id FROM (${CREDITS}) c LEFT JOIN events e
        ON e.record_id = c.id AND e.type IN (${CREDITED})
      WHERE c.partner_id IS NOT NULL
      GROUP BY c.id, c.partner_id
      HAVING count(e.id) <> 1 OR count(CASE WHEN e.partner_id = c.partner_id THEN 1 END) <> 1`,
  'an event reports a credit that did not happen': `
    SELECT e.id FROM events e LEFT JOIN entries p
        ON p.posting_id = e.record_id AND p.step IN ('settle', 'incoming') AND p.amount > 0
      WHERE e.type IN (${CREDITED}) AND p.amount IS NULL`,
}
