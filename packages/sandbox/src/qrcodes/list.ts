import type { Call, Handler } from '../handler.ts'
import { refuse } from '../problems.ts'
import type { Value } from '../store/store.ts'
import { type ChargeRow, type Kind, type QrCode, recordOf } from './record.ts'

const LIMIT = 20

type Listing = Pick<Call<'listDueDateQrCodes'>, 'query' | 'caller' | 'context'>

/** A page of the caller's dynamic QR codes of one kind, newest first. */
async function listCharges<K extends Kind>(
  { query: { cursor, limit: text, status, tax_id }, caller: { account_id }, context: { store } }: Listing,
  kind: K,
): Promise<{ data: QrCode<K>[]; next_cursor: string | null }> {
  const limit = text === undefined ? LIMIT : Number(text)
  const filters: [sql: string, value: Value | undefined][] = [
    ['account_id = ?', account_id],
    ['kind = ?', kind],
    [`${PLACE} < ?`, cursor === undefined ? undefined : positionOf(cursor)],
    ['status = ?', status],
    ['payer_tax_id = ?', tax_id],
  ]
  const used = filters.flatMap(([sql, value]) => (value === undefined ? [] : [{ sql, value }]))
  const where = used.map(({ sql }) => sql).join(' AND ')
  // Read one more than the page holds, to see whether there is a next page.
  const sql = `SELECT * FROM qrcodes WHERE ${where} ORDER BY ${PLACE} DESC LIMIT ${limit + 1}`
  const values = used.map(({ value }) => value)
  const rows = await store.read((queries) => queries.all<ChargeRow>(sql, values))
  const page = rows.slice(0, limit)
  const last = rows.length > limit ? page.at(-1) : undefined
  return { data: page.map((row) => recordOf<K>(row)), next_cursor: last ? cursorOf(last.position) : null }
}

/**
 * Uses the expression of the filters' indexes. By `position` alone, PostgreSQL would scan the newest rows for a rare
 * status.
 */
const PLACE = 'position + 0'

function cursorOf(position: bigint): string {
  return `c_${Buffer.from(String(position)).toString('base64url')}`
}

function positionOf(cursor: string): bigint {
  const text = Buffer.from(cursor.slice(2), 'base64url').toString()
  const position = /^[1-9]\d{0,17}$/.test(text) ? BigInt(text) : undefined
  if (position !== undefined && cursorOf(position) === cursor) return position
  return refuse('invalid_request', 'cursor', '"cursor" must be the next_cursor of a page.')
}

export const listDueDateQrCodes: Handler<'listDueDateQrCodes'> = (call) => listCharges(call, 'DueDate')

export const listImmediateQrCodes: Handler<'listImmediateQrCodes'> = (call) => listCharges(call, 'Immediate')
