import { randomBytes } from 'node:crypto'
import type { Payments, TransferData } from '@partner-payments/client'
import { amountOf } from '../shared/input.ts'
import type { Payment } from '../shared/payment.ts'
import { paymentOf } from './activity.ts'
import type { Backend } from './backend.ts'
import { receiptOf } from './receipts.ts'
import { reasonOf } from './refusals.ts'

/** How long a look-up is assumed to be valid (open question `initiation`). */
const LIFETIME_MS = 30 * 60_000

/** Looks up a key. Nothing is paid yet. */
export async function checkKey(backend: Backend, dict_key: string): Promise<Payment | undefined> {
  const { owner_name, owner_document, initiation_id } = await backend.client.keys.check(dict_key)
  const owner = { name: owner_name, document: owner_document, amount: null }
  return keep(backend, dict_key, owner, { type: 'dict', dict_key, initiation_id })
}

/** Checks a code. The amount stays open only if the code lets the payer choose it. */
export async function checkCode(backend: Backend, emv: string): Promise<Payment | undefined> {
  const { beneficiary, allow_value_change, final_amount } = await backend.client.codes.check(emv)
  const name = beneficiary.trade_name || beneficiary.name
  const amount = allow_value_change ? null : (amountOf(final_amount) ?? null)
  return keep(backend, emv, { name, document: beneficiary.tax_id, amount }, { type: 'emv', emv })
}

type Shown = Pick<Payment, 'name' | 'document' | 'amount'>

function keep(
  backend: Backend,
  target: string,
  shown: Shown,
  request: object,
): Payment | undefined {
  const { database } = backend
  const id = randomBytes(16).toString('hex')
  const now = Date.now()
  database.prepare(FORGET).run(now - LIFETIME_MS)
  database.prepare(KEEP).run({
    ...shown,
    id,
    target,
    request: JSON.stringify(request),
    at: now,
  })
  return paymentOf(backend, id)
}

const FORGET = `DELETE FROM payments WHERE state = 'checked' AND at < ?`

const KEEP = `INSERT INTO payments (id, direction, state, at, name, document, amount, target, request)
  VALUES (:id, 'out', 'checked', :at, :name, :document, :amount, :target, :request)`

/**
 * Pays once, however often it is called, in however many processes: whoever turns `checked` into
 * `sending` sends. That is on the disk before the request leaves, so that a crash leaves a payment
 * to find out about.
 *
 * It stays `checked` while another payment to the same key or code has an unknown outcome.
 */
export async function pay(
  backend: Backend,
  id: string,
  amount: string,
): Promise<Payment | undefined> {
  const { database, client, feed } = backend
  const now = Date.now()
  const claimed = database.prepare(CLAIM).get({ id, amount, now, oldest: now - LIFETIME_MS })
  if (!claimed) return paymentOf(backend, id)

  feed.emit('change')
  const transfer = { ...JSON.parse(`${claimed.request}`), amount, description: PREFIX + id }
  const outcome = await send(client, transfer)
  database.prepare(END).run({ id, ...outcome })
  feed.emit('change')
  return paymentOf(backend, id)
}

const CLAIM = `UPDATE payments SET state = 'sending', amount = :amount, at = :now
  WHERE id = :id AND state = 'checked' AND at >= :oldest AND coalesce(amount, :amount) = :amount
    AND NOT EXISTS (SELECT 1 FROM payments AS other
      WHERE other.target = payments.target AND other.state IN ('sending', 'unknown'))
  RETURNING request`

/** The event may be faster than the response: what is final stays. */
const END = `UPDATE payments SET state = :state, reason = :reason, request_id = :request_id,
    transfer_id = coalesce(transfer_id, :transfer_id),
    end_to_end_id = coalesce(end_to_end_id, :end_to_end_id),
    receipt = :receipt
  WHERE id = :id AND state IN ('sending', 'unknown')`

type State = 'pending' | 'settled' | 'rejected' | 'refused' | 'unknown'

/** What became of a transfer, as END stores it. */
interface TransferOutcome {
  readonly state: State
  readonly reason: string | null
  readonly transfer_id: string | null
  readonly end_to_end_id: string | null
  /** The id of the response, for questions to the service. */
  readonly request_id: string | null
  /** The receipt as JSON, once it is settled. */
  readonly receipt: string | null
}

/** What is stored of a transfer of which the service has shown nothing. */
const NOTHING_SHOWN = {
  reason: null,
  transfer_id: null,
  end_to_end_id: null,
  request_id: null,
  receipt: null,
}

async function send(
  client: Payments,
  transfer: Parameters<Payments['transfers']['create']>[0],
): Promise<TransferOutcome> {
  const result = await client.transfers.create(transfer).result()
  if (result.ok) {
    const { id, status, data } = result.data
    return {
      ...NOTHING_SHOWN,
      state: stateOf(status),
      transfer_id: `${id}`,
      end_to_end_id: textOf(data.end_to_end_id),
      reason: textOf(data.rejection_message),
      receipt: status === 'settled' ? receiptTextOf(data) : null,
    }
  }

  // A refused request did nothing, but one before it may have paid (open question `effects`).
  const isUnknown =
    result.kind === 'outcome_unknown' || (result.kind === 'http' && !result.error.provesUnpaid)
  if (!isUnknown) return { ...NOTHING_SHOWN, state: 'refused', reason: reasonOf(result.error) }

  const { requestId = null } = result.kind === 'http' ? result.error : result.error.request
  return { ...NOTHING_SHOWN, state: 'unknown', request_id: requestId }
}

/** The client vouches for essential fields alone: a service may lack every other one. */
function textOf(value: unknown): string | null {
  return typeof value === 'string' ? value : null
}

/** The payment was made, whatever its receipt lacks. */
function receiptTextOf(data: TransferData): string | null {
  try {
    return JSON.stringify(receiptOf(data))
  } catch {
    return null
  }
}

/** Of a status that the contract does not list, nobody knows whether it is paid. */
function stateOf(status: string): State {
  if (status === 'pending' || status === 'settled' || status === 'rejected') return status
  return 'unknown'
}

/**
 * Of the description, which the recipient reads. The event is assumed to show it: so a lost payment
 * is recognised.
 */
export const PREFIX = 'Payment '
