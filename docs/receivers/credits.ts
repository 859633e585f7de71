import { DatabaseSync } from 'node:sqlite'
import type { WebhookEvent } from '@partner-payments/webhooks'

const database = new DatabaseSync(process.env.INBOX ?? 'inbox.db', { timeout: 5000 })
database.exec(`CREATE TABLE IF NOT EXISTS credits (end_to_end_id TEXT PRIMARY KEY,
  amount TEXT NOT NULL, paid_at TEXT NOT NULL, payer TEXT NOT NULL, tx_id TEXT NOT NULL)`)

const insert = database.prepare(
  `INSERT INTO credits VALUES (:end_to_end_id, :amount, :paid_at, :payer, :tx_id)
  ON CONFLICT DO NOTHING`,
)

/**
 * Books the payment that an event reports, unless another event of the same payment was first. An
 * event of something else does nothing.
 */
export async function bookPayment(event: WebhookEvent): Promise<void> {
  const payment = paymentIn(event)
  if (!payment) return

  insert.run({
    end_to_end_id: payment.end_to_end_id,
    amount: payment.amount,
    paid_at: payment.paid_at,
    payer: payment.payer.name,
    tx_id: event.data.tx_id,
  })
}

/** A paid QR code causes both events. A payment to a key or a static code causes one. */
function paymentIn(event: WebhookEvent) {
  if (event.type === 'transfer.received') return event.data.payment
  if (event.type === 'qrcode.paid') return event.data.payment
  return undefined
}
