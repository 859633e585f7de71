import type { Schemas } from '../contract.ts'
import { formatCentavos } from '../money/centavos.ts'
import type { Queries, Row } from '../store/store.ts'
import { timestampOrEmpty } from '../time.ts'
import { messageOf } from './rejections.ts'

/** A transfer in the store, with the displayed fields of both accounts. */
export type TransferRow = Row & {
  readonly id: string
  readonly partner_id: string
  readonly account_id: string
  readonly payee_id: string
  readonly held_id: string
  readonly qrcode_id: string | null
  readonly amount: bigint
  readonly description: string
  readonly end_to_end_id: string
  readonly initiation_type: string
  readonly tx_id: string
  readonly status: string
  readonly outcome: string
  readonly settled_at: bigint | null
}

const SELECT = `
  SELECT t.*, p.held_id,
    p.type AS payer_type, p.ispb AS payer_ispb, p.name AS payer_name, p.tax_id AS payer_tax_id,
    b.type AS payee_type, b.ispb AS payee_ispb, b.name AS payee_name, b.tax_id AS payee_tax_id
  FROM transfers t JOIN accounts p ON p.id = t.account_id JOIN accounts b ON b.id = t.payee_id`

/** The transfer with this id, which must exist. */
export async function transferById(queries: Queries, id: string): Promise<TransferRow> {
  const row = await queries.get<TransferRow>(`${SELECT} WHERE t.id = ?`, [id])
  if (!row) throw new Error('the transfer does not exist')
  return row
}

export function transferOf(row: TransferRow): Schemas['Transfer'] {
  return { id: row.id, status: row.status, data: dataOf(row) }
}

/** The data of a transfer, in responses and in events. */
export function dataOf(row: TransferRow): Schemas['TransferData'] {
  const { account_id, description, end_to_end_id, id, initiation_type, status, tx_id } = row
  return {
    account_id,
    amount: formatCentavos(row.amount),
    description,
    end_to_end_id,
    id,
    initiation_type,
    rejection_message: status === 'rejected' ? messageOf(row.outcome) : '',
    settled_at: timestampOrEmpty(row.settled_at),
    status,
    tx_id,
    beneficiary: partyOf(row, 'payee'),
    payer: partyOf(row, 'payer'),
  }
}

function partyOf(row: TransferRow, party: 'payer' | 'payee'): Schemas['TransferParty'] {
  const of = (column: string) => String(row[`${party}_${column}`])
  return { account_type: of('type'), ispb: of('ispb'), name: of('name'), tax_id: of('tax_id') }
}
