import type { Call, Handler } from '../handler.ts'
import { refuse } from '../problems.ts'
import { seal, unseal } from '../seal.ts'
import { bind, type Queries, type Value } from '../store/store.ts'
import { CHARGE_COLUMNS, type ChargeRow, type Kind, type QrCode, recordOf } from './record.ts'

/** Items of a page, if the request names no limit. */
const DEFAULT_LIMIT = 20

type Listing = Pick<Call<'listDueDateQrCodes'>, 'query' | 'caller' | 'context'>

/** A page of the caller's dynamic QR codes of one kind, newest first. */
async function listCharges<K extends Kind>(
  listing: Listing,
  kind: K,
): Promise<{ data: QrCode<K>[]; next_cursor: string | null }> {
  const { context, caller, query } = listing
  const { account_id } = caller
  const limit = query.limit === undefined ? DEFAULT_LIMIT : Number(query.limit)
  const before = query.cursor === undefined ? undefined : positionOf(query.cursor, kind, listing)
  const filter: Filter = { account_id, kind, before, status: query.status, tax_id: query.tax_id }

  // Read one more than the page holds, to see whether there is a next page.
  const rows = await context.store.read((queries) => chargesOf(queries, filter, limit + 1))
  const page = rows.slice(0, limit)
  const data = page.map((row) => recordOf<K>(row))

  const last = page.at(-1)
  const hasNext = rows.length > limit
  if (!hasNext || !last) return { data, next_cursor: null }
  const place: Place = { position: Number(last.position), kind, account_id }
  return { data, next_cursor: seal(context, PREFIX, place) }
}

interface Filter {
  readonly account_id: string
  readonly kind: Kind
  /** The position where the page before ended. */
  readonly before: number | undefined
  readonly status: string | undefined
  /** Of the payer. */
  readonly tax_id: string | undefined
}

/** The newest QR codes that match the filter, newest first. */
function chargesOf(
  queries: Queries,
  { account_id, kind, before, status, tax_id }: Filter,
  limit: number,
): Promise<ChargeRow[]> {
  const conditions = ['account_id = :account_id', 'kind = :kind']
  const values: Record<string, Value> = { account_id, kind }
  if (before !== undefined) {
    conditions.push(`${PLACE} < :before`)
    values.before = before
  }
  if (status !== undefined) {
    conditions.push('status = :status')
    values.status = status
  }
  if (tax_id !== undefined) {
    conditions.push('payer_tax_id = :tax_id')
    values.tax_id = tax_id
  }
  const sql = `
    SELECT ${CHARGE_COLUMNS} FROM qrcodes
    WHERE ${conditions.join(' AND ')}
    ORDER BY ${PLACE} DESC LIMIT ${limit}`
  return queries.all<ChargeRow>(...bind(sql, values))
}

/**
 * Uses the expression of the filters' indexes. By `position` alone, PostgreSQL would scan the
 * newest rows for a rare status.
 */
const PLACE = 'position + 0'

const PREFIX = 'c_'

/** The content of a cursor: where a page of a list ended. */
type Place = {
  readonly position: number
  readonly kind: Kind
  readonly account_id: string
}

/** Where a page ended. A cursor works only in the list that it comes from. */
function positionOf(cursor: string, kind: Kind, { caller, context }: Listing): number {
  const place = unseal<Place>(context, PREFIX, cursor)
  const isOfThisList = place?.kind === kind && place.account_id === caller.account_id
  if (!isOfThisList) refuse('invalid_request', 'cursor', EXPECTED)
  return place.position
}

const EXPECTED = '"cursor" must be the next_cursor of a page of this list.'

export const listDueDateQrCodes: Handler<'listDueDateQrCodes'> = (call) =>
  listCharges(call, 'DueDate')

export const listImmediateQrCodes: Handler<'listImmediateQrCodes'> = (call) =>
  listCharges(call, 'Immediate')
