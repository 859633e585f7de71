import { encode } from '@partner-payments/brcode'
import type { Caller } from '../auth/tokens.ts'
import type { Context } from '../context.ts'
import type { Schemas } from '../contract.ts'
import { type Account, accountOf } from '../ledger/accounts.ts'
import { notFound, Refusal, refuse } from '../problems.ts'
import { uuid } from '../random.ts'
import type { Queries } from '../store/store.ts'
import { pngOf } from './image.ts'
import type { ChargeRow, DueDateCharge, ImmediateCharge } from './record.ts'

/** The base of charge URLs. The host is reserved, so it belongs to nobody (RFC 2606, section 3). */
const LOCATION = 'pix.example.com/qr/v2'
const PATHS = { DueDate: 'cobv', Immediate: 'cob' } as const
/** The merchant city in all codes. */
const CITY = 'BRASILIA'

export interface NewCharge {
  readonly kind: 'DueDate' | 'Immediate'
  readonly dict_key: string
  readonly tx_id: string
  readonly charge: DueDateCharge | ImmediateCharge
}

/**
 * Creates a dynamic QR code for the caller's account.
 *
 * @throws {Refusal} `tx_id_taken`, `invalid_charge`
 */
export function createCharge(context: Context, caller: Caller, made: NewCharge): Promise<ChargeRow> {
  const url = `${LOCATION}/${PATHS[made.kind]}/${uuid(context.random).replaceAll('-', '')}`
  return context.store.write(async (queries) => {
    const account = await receiverOf(queries, caller, made.dict_key)
    return addCharge(queries, context, { ...made, caller, account, url, id: uuid(context.random) })
  })
}

/** The caller's account, which must own the key. */
export async function receiverOf(queries: Queries, caller: Caller, dict_key: string): Promise<Account> {
  const sql = 'SELECT account_id FROM keys WHERE dict_key = ?'
  const key = await queries.get<{ account_id: string }>(sql, [dict_key])
  if (key?.account_id !== caller.account_id) refuse('invalid_charge', '/dict_key', NOT_OURS)
  return (await accountOf(queries, caller.account_id)) ?? notFound()
}

const NOT_OURS = '"dict_key" must be a key of the account that receives.'

interface Placed extends NewCharge {
  readonly id: string
  readonly caller: Caller
  readonly account: Account
  readonly url: string
}

/** Adds a charge with its own URL, in the transaction of `queries`. */
export async function addCharge(
  queries: Queries,
  { now }: Pick<Context, 'now'>,
  it: Placed,
): Promise<ChargeRow> {
  const { id, caller, account, kind, tx_id, dict_key, url, charge } = it
  const emv = encode({ ...merchantOf(account), pointOfInitiation: '12', location: url }, { fit: true })
  const row = await queries.get<ChargeRow>(INSERT, [
    id,
    caller.partner_id,
    account.id,
    kind,
    tx_id,
    'ATIVA',
    dict_key,
    emv,
    url,
    pngOf(emv),
    JSON.stringify(charge),
    charge.payer?.tax_id ?? '',
    now(),
    now(),
  ])
  return row ?? refuse('tx_id_taken', '/tx_id', '"tx_id" must be new.')
}

export const INSERT = `
  INSERT INTO qrcodes (id, partner_id, account_id, kind, tx_id, status, dict_key, emv, url, qrcode_image, charge,
    payer_tax_id, created_at, updated_at)
  VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
  ON CONFLICT (partner_id, tx_id) DO NOTHING RETURNING *`

/** The merchant name in the code. */
export function merchantOf({ name, trade_name }: Pick<Account, 'name' | 'trade_name'>) {
  return { merchantName: trade_name || name, merchantCity: CITY }
}

type InfoInput = Schemas['AdditionalInfoInput']

/** The additional infos as the response shows them, with both fields of each pair. */
export function infosOf(infos: readonly InfoInput[] = []): Schemas['AdditionalInfo'][] {
  return infos.map(({ name = '', value = '' }) => ({ name, value }))
}

/** Refuses a charge that breaks rules, and lists all of them. */
export function refuseFaults(faults: readonly { pointer: string; code: string; detail: string }[]): void {
  const [first] = faults
  if (!first) return
  const code = first.code === 'field_missing' ? 'field_missing' : 'invalid_charge'
  throw new Refusal(code, { errors: faults })
}
