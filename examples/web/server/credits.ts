import { randomBytes } from 'node:crypto'
import { type Payment as Credit, fromCentavos, toCentavos } from '@partner-payments/client'
import type { Backend } from './backend.ts'
import { creditOf } from './receipts.ts'

interface Reported {
  readonly payment: Credit
  /** Empty if there is none. */
  readonly tx_id: string
  /** Whether it pays the charge of the `tx_id`, if that is one of ours. */
  readonly isOfCharge: boolean
  /** What the payer wrote; empty if nothing. */
  readonly message: string
}

/**
 * Books a payment that we received: once for each end-to-end id, since two events report that of a
 * QR code (open question `event-kinds`). It settles the charge of its `tx_id` if it pays that. Any
 * other one, such as a payment to a key, is new.
 */
export function bookCredit(
  { database }: Backend,
  { payment, tx_id, message, isOfCharge }: Reported,
): void {
  const { end_to_end_id, payer } = payment
  const isBooked = database.prepare(BOOKED).get(end_to_end_id) !== undefined
  if (isBooked) return

  // With two decimals, however the service writes it.
  const amount = fromCentavos(toCentavos(payment.amount))
  const settlesCharge = isOfCharge && database.prepare(UNPAID).get(tx_id) !== undefined
  const id = settlesCharge ? tx_id : randomBytes(16).toString('hex')
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
