import { randomBytes } from 'node:crypto'
import { type Payment as Credit, fromCentavos, toCentavos } from '@partner-payments/client'
import type { Backend } from './backend.ts'
import { creditOf } from './receipts.ts'

interface Reported {
  readonly payment: Credit
  /** Empty if there is none. */
  readonly tx_id: string
  /** What the payer wrote; empty if nothing. */
  readonly message: string
}

/**
 * Books a payment that we received: once for each end-to-end id, since two events report that of a
 * QR code (open question `event-kinds`). It settles the charge of its `tx_id`. Without one, as for a
 * payment to a key, it is new.
 */
export function bookCredit({ database }: Backend, { payment, tx_id, message }: Reported): void {
  const { end_to_end_id, payer } = payment
  const isBooked = database.prepare(BOOKED).get(end_to_end_id) !== undefined
  if (isBooked) return

  // With two decimals, however the service writes it.
  const amount = fromCentavos(toCentavos(payment.amount))
  const isCharge = database.prepare(UNPAID).get(tx_id) !== undefined
  const id = isCharge ? tx_id : randomBytes(16).toString('hex')
  database.prepare(BOOK).run({
    id,
    amount,
    end_to_end_id,
    name: payer.name,
    document: payer.tax_id,
    at: Date.now(),
    receipt: JSON.stringify(creditOf(payment, { tx_id, message })),
  })
}

const BOOKED = `SELECT 1 FROM payments WHERE direction = 'in' AND end_to_end_id = ?`

const UNPAID = `SELECT 1 FROM payments
  WHERE id = ? AND direction = 'in' AND end_to_end_id IS NULL`

const BOOK = `
  INSERT INTO payments
    (id, direction, state, at, name, document, amount, end_to_end_id, receipt)
  VALUES
    (:id, 'in', 'settled', :at, :name, :document, :amount, :end_to_end_id, :receipt)
  ON CONFLICT (id) DO UPDATE SET
    state = 'settled',
    name = :name,
    document = :document,
    amount = :amount,
    end_to_end_id = :end_to_end_id,
    receipt = :receipt`
