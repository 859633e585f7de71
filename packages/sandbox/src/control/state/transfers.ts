import { formatCentavos } from '../../money/centavos.ts'
import type { Queries } from '../../store/store.ts'
import { timestamp, timestampOrNull } from '../../time.ts'
import { messageOf } from '../../transfers/rejections.ts'

type TransferRow = {
  readonly id: string
  readonly status: string
  readonly amount: bigint
  readonly outcome: string
  readonly end_to_end_id: string
  readonly initiation_type: string
  readonly tx_id: string
  readonly payer: string
  readonly payee: string
  readonly created_at: bigint
  readonly settled_at: bigint | null
}

/** The last transfers, newest first. `payer` and `payee` are names. */
export async function transfersOf(queries: Queries) {
  const rows = await queries.all<TransferRow>(LAST)
  return rows.map(({ amount, outcome, created_at, settled_at, ...transfer }) => ({
    ...transfer,
    amount: formatCentavos(amount),
    created_at: timestamp(created_at),
    settled_at: timestampOrNull(settled_at),
    // A pending transfer does not reveal its outcome.
    rejection_message: transfer.status === 'rejected' ? messageOf(outcome) : '',
  }))
}

const LAST = `
  SELECT t.id, t.status, t.amount, t.outcome, t.end_to_end_id, t.initiation_type, t.tx_id,
    p.name AS payer, b.name AS payee, t.created_at, t.settled_at
  FROM transfers t JOIN accounts p ON p.id = t.account_id JOIN accounts b ON b.id = t.payee_id
  ORDER BY t.position DESC LIMIT 50`
