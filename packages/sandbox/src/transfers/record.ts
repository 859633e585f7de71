import type { Schemas } from '../contract.ts'
import type { Account } from '../ledger/accounts.ts'
import { formatCentavos } from '../money/centavos.ts'
import type { Queries } from '../store/store.ts'
import { maskedTaxId } from '../tax-ids.ts'
import { timestamp, timestampOrEmpty } from '../time.ts'
import { describeRejection } from './rejections.ts'

/** A transfer in the store, with the displayed fields of both accounts. */
export type TransferRow = {
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
  /** Null if the transfer ended before version 4 of the tables. */
  readonly dict_key: string | null
  readonly status: string
  readonly outcome: string
  readonly settled_at: bigint | null
  readonly payer_type: string
  readonly payer_ispb: string
  readonly payer_name: string
  readonly payer_tax_id: string
  readonly payee_standing: Account['standing']
  readonly payee_type: string
  readonly payee_ispb: string
  readonly payee_name: string
  readonly payee_tax_id: string
}

/** The transfer with this id, which must exist. */
export async function transferById(queries: Queries, id: string): Promise<TransferRow> {
  const row = await queries.get<TransferRow>(TRANSFER_BY_ID, [id])
  if (!row) throw new Error('the transfer does not exist')
  return row
}

const TRANSFER_BY_ID = `
  SELECT t.id, t.partner_id, t.account_id, t.payee_id, payer.held_id, t.qrcode_id, t.amount,
    t.description, t.end_to_end_id, t.initiation_type, t.tx_id, t.dict_key, t.status, t.outcome,
    t.settled_at,
    payer.type AS payer_type,
    payer.ispb AS payer_ispb,
    payer.name AS payer_name,
    payer.tax_id AS payer_tax_id,
    payee.standing AS payee_standing,
    payee.type AS payee_type,
    payee.ispb AS payee_ispb,
    payee.name AS payee_name,
    payee.tax_id AS payee_tax_id
  FROM transfers t
  JOIN accounts payer ON payer.id = t.account_id
  JOIN accounts payee ON payee.id = t.payee_id
  WHERE t.id = ?`

export function toTransfer(row: TransferRow): Schemas['Transfer'] {
  return { id: row.id, status: row.status, data: toTransferData(row) }
}

/** The data of a transfer, as responses and events show it. The tax ID of the payee is masked. */
export function toTransferData(row: TransferRow): Schemas['TransferData'] {
  const { account_id, description, end_to_end_id, id, initiation_type, status, tx_id } = row
  return {
    account_id,
    amount: formatCentavos(row.amount),
    description,
    end_to_end_id,
    id,
    initiation_type,
    rejection_message: status === 'rejected' ? describeRejection(row.outcome) : '',
    settled_at: timestampOrEmpty(row.settled_at),
    status,
    tx_id,
    beneficiary: {
      account_type: row.payee_type,
      ispb: row.payee_ispb,
      name: row.payee_name,
      tax_id: maskedTaxId(row.payee_tax_id),
    },
    payer: {
      account_type: row.payer_type,
      ispb: row.payer_ispb,
      name: row.payer_name,
      tax_id: row.payer_tax_id,
    },
  }
}

/**
 * A settled transfer, as its receiver sees it: who paid how much, and when. Throws if it has not
 * settled.
 */
export function toPayment(row: TransferRow): Schemas['Payment'] {
  if (row.settled_at === null) throw new Error('a transfer that has not settled is no payment')
  return {
    amount: formatCentavos(row.amount),
    end_to_end_id: row.end_to_end_id,
    paid_at: timestamp(row.settled_at),
    payer: { name: row.payer_name, tax_id: row.payer_tax_id },
  }
}
