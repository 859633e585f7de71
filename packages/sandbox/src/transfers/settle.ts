import type { Context } from '../context.ts'
import { emit } from '../deliveries/emit.ts'
import { lockAccounts } from '../ledger/accounts.ts'
import { post } from '../ledger/post.ts'
import { markPaid } from '../qrcodes/record.ts'
import { inOneTrip, type Queries } from '../store/store.ts'
import { laterOf } from '../time.ts'
import { dataOf, type TransferRow, transferById } from './record.ts'

/** Maximum number of transfers per transaction. */
const BATCH = 50

type Means = Pick<Context, 'store' | 'now' | 'random'>

/**
 * Settles or rejects the transfers that are due, and returns their number. Other instances take
 * others.
 */
export function settleDue(means: Means): Promise<number> {
  const { store, now } = means
  return store.write(async (queries) => {
    const sql = `SELECT id FROM transfers WHERE due_at <= ? ORDER BY due_at, position LIMIT ${BATCH}${store.skipLocked}`
    const due = await queries.all<{ id: string }>(sql, [now()])
    const rows = await inOneTrip(due.map(({ id }) => transferById(queries, id)))
    const touched = rows.flatMap(({ account_id, held_id, payee_id }) => [
      account_id,
      held_id,
      payee_id,
    ])
    await lockAccounts(queries, store.backend, [...new Set(touched)])
    const ended = await inOneTrip(rows.map((row) => finish(queries, means, row)))
    // After all have ended, so that their events have the order of the transfers.
    await inOneTrip(ended.map((row) => announce(queries, means, row)))
    return due.length
  })
}

/** When the next transfer is due; undefined if none is. */
export async function nextSettlement(queries: Queries): Promise<number | undefined> {
  const row = await queries.get<{ due_at: bigint | null }>(
    'SELECT min(due_at) AS due_at FROM transfers WHERE due_at IS NOT NULL',
  )
  return row?.due_at == null ? undefined : Number(row.due_at)
}

/** Shortens waits that are longer than a settlement takes. They occur when the clock goes back. */
export async function shortenSettlements(
  means: Pick<Context, 'store' | 'now' | 'settleAfterMs'>,
): Promise<void> {
  const latest = means.now() + means.settleAfterMs
  const sql = 'UPDATE transfers SET due_at = ? WHERE due_at > ?'
  await means.store.write((queries) => queries.run(sql, [latest, latest]))
}

function finish(queries: Queries, means: Means, row: TransferRow): Promise<TransferRow> {
  return row.outcome === '' ? settle(queries, means, row) : reject(queries, means, row)
}

function announce(queries: Queries, means: Means, row: TransferRow): Promise<void> {
  const type = row.status === 'settled' ? 'transfer.settled' : 'transfer.rejected'
  return emit(queries, means, type, { ...row, data: dataOf(row) })
}

async function settle(queries: Queries, means: Means, row: TransferRow): Promise<TransferRow> {
  const { id, qrcode_id, held_id: from, payee_id: to, amount } = row
  if (qrcode_id) await markPaid(queries, means, qrcode_id)
  await post(queries, { id, step: 'settle', from, to, amount, at: means.now() }, nothingHeld)
  return end(queries, id, 'settled', means.now())
}

async function reject(queries: Queries, { now }: Means, row: TransferRow): Promise<TransferRow> {
  const { id, qrcode_id, held_id: from, account_id: to, amount } = row
  // The charge can be paid again.
  if (qrcode_id)
    await queries.run('UPDATE qrcodes SET transfer_id = NULL WHERE id = ?', [qrcode_id])
  await post(queries, { id, step: 'release', from, to, amount, at: now() }, nothingHeld)
  return end(queries, id, 'rejected', null)
}

function nothingHeld(): never {
  throw new Error('the money on hold for a transfer is missing')
}

async function end(
  queries: Queries,
  id: string,
  status: string,
  settled_at: number | null,
): Promise<TransferRow> {
  const ended = queries.run(END, [status, settled_at, settled_at, id])
  const [, row] = await inOneTrip([ended, transferById(queries, id)])
  return row
}

const END = `UPDATE transfers SET status = ?, settled_at = ${laterOf('created_at')}, due_at = NULL WHERE id = ?`
