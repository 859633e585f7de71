import { randomBytes } from 'node:crypto'
import type { DynamicQrCode } from '@partner-payments/client'
import type { Payment } from '../shared/payment.ts'
import { paymentOf } from './activity.ts'
import type { Backend } from './backend.ts'
import { bookCredit } from './credits.ts'
import { reasonOf } from './refusals.ts'

/**
 * Creates a QR code for one charge, which is paid once. Its id, the `tx_id`, is stored before the
 * request leaves.
 */
export async function createCharge(backend: Backend, amount: string): Promise<Payment | undefined> {
  const id = randomBytes(16).toString('hex')
  backend.database.prepare(INSERT).run(id, Date.now(), amount)
  await request(backend, id, amount)
  backend.feed.emit('change')
  return paymentOf(backend, id)
}

const INSERT = `INSERT INTO payments (id, direction, state, at, name, amount)
  VALUES (?, 'in', 'sending', ?, 'QR code', ?)`

async function request(backend: Backend, tx_id: string, amount: string): Promise<void> {
  const { client, ownKey: dict_key, database } = backend
  const charge = { dict_key, tx_id, amount: { original: amount } }
  const result = await client.qrcodes.createImmediate(charge).result()
  if (result.ok) return keepCharge(backend, result.data)

  // After a 409 this request did nothing, but one before it may have created the code.
  const isUnknown = result.kind === 'outcome_unknown' || result.status === 409
  const state = isUnknown ? 'unknown' : 'refused'
  const reason = isUnknown ? null : reasonOf(result.error)
  database.prepare(END).run(state, reason, tx_id)
}

const END = `UPDATE payments SET state = ?, reason = ?
  WHERE id = ? AND state IN ('sending', 'unknown')`

/** By the `status` of a QR code, whose values are assumptions (open question `qr-statuses`). */
const STATES: ReadonlyMap<string, Payment['state']> = new Map([
  ['ATIVA', 'open'],
  ['CONCLUIDA', 'settled'],
  ['REMOVIDA_PELO_USUARIO_RECEBEDOR', 'rejected'],
  ['REMOVIDA_PELO_PSP', 'rejected'],
])

/** Of a status that the contract does not list, nobody knows whether the code can be paid. */
function stateOf(status: string): Payment['state'] {
  return STATES.get(status) ?? 'unknown'
}

/**
 * Keeps what the service says of a QR code, and books its payment. What is final stays, since events
 * may arrive in any order. The webhook also reports the QR codes of other customers.
 */
export function keepCharge(
  backend: Backend,
  { tx_id, status, emv, qrcode_image, payment }: DynamicQrCode,
): void {
  const { database } = backend
  const isOurs = database.prepare(OURS).get(tx_id) !== undefined
  if (!isOurs) return

  database.prepare(KEEP).run(stateOf(status), emv, qrcode_image, tx_id)
  if (payment) bookCredit(backend, { payment, tx_id, message: '', isOfCharge: true })
}

const OURS = `SELECT 1 FROM payments WHERE id = ? AND direction = 'in'`

const KEEP = `UPDATE payments SET state = ?, emv = ?, image = ?
  WHERE id = ? AND state NOT IN ('settled', 'rejected')`

const MAX_LISTED = 200

/**
 * Finds out about a QR code whose creation has an unknown outcome, or whose status the contract does
 * not list. The list shows its `tx_id`. If it does not, and no response has shown the code, the code
 * is requested again: a second one with the same `tx_id` is refused (open question `tx-id-form`).
 */
export async function findCharge(backend: Backend, id: string, amount: string): Promise<void> {
  let listed = 0
  for await (const charge of backend.client.qrcodes.listImmediate()) {
    if (charge.tx_id === id) return keepCharge(backend, charge)
    listed++
    // It may be further down, so it stays unknown.
    if (listed === MAX_LISTED) return
  }

  const wasCreated = backend.database.prepare(CREATED).get(id) !== undefined
  if (!wasCreated) await request(backend, id, amount)
}

const CREATED = 'SELECT 1 FROM payments WHERE id = ? AND emv IS NOT NULL'
