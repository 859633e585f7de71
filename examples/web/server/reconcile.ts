import { type ReceivedTransfer, type TransferData, toCentavos } from '@partner-payments/client'
import type { WebhookEvent } from '@partner-payments/client/webhooks'
import type { Backend } from './backend.ts'
import { findCharge, keepCharge } from './charges.ts'
import { bookCredit } from './credits.ts'
import { PREFIX } from './payments.ts'
import { receiptOf } from './receipts.ts'

/**
 * Finds out about what is unknown. Call it at the start, and now and then.
 *
 * Only its event settles a payment: no operation of the service shows a transfer afterwards.
 * Without an event the outcome stays unknown, until a person has looked at the statement of the
 * account.
 */
export async function reconcile(backend: Backend): Promise<void> {
  applyDeliveries(backend)
  for (const { id, amount } of backend.database.prepare(UNKNOWN).all()) {
    await findCharge(backend, `${id}`, `${amount}`).catch((error) => console.error(error))
    backend.feed.emit('change')
  }
}

// Those that may not exist come first. Of one with a code, only the status is unknown.
const UNKNOWN = `SELECT id, amount FROM payments
  WHERE state = 'unknown' AND direction = 'in' ORDER BY emv IS NOT NULL, rowid LIMIT 20`

/** Applies each stored event once: in one transaction with the mark that says so. */
export function applyDeliveries(backend: Backend): void {
  const { database, feed } = backend
  for (const { id, body } of database.prepare(WAITING).all()) {
    const mark = database.prepare('UPDATE deliveries SET result = ? WHERE id = ?')
    database.exec('BEGIN IMMEDIATE')
    try {
      apply(backend, JSON.parse(`${body}`))
      mark.run('done', `${id}`)
      database.exec('COMMIT')
    } catch (error) {
      // It stays for a person to see, and stops none behind it.
      database.exec('ROLLBACK')
      mark.run('failed', `${id}`)
      console.error(error)
    }
    feed.emit('change')
  }
}

const WAITING = `SELECT id, body FROM deliveries WHERE result = 'new' ORDER BY rowid LIMIT 100`

/**
 * The kinds of event are assumptions (open question `event-kinds`): one that is unknown does
 * nothing.
 */
function apply(backend: Backend, { type, data }: WebhookEvent): void {
  if (type === 'transfer.settled') end(backend, 'settled', data)
  if (type === 'transfer.rejected') end(backend, 'rejected', data)
  if (type === 'transfer.received') receiveTransfer(backend, data)
  if (type === 'qrcode.paid' || type === 'qrcode.cancelled') keepCharge(backend, data)
}

/** Books a credit of our account. The webhook also reports those of other customers. */
function receiveTransfer(backend: Backend, credit: ReceivedTransfer): void {
  const { account_id, payment, tx_id, description: message } = credit
  if (account_id !== backend.ownAccount) return

  bookCredit(backend, { payment, tx_id, message, isOfCharge: paysCharge(backend, credit) })
}

/**
 * Whether a credit pays the charge of its `tx_id`: its QR code is a charge, or the amount is the one
 * that we asked for. Anybody can write a static code with our key, the `tx_id` of a charge of ours and
 * an amount of 0.01.
 */
function paysCharge({ database }: Backend, { qrcode, tx_id, payment }: ReceivedTransfer): boolean {
  const isCharge = qrcode?.kind === 'Immediate' || qrcode?.kind === 'DueDate'
  if (isCharge) return true

  const asked = database.prepare(ASKED).get(tx_id)
  return asked !== undefined && toCentavos(`${asked.amount}`) === toCentavos(payment.amount)
}

const ASKED = `SELECT amount FROM payments WHERE id = ? AND direction = 'in'`

/**
 * A transfer is recognised by its id; one whose response was lost, by our account, our description
 * and the amount. The recipient reads the description too, and may be a customer of the partner.
 */
function end(
  { database, ownAccount }: Backend,
  state: 'settled' | 'rejected',
  transfer: TransferData,
): void {
  const { id, account_id, amount, end_to_end_id, rejection_message } = transfer
  const description = account_id === ownAccount ? transfer.description : null
  const payment = database.prepare(FIND).get({ id, description })
  if (!payment) return

  if (toCentavos(`${payment.amount}`) !== toCentavos(amount))
    throw new Error(
      `payment ${payment.id}: expected amount ${payment.amount} in its event, got ${amount}`,
    )
  database.prepare(END).run({
    id: `${payment.id}`,
    state,
    reason: rejection_message,
    transfer_id: id,
    end_to_end_id,
    receipt: state === 'settled' ? JSON.stringify(receiptOf(transfer)) : null,
  })
}

const FIND = `SELECT id, amount FROM payments WHERE direction = 'out' AND state <> 'checked'
  AND (transfer_id = :id OR (transfer_id IS NULL AND '${PREFIX}' || id = :description))`

const END = `
  UPDATE payments
  SET state = :state, reason = :reason, transfer_id = :transfer_id,
    end_to_end_id = :end_to_end_id, receipt = :receipt
  WHERE id = :id AND state NOT IN ('settled', 'rejected')`
