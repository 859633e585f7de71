import { type EndState, eventsByChange } from '../behaviour.ts'
import type { Context } from '../context.ts'
import { emit } from '../deliveries/emit.ts'
import { lockAccounts } from '../ledger/accounts.ts'
import { post } from '../ledger/post.ts'
import { markPaid } from '../qrcodes/record.ts'
import { bind, type Queries, sendInOneTrip } from '../store/store.ts'
import { laterExpression } from '../time.ts'
import { type Credit, emitCredit } from './credit.ts'
import { type TransferRow, toPayment, toTransferData, transferById } from './record.ts'

/** Maximum number of transfers per transaction. */
const BATCH = 50

type Dependencies = Pick<Context, 'store' | 'now' | 'random'>

/**
 * Settles or rejects the transfers that are due, at most one batch of them, and returns their
 * number. Each one ends as was decided when it was accepted. Other instances take others.
 */
export function settleDue(dependencies: Dependencies): Promise<number> {
  const { store, now } = dependencies
  const findDue = `
    SELECT id FROM transfers WHERE due_at <= ?
    ORDER BY due_at, position LIMIT ${BATCH}${store.skipLocked}`

  return store.write(async (queries) => {
    const due = await queries.all<{ id: string }>(findDue, [now()])
    const rows = await sendInOneTrip(due.map(({ id }) => transferById(queries, id)))
    // All at once, since transactions that lock one by one could deadlock.
    await lockAccounts(queries, store.backend, listAccounts(rows))

    const ended = await sendInOneTrip(rows.map((row) => settleOrReject(queries, dependencies, row)))
    // After all have ended, so that their events have the order of the transfers.
    await sendInOneTrip(ended.map((row) => emitOutcome(queries, dependencies, row)))
    const credited = ended.filter(isCreditHere)
    await sendInOneTrip(credited.map((row) => emitCredit(queries, dependencies, toCredit(row))))
    return due.length
  })
}

/**
 * The ids of the accounts between which the transfers move money, each once: the payer's, the one
 * that holds its money, and the payee's.
 */
function listAccounts(rows: readonly TransferRow[]): string[] {
  const ids = new Set<string>()
  for (const { account_id, held_id, payee_id } of rows) {
    ids.add(account_id)
    ids.add(held_id)
    ids.add(payee_id)
  }
  return [...ids]
}

/** When the next transfer is due; undefined if none is. */
export async function nextSettlement(queries: Queries): Promise<number | undefined> {
  const row = await queries.get<{ due_at: bigint | null }>(
    'SELECT min(due_at) AS due_at FROM transfers WHERE due_at IS NOT NULL',
  )
  if (!row || row.due_at === null) return undefined
  return Number(row.due_at)
}

/** Shortens waits that are longer than a settlement takes. They occur when the clock goes back. */
export async function shortenSettlements(
  dependencies: Pick<Context, 'store' | 'now' | 'settleAfterMs'>,
): Promise<void> {
  const latest = dependencies.now() + dependencies.settleAfterMs
  await dependencies.store.write((queries) => queries.run(...bind(SHORTEN_WAITS, { latest })))
}

const SHORTEN_WAITS = 'UPDATE transfers SET due_at = :latest WHERE due_at > :latest'

/**
 * Ends a transfer as was decided when it was accepted: rejects it if its outcome is the code of a
 * rejection, else settles it. Returns its new row.
 */
function settleOrReject(
  queries: Queries,
  dependencies: Dependencies,
  row: TransferRow,
): Promise<TransferRow> {
  const isRejected = row.outcome !== ''
  return isRejected ? reject(queries, dependencies, row) : settle(queries, dependencies, row)
}

/** Emits the event of a transfer that settled or was rejected, to the partner that created it. */
function emitOutcome(
  queries: Queries,
  dependencies: Dependencies,
  row: TransferRow,
): Promise<void> {
  const events = row.status === 'settled' ? eventsByChange().settled : eventsByChange().rejected
  const { partner_id, id } = row
  return emit(queries, dependencies, events, { partner_id, id, data: toTransferData(row) })
}

function isCreditHere({ status, payee_standing }: TransferRow): boolean {
  return status === 'settled' && payee_standing === 'own'
}

/** What the payee of a settled transfer received, for the event of its partner. */
function toCredit(row: TransferRow): Credit {
  return {
    id: row.id,
    account_id: row.payee_id,
    payment: toPayment(row),
    tx_id: row.tx_id,
    dict_key: row.dict_key ?? '',
    description: row.description,
    qrcode_id: row.qrcode_id,
  }
}

/**
 * Settles a transfer: moves the money on hold to the payee, and marks the charge as paid if it paid
 * one. Returns its new row.
 */
async function settle(
  queries: Queries,
  dependencies: Dependencies,
  row: TransferRow,
): Promise<TransferRow> {
  const { id, qrcode_id, held_id: from, payee_id: to, amount } = row
  await post(queries, { id, step: 'settle', from, to, amount, at: dependencies.now() }, nothingHeld)
  const settled = await end(queries, id, 'settled', dependencies.now())
  if (qrcode_id) await markPaid(queries, dependencies, qrcode_id, toPayment(settled))
  return settled
}

/**
 * Rejects a transfer: returns the money on hold to the payer, and its charge, if it has one, can be
 * paid again. Returns its new row.
 */
async function reject(
  queries: Queries,
  { now }: Dependencies,
  row: TransferRow,
): Promise<TransferRow> {
  const { id, qrcode_id, held_id: from, account_id: to, amount } = row
  // The charge can be paid again.
  if (qrcode_id) await queries.run(REOPEN_CHARGE, [qrcode_id])
  await post(queries, { id, step: 'release', from, to, amount, at: now() }, nothingHeld)
  return end(queries, id, 'rejected', null)
}

const REOPEN_CHARGE = 'UPDATE qrcodes SET transfer_id = NULL WHERE id = ?'

function nothingHeld(): never {
  throw new Error('the money on hold for a transfer is missing')
}

/** Stores how a transfer ended, and reads its new row. `settled_at` is null if it was rejected. */
async function end(
  queries: Queries,
  id: string,
  status: EndState,
  settled_at: number | null,
): Promise<TransferRow> {
  const ended = queries.run(...bind(END_TRANSFER, { id, status, settled_at }))
  const [, row] = await sendInOneTrip([ended, transferById(queries, id)])
  return row
}

/** Writes the later of `settled_at` and `created_at`, or null if the transfer was rejected. */
const END_TRANSFER = `
  UPDATE transfers
  SET status = :status, settled_at = ${laterExpression('created_at', ':settled_at')}, due_at = NULL
  WHERE id = :id`
