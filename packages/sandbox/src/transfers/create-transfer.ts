import type { HandlerContext } from '../context.ts'
import type { Call, Handler } from '../handler.ts'
import { type Account, findAccount } from '../ledger/accounts.ts'
import { type Posting, post } from '../ledger/post.ts'
import { parseCentavos } from '../money/centavos.ts'
import { notFound, refuse } from '../problems.ts'
import { type ChargeRow, chargeById } from '../qrcodes/record.ts'
import { uuid } from '../random.ts'
import { bind, insertStatement, type Queries, sendInOneTrip } from '../store/store.ts'
import { endToEndId } from './end-to-end-id.ts'
import { type Order, refuseUsedInitiation, requireAmountOfCharge, resolveOrder } from './order.ts'
import { toTransfer, transferById } from './record.ts'
import { decideOutcome } from './rejections.ts'

/**
 * Accepts a transfer: validates it, uses up its one-time values and puts the money on hold, in one
 * transaction. Returns it as pending; the background work settles or rejects it later.
 */
export const createTransfer: Handler<'createTransfer'> = async (call) => {
  const { body, caller, writeWithToken, context } = call
  const accepted = await writeWithToken(async (queries) => {
    const [account, order] = await sendInOneTrip([
      findAccount(queries, caller.account_id),
      resolveOrder(queries, context, caller, body),
    ])
    const payer = account ?? notFound()
    const id = uuid(context.random)
    if (order.charge) {
      const claim = { transferId: id, amount: body.amount, charge: order.charge }
      await claimCharge(queries, context, claim)
    }
    await insertTransfer(queries, { ...call, id, order, payer })

    // The hold comes last, because it locks the account, on which other payments wait.
    const held = { id, payer, amount: parseCentavos(body.amount) }
    const [row] = await sendInOneTrip([transferById(queries, id), hold(queries, context, held)])
    return row
  })
  context.wakeWorker()
  return toTransfer(accepted)
}

/** A transfer that is to pay a charge. */
interface Claim {
  readonly transferId: string
  readonly amount: string
  /** As it was read when its amount was checked. */
  readonly charge: ChargeRow
}

/**
 * Reserves a charge for one transfer, so that no other one can pay it. Of two transfers at the same
 * time, the first one wins.
 *
 * @throws {Refusal} if it was paid, cancelled or reserved since it was read, or takes another amount
 */
async function claimCharge(
  queries: Queries,
  context: HandlerContext,
  { transferId, amount, charge }: Claim,
): Promise<void> {
  const { id: qrcode_id, allow_value_change } = charge
  const values = { qrcode_id, allow_value_change, transfer_id: transferId }
  const claimed = await queries.run(...bind(CLAIM_IF_OPEN, values))
  if (claimed > 0) return

  // It was open when it was read. Throws if it was paid or cancelled since then, or if the payer may
  // no longer choose the amount.
  const row = (await chargeById(queries, qrcode_id)) ?? notFound()
  requireAmountOfCharge(row, amount, context.now())
  const wasChanged = row.allow_value_change !== allow_value_change
  if (wasChanged) return claimCharge(queries, context, { transferId, amount, charge: row })

  // It can be paid again: the transfer that had claimed it was rejected meanwhile. This one is
  // refused all the same, since it came second.
  refuse('code_paid', '/emv', 'A charge is paid once.', { status: 409 })
}

/**
 * Changes no row if the charge is not open, if another transfer has claimed it, or if its
 * `allow_value_change` has changed since it was read.
 */
const CLAIM_IF_OPEN = `
  UPDATE qrcodes SET transfer_id = :transfer_id
  WHERE id = :qrcode_id AND status = 'ATIVA' AND transfer_id IS NULL
    AND allow_value_change = :allow_value_change`

interface Accepted extends Call<'createTransfer'> {
  readonly id: string
  readonly order: Order
  readonly payer: Account
}

/**
 * Stores a pending transfer, and how it will end. An initiation id pays once: a second transfer with
 * it is refused.
 */
async function insertTransfer(
  queries: Queries,
  { id, order, body, payer, caller, context, rejection }: Accepted,
): Promise<void> {
  const { payee } = order
  const amount = parseCentavos(body.amount)
  const at = context.now()
  const row = {
    id,
    partner_id: caller.partner_id,
    account_id: payer.id,
    payee_id: payee.id,
    qrcode_id: order.charge?.id ?? null,
    initiation: order.initiation,
    amount,
    description: (body.description ?? '').toWellFormed(),
    end_to_end_id: endToEndId(context.random, payer.ispb, at),
    initiation_type: order.initiation_type,
    tx_id: order.tx_id,
    status: 'pending',
    outcome: rejection ?? decideOutcome(amount, payer.id, payee.id),
    created_at: at,
    due_at: at + context.settleAfterMs,
    dict_key: payee.dict_key,
  }
  const insertOnce = insertStatement('transfers', row, 'ON CONFLICT (initiation) DO NOTHING')
  const inserted = await queries.run(...insertOnce)
  if (inserted === 0) refuseUsedInitiation()
}

interface Held {
  readonly id: string
  readonly payer: Account
  readonly amount: bigint
}

/** Puts the money of a transfer on hold, or refuses the transfer if the payer has too little. */
async function hold(
  queries: Queries,
  { now }: HandlerContext,
  { id, payer, amount }: Held,
): Promise<void> {
  const posting: Posting = {
    id,
    step: 'hold',
    from: payer.id,
    to: payer.held_id ?? notFound(),
    amount,
    at: now(),
  }
  await post(queries, posting, refuseForLackOfFunds)
}

function refuseForLackOfFunds(): never {
  return refuse('insufficient_funds', '/amount', 'The amount is more than the balance.')
}
