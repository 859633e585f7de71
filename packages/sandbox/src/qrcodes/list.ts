import type { Call, Handler } from '../handler.ts'
import { refuse } from '../problems.ts'
import { seal, unseal } from '../seal.ts'
import type { Value } from '../store/store.ts'
import { type ChargeRow, type Kind, type QrCode, recordOf } from './record.ts'

const LIMIT = 20

type Listing = Pick<Call<'listDueDateQrCodes'>, 'query' | 'caller' | 'context'>

/** A page of the caller's dynamic QR codes of one kind, newest first. */
async function listCharges<K extends Kind>(
  listing: Listing,
  kind: K,
): Promise<{ data: QrCode<K>[]; next_cursor: string | null }> {
  const { context } = listing
  const { account_id } = listing.caller
  const { cursor, limit: text, status, tax_id } = listing.query
  const limit = text === undefined ? LIMIT : Number(text)
  const filters: [sql: string, value: Value | undefined][] = [
    ['account_id = ?', account_id],
    ['kind = ?', kind],
    [`${PLACE} < ?`, cursor === undefined ? undefined : positionOf(cursor, kind, listing)],
    ['status = ?', status],
    ['payer_tax_id = ?', tax_id],
  ]
  const used = filters.flatMap(([sql, value]) => (value === undefined ? [] : [{ sql, value }]))
  const where = used.map(({ sql }) => sql).join(' AND ')
  // Read one more than the page holds, to see whether there is a next page.
  const sql = `SELECT * FROM qrcodes WHERE ${where} ORDER BY ${PLACE} DESC LIMIT ${limit + 1}`
  const values = used.map(({ value }) => value)
  const rows = await context.store.read((queries) => queries.all<ChargeRow>(sql, values))
  const page = rows.slice(0, limit)
  const last = rows.length > limit ? page.at(-1) : undefined
  const place = last && { position: Number(last.position), kind, account_id }
  const next_cursor = place ? seal(context, PREFIX, place) : null
  return { data: page.map((row) => recordOf<K>(row)), next_cursor }
}

/**
 * Uses the expression of the filters' indexes. By `position` alone, PostgreSQL would scan the
 * newest rows for a rare status.
 */
const PLACE = 'position + 0'

const PREFIX = 'c_'

/** Where a page ended. A cursor works only in the list that it comes from. */
function positionOf(cursor: string, kind: Kind, { caller, context }: Listing): number {
  const place = unseal<{ position: number; kind: Kind; account_id: string }>(
    context,
    PREFIX,
    cursor,
  )
  if (place?.kind === kind && place.account_id === caller.account_id) return place.position
  return refuse(
    'invalid_request',
    'cursor',
    '"cursor" must be the next_cursor of a page of this list.',
  )
}

export const listDueDateQrCodes: Handler<'listDueDateQrCodes'> = (call) =>
  listCharges(call, 'DueDate')

export const listImmediateQrCodes: Handler<'listImmediateQrCodes'> = (call) =>
  listCharges(call, 'Immediate')
