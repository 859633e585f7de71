import { DatabaseSync } from 'node:sqlite'
import {
  onQrCodePaid,
  onTransferReceived,
  onTransferSettled,
} from '@partner-payments/client/fixtures'
import type { WebhookEvent } from '@partner-payments/webhooks'
import { beforeEach, expect, test, vi } from 'vitest'

const received = onTransferReceived.request.transferReceived
const paid = onQrCodePaid.request.qrCodePaid
const { payment } = received.data
/** The events of one payment of a dynamic QR code. */
const ofOnePayment: WebhookEvent[] = [received, { ...paid, data: { ...paid.data, payment } }]

let file: string
let bookPayment: typeof import('../receivers/credits.ts').bookPayment
beforeEach(async () => {
  // Shared by all connections of this process, and gone with the last one.
  file = `file:${crypto.randomUUID()}?mode=memory&cache=shared`
  vi.stubEnv('INBOX', file)
  vi.resetModules()
  ;({ bookPayment } = await import('../receivers/credits.ts'))
})

function credits() {
  const rows = new DatabaseSync(file).prepare('SELECT * FROM credits').all()
  // The rows of SQLite have no prototype.
  return rows.map((row) => ({ ...row }))
}

test.each([
  { order: 'transfer.received first', events: ofOnePayment },
  { order: 'qrcode.paid first', events: ofOnePayment.toReversed() },
  { order: 'each event twice', events: [...ofOnePayment, ...ofOnePayment] },
])('books a payment once, whichever events report it: $order', async ({ events }) => {
  for (const event of events) await bookPayment(event)
  expect(credits()).toMatchObject([
    {
      end_to_end_id: payment.end_to_end_id,
      amount: payment.amount,
      paid_at: payment.paid_at,
      payer: payment.payer.name,
    },
  ])
})

test('books two payments of the same amount and payer twice', async () => {
  const other = { ...payment, end_to_end_id: 'E99999029202611021437kQ7rS8tU9vX' }
  await bookPayment(received)
  await bookPayment({ ...received, data: { ...received.data, payment: other } })
  expect(credits()).toHaveLength(2)
})

test('books nothing of a transfer that was sent', async () => {
  await bookPayment(onTransferSettled.request.transferSettled)
  expect(credits()).toEqual([])
})
