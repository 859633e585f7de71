import { randomBytes } from 'node:crypto'
import type { Payment } from '../shared/payment.ts'
import { paymentOf } from './activity.ts'
import type { Backend } from './backend.ts'
import { reasonOf } from './refusals.ts'

/**
 * Creates a QR code that is paid once. Its id, the `tx_id`, is stored before the request leaves.
 */
export async function createCharge(backend: Backend, amount: string): Promise<Payment | undefined> {
  const id = randomBytes(16).toString('hex')
  const sql = `INSERT INTO payments (id, direction, state, at, name, amount) VALUES (?, 'in', 'sending', ?, 'QR code', ?)`
  backend.database.prepare(sql).run(id, Date.now(), amount)
  await request(backend, id, amount)
  backend.feed.emit('change')
  return paymentOf(backend, id)
}

async function request(backend: Backend, tx_id: string, amount: string): Promise<void> {
  const { client, ownKey: dict_key, database } = backend
  const charge = { dict_key, tx_id, amount: { original: amount } }
  const result = await client.qrcodes.createImmediate(charge).result()
  if (result.ok) return keepCharge(backend, result.data)
  const isUnknown = result.kind === 'outcome_unknown' || result.status === 409
  const outcome = isUnknown ? ['unknown', null] : ['refused', reasonOf(result.error)]
  const sql = `UPDATE payments SET state = ?, reason = ? WHERE id = ? AND state IN ('sending', 'unknown')`
  database.prepare(sql).run(...outcome, tx_id)
}

/** By the `status` of a QR code; every other one cannot be paid (open question `qr-statuses`). */
const STATES: Readonly<Record<string, Payment['state']>> = { ATIVA: 'open', CONCLUIDA: 'settled' }

type Charge = Record<'tx_id' | 'status' | 'emv' | 'qrcode_image', string>

/**
 * Keeps what the service says of a QR code. What is final stays, since events may arrive in any
 * order.
 */
export function keepCharge(
  { database }: Backend,
  { tx_id, status, emv, qrcode_image }: Charge,
): void {
  const sql = `UPDATE payments SET state = ?, emv = ?, image = ? WHERE id = ? AND state NOT IN ('settled', 'rejected')`
  database.prepare(sql).run(STATES[status] ?? 'rejected', emv, qrcode_image, tx_id)
}

const LISTED = 200

/**
 * Finds out about a QR code whose creation has an unknown outcome. The list shows its `tx_id`; if
 * it does not, the code is requested again, since a second one with the same `tx_id` is refused
 * (open question `tx-id-form`).
 */
export async function findCharge(backend: Backend, id: string, amount: string): Promise<void> {
  let left = LISTED
  for await (const charge of backend.client.qrcodes.listImmediate()) {
    if (charge.tx_id === id) return keepCharge(backend, charge)
    if (--left === 0) return
  }
  await request(backend, id, amount)
}
