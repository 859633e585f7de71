import { stepsOf } from '@partner-payments/contract'
import { PAGE_SIZE, readDeclaredFilters, readSortDirection } from '../behaviour.ts'
import type { Call, Handler } from '../handler.ts'
import { refuse } from '../problems.ts'
import { seal, unseal } from '../seal.ts'
import { bind, type Queries, type Store, type Value } from '../store/store.ts'
import { CHARGE_COLUMNS, type ChargeRow, type Kind, type QrCode, toQrCode } from './record.ts'

type Listing = Pick<Call<'listDueDateQrCodes'>, 'query' | 'caller' | 'context'>

const LISTS = { DueDate: 'listDueDateQrCodes', Immediate: 'listImmediateQrCodes' } as const

/**
 * A page of the caller's dynamic QR codes of one kind, in the declared order. The cursor of the
 * next page is the place of its last record, encrypted.
 */
async function listCharges<K extends Kind>(
  listing: Listing,
  kind: K,
): Promise<{ data: QrCode<K>[]; next_cursor: string | null }> {
  const { context, query } = listing
  const limit = query.limit === undefined ? PAGE_SIZE : Number(query.limit)
  const filter = readFilter(listing, kind)
  // Read one more than the page holds, to see whether there is a next page.
  const rows = await context.store.read((queries) =>
    findCharges(queries, context.store, filter, limit + 1),
  )
  const page = rows.slice(0, limit)
  const data = page.map((row) => toQrCode<K>(row))

  const lastRow = page.at(-1)
  const hasNext = rows.length > limit
  if (!hasNext || !lastRow) return { data, next_cursor: null }
  const place: Place = {
    position: Number(lastRow.position),
    kind,
    account_id: filter.account_id,
  }
  return { data, next_cursor: seal(context, CURSOR_PREFIX, place) }
}

/** Which QR codes the query of a list selects. Without a cursor, the list starts at its beginning. */
function readFilter(listing: Listing, kind: Kind): Filter {
  const { caller, query } = listing
  const { account_id } = caller
  const equal = readEqualFields(query, kind)
  if (query.cursor === undefined) return { account_id, kind, equal, after: undefined }
  return { account_id, kind, equal, after: readCursor(query.cursor, kind, listing) }
}

interface Filter {
  readonly account_id: string
  readonly kind: Kind
  /** The position where the page before ended. */
  readonly after: number | undefined
  /** The values that fields of a record have, by their pointers. */
  readonly equal: Readonly<Record<string, string>>
}

/**
 * The filters of a list that the query has, as JSON pointers and the values that these fields must
 * have: `{ status: 'ATIVA' }` → `{ '/status': 'ATIVA' }`.
 */
function readEqualFields(query: Listing['query'], kind: Kind): Filter['equal'] {
  const filters: Record<string, string> = {}
  const sent: Readonly<Record<string, string | undefined>> = query
  for (const [name, pointer] of Object.entries(readDeclaredFilters(LISTS[kind]))) {
    const value = sent[name]
    if (value !== undefined) filters[pointer] = value
  }
  return filters
}

/**
 * Reads the QR codes of an account that match the filter, in the declared order.
 *
 * @param filter `after` is the place of the last record of the page before; `equal` has the values
 *   of fields by JSON pointer
 */
function findCharges(
  queries: Queries,
  store: Pick<Store, 'backend'>,
  { account_id, kind, after, equal }: Filter,
  limit: number,
): Promise<ChargeRow[]> {
  const direction = readSortDirection(LISTS[kind])
  const comparison = direction === 'DESC' ? '<' : '>'
  const conditions = ['account_id = :account_id', 'kind = :kind']
  const values: Record<string, Value> = { account_id, kind }
  if (after !== undefined) {
    conditions.push(`${PLACE} ${comparison} :after`)
    values.after = after
  }
  for (const [pointer, value] of Object.entries(equal)) {
    const parameter = `equal${conditions.length}`
    conditions.push(`${columnExpression(pointer, store)} = :${parameter}`)
    values[parameter] = value
  }
  const sql = `
    SELECT ${CHARGE_COLUMNS} FROM qrcodes
    WHERE ${conditions.join(' AND ')}
    ORDER BY ${PLACE} ${direction} LIMIT ${limit}`
  return queries.all<ChargeRow>(...bind(sql, values))
}

/** The columns that hold fields of a record. All others are within the JSON of the charge. */
const COLUMNS: Readonly<Record<string, string>> = {
  '/id': 'id',
  '/tx_id': 'tx_id',
  '/status': 'status',
  '/dict_key': 'dict_key',
  '/emv': 'emv',
  '/url': 'url',
  '/payer/tax_id': 'payer_tax_id',
}

/**
 * The SQL expression for the text of a field of a QR code: a column, such as `tx_id` for `/tx_id`,
 * or a place in the JSON of the charge, such as `json_extract(charge, '$.calendar.due_date')`. The
 * pointer is from the contract, never from a request.
 */
function columnExpression(pointer: string, { backend }: Pick<Store, 'backend'>): string {
  const column = COLUMNS[pointer]
  if (column !== undefined) return column

  const steps = stepsOf(pointer)
  if (backend === 'postgres') return `charge::jsonb #>> '{${steps.join(',')}}'`
  return `json_extract(charge, '$.${steps.join('.')}')`
}

/**
 * Uses the expression of the filters' indexes. By `position` alone, PostgreSQL would scan the
 * newest rows for a rare status.
 */
const PLACE = 'position + 0'

const CURSOR_PREFIX = 'c_'

/** The content of a cursor: where a page of a list ended. */
type Place = {
  readonly position: number
  readonly kind: Kind
  readonly account_id: string
}

/** Where a page ended, from its cursor. Refuses a cursor of another list, or of nobody. */
function readCursor(cursor: string, kind: Kind, { caller, context }: Listing): number {
  const place = unseal<Place>(context, CURSOR_PREFIX, cursor)
  const isOfThisList = place?.kind === kind && place.account_id === caller.account_id
  if (!isOfThisList) refuse('invalid_request', 'cursor', EXPECTED_CURSOR)
  return place.position
}

const EXPECTED_CURSOR = '"cursor" must be the next_cursor of a page of this list.'

export const listDueDateQrCodes: Handler<'listDueDateQrCodes'> = (call) =>
  listCharges(call, 'DueDate')

export const listImmediateQrCodes: Handler<'listImmediateQrCodes'> = (call) =>
  listCharges(call, 'Immediate')
