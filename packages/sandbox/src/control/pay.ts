import { requirePayableAmounts } from '../codes/payable.ts'
import type { Context } from '../context.ts'
import { findAccount } from '../ledger/accounts.ts'
import { formatCentavos, parseCentavos } from '../money/centavos.ts'
import { notFound, Refusal, refuse } from '../problems.ts'
import { type ChargeRow, markPaid, SELECT_AND_LOCK } from '../qrcodes/record.ts'
import { uuid } from '../random.ts'
import type { Queries } from '../store/store.ts'
import { emitCredit } from '../transfers/credit.ts'
import { receiveFromOutside } from './incoming.ts'

/**
 * Pays a QR code, as somebody at another institution would: a charge once, with the amount that is
 * due now, and a static code any number of times. Returns the payment, as the receiver sees it.
 *
 * @param id that of the QR code
 * @throws {Refusal} if there is none, or it cannot be paid now
 */
export async function payFromOutside(context: Context, id: string) {
  const paid = await context.store.write(async (queries) => {
    const row = (await queries.get<LockedRow>(SELECT_AND_LOCK, [id])) ?? notFound()
    const { kind } = row
    if (kind === 'Static') return payStatic(queries, context, row)
    return payCharge(queries, context, { ...row, kind })
  })
  context.wakeWorker()

  const { status, payment } = paid
  return { id, status, amount: payment.amount, payment }
}

type LockedRow = Omit<ChargeRow, 'kind'> & { readonly kind: ChargeRow['kind'] | 'Static' }

/**
 * Pays a charge with the amount that is due now: credits its account, marks it as paid, and emits
 * the events of both.
 *
 * @throws {Refusal} if it cannot be paid now, or nothing is due
 */
async function payCharge(queries: Queries, context: Context, row: ChargeRow) {
  const { final } = requirePayableAmounts(row, context.now(), 'outside')
  if (final === 0n) {
    throw new Refusal('amount_not_allowed', { detail: 'The amount of the charge is zero today.' })
  }

  // Its posting has the id of the charge, so that a second one would collide.
  const { id } = row
  const credit = await receiveFromOutside(queries, context, createIncoming(row, id, final), tooMuch)
  await markPaid(queries, context, id, credit.payment)
  await emitCredit(queries, context, credit)
  return { status: 'CONCLUIDA', payment: credit.payment }
}

/** Pays a static code: credits its account with the amount of the code, and emits the event. */
async function payStatic(queries: Queries, context: Context, row: LockedRow) {
  const { amount }: { amount: string } = JSON.parse(row.charge)
  const incoming = createIncoming(row, uuid(context.random), parseCentavos(amount))
  const credit = await receiveFromOutside(queries, context, incoming, tooMuch)
  await emitCredit(queries, context, credit)
  return { status: row.status, payment: credit.payment }
}

/** A payment of a QR code, with the id that its posting gets. */
function createIncoming(
  { id: qrcode_id, account_id, tx_id, dict_key }: LockedRow,
  id: string,
  amount: bigint,
) {
  return { id, account_id, qrcode_id, amount, tx_id, dict_key }
}

function tooMuch(): never {
  throw new Refusal('amount_not_allowed', { detail: TOO_MUCH })
}

const TOO_MUCH = 'The amount is more than the account outside the sandbox has left.'

/**
 * Deposits money from another institution into an account of this sandbox, as a transfer without a
 * key. Returns the new balance.
 *
 * @param amount reais with two decimals, such as "10.50"
 * @throws {Refusal} if the amount is zero, or there is no such account
 */
export async function deposit(context: Context, account_id: string, amount: string) {
  const { store, random } = context
  const centavos = parseCentavos(amount)
  if (centavos === 0n) refuse('amount_not_allowed', '/amount', '"amount" must be more than 0.')

  const id = uuid(random)
  const incoming = {
    id,
    account_id,
    qrcode_id: null,
    amount: centavos,
    tx_id: '',
    dict_key: '',
  }
  const { balance } = await store.write(async (queries) => {
    const receiver = await findAccount(queries, account_id)
    // Others are of other institutions, or hold the money of pending transfers.
    if (receiver?.standing !== 'own') notFound()

    const credit = await receiveFromOutside(queries, context, incoming, tooMuchToDeposit)
    await emitCredit(queries, context, credit)
    return (await findAccount(queries, account_id)) ?? notFound()
  })
  context.wakeWorker()
  return { id, account_id, amount, balance: formatCentavos(balance) }
}

function tooMuchToDeposit(): never {
  return refuse('amount_not_allowed', '/amount', TOO_MUCH_TO_DEPOSIT)
}

const TOO_MUCH_TO_DEPOSIT =
  '"amount" must be no more than the account outside the sandbox has left.'
