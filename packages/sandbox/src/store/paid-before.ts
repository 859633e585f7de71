import { formatCentavos } from '../money/centavos.ts'
import { timestamp } from '../time.ts'
import { bind, type Queries, sendInOneTrip } from './store.ts'

/**
 * Stores the payments of QR codes that were paid before version 4 of the tables, which had no
 * column for them. A payment by a transfer gets the values of the transfer. A payment from outside
 * had neither a payer nor an end-to-end id: it gets the payer of this sandbox at other
 * institutions, and an id made from the id of the QR code.
 */
export async function fillPayments(queries: Queries): Promise<void> {
  const byTransfer = await queries.all<PaidByTransfer>(PAID_BY_TRANSFER)
  const fromOutside = await queries.all<PaidFromOutside>(PAID_FROM_OUTSIDE)
  const paid = [...byTransfer, ...fromOutside.map(withPayer)]
  for (let start = 0; start < paid.length; start += PER_TRIP) {
    const rows = paid.slice(start, start + PER_TRIP)
    await sendInOneTrip(rows.map((row) => queries.run(...bind(SET_PAYMENT, createPaymentRow(row)))))
  }
}

/** Statements of one trip. The timeout of each begins when the trip is sent. */
const PER_TRIP = 500

interface PaidByTransfer {
  readonly id: string
  readonly amount: bigint
  readonly end_to_end_id: string
  readonly paid_at: bigint
  readonly name: string
  readonly tax_id: string
}

const PAID_BY_TRANSFER = `
  SELECT q.id, t.amount, t.end_to_end_id, t.settled_at AS paid_at, payer.name, payer.tax_id
  FROM qrcodes q
  JOIN transfers t ON t.qrcode_id = q.id AND t.status = 'settled'
  JOIN accounts payer ON payer.id = t.account_id
  WHERE q.status = 'CONCLUIDA'`

type PaidFromOutside = Pick<PaidByTransfer, 'id' | 'amount' | 'paid_at'>

const PAID_FROM_OUTSIDE = `
  SELECT q.id, e.amount, e.posted_at AS paid_at
  FROM qrcodes q
  JOIN entries e ON e.posting_id = q.id AND e.step = 'incoming' AND e.account_id = q.account_id
  WHERE q.status = 'CONCLUIDA'`

/** Completes a payment from outside with a payer, and an end-to-end id of its time and its code. */
function withPayer(row: PaidFromOutside): PaidByTransfer {
  // 2026-11-21T16:33:05.000Z becomes 202611211633.
  const minute = timestamp(row.paid_at).replaceAll(/\D/g, '').slice(0, 12)
  const unique = row.id.replaceAll('-', '').slice(0, 11)
  return {
    ...row,
    end_to_end_id: `E99999029${minute}${unique}`,
    name: 'Beltrana de Tal',
    tax_id: '11144477735',
  }
}

/** The payment of a QR code, as the column `payment` stores it. */
function createPaymentRow({ id, amount, end_to_end_id, paid_at, name, tax_id }: PaidByTransfer) {
  const payment = {
    amount: formatCentavos(amount),
    end_to_end_id,
    paid_at: timestamp(paid_at),
    payer: { name, tax_id },
  }
  return { id, payment: JSON.stringify(payment) }
}

const SET_PAYMENT = 'UPDATE qrcodes SET payment = :payment WHERE id = :id'
