import { BrCodeError, encode } from '@partner-payments/brcode'
import type { Caller } from '../auth/tokens.ts'
import { chargeDefaults } from '../behaviour.ts'
import type { Context } from '../context.ts'
import type { BodyOf } from '../contract.ts'
import type { Call, Handler } from '../handler.ts'
import { type Account, findAccount } from '../ledger/accounts.ts'
import { parseCentavos } from '../money/centavos.ts'
import { dayOf } from '../money/days.ts'
import { findChargeErrors, findImmediateErrors } from '../money/rules.ts'
import { notFound, Refusal, refuse } from '../problems.ts'
import { alphanumeric, uuid } from '../random.ts'
import { insertStatement, type Queries } from '../store/store.ts'
import { timestamp } from '../time.ts'
import { encodePng } from './image.ts'
import {
  CHARGE_COLUMNS,
  type Charge,
  type ChargeRow,
  type Kind,
  type QrCode,
  toQrCode,
} from './record.ts'

/** The base of charge URLs. The host is reserved, so it belongs to nobody (RFC 2606, section 3). */
export const LOCATION = 'pix.example.com/qr/v2'
const PATHS = { DueDate: 'cobv', Immediate: 'cob' } as const

/**
 * Creates a dynamic QR code for the caller's account: stores the charge under a URL that nobody can
 * guess, and returns the code that leads there.
 */
async function createCharge<K extends Kind>(
  { body: { dict_key, tx_id }, caller, writeWithToken, context }: Creating,
  kind: K,
  charge: NewCharge['charge'],
): Promise<QrCode<K>> {
  const { random } = context
  const token = uuid(random).replaceAll('-', '')
  const row = await writeWithToken(async (queries) => {
    const account = await requireReceiver(queries, caller, dict_key)
    return addCharge(queries, context, {
      id: uuid(random),
      partner_id: caller.partner_id,
      kind,
      tx_id,
      dict_key,
      url: `${LOCATION}/${PATHS[kind]}/${token}`,
      account,
      charge,
    })
  })
  return toQrCode<K>(row)
}

type Creating = Pick<
  Call<'createDueDateQrCode' | 'createImmediateQrCode'>,
  'body' | 'caller' | 'writeWithToken' | 'context'
>

/**
 * Returns the caller's account, which must own the Pix key of a new charge.
 *
 * @throws {Refusal} if the key belongs to another account, or to none
 */
async function requireReceiver(
  queries: Queries,
  caller: Caller,
  dict_key: string,
): Promise<Account> {
  const sql = 'SELECT account_id FROM keys WHERE dict_key = ?'
  const key = await queries.get<{ account_id: string }>(sql, [dict_key])
  if (key?.account_id !== caller.account_id) refuse('invalid_charge', '/dict_key', KEY_IS_NOT_OURS)
  return (await findAccount(queries, caller.account_id)) ?? notFound()
}

const KEY_IS_NOT_OURS = '"dict_key" must be a key of the account that receives.'

interface NewCharge
  extends Pick<ChargeRow, 'id' | 'partner_id' | 'kind' | 'dict_key' | 'tx_id' | 'url'> {
  readonly account: Account
  readonly charge: Charge<'DueDate'> | Charge<'Immediate'>
}

/**
 * Stores a charge with its URL, and the code with that URL, in the transaction of `queries`.
 * Returns its row.
 */
export async function addCharge(
  queries: Queries,
  { now }: Pick<Context, 'now'>,
  newCharge: NewCharge,
): Promise<ChargeRow> {
  const { id, partner_id, kind, tx_id, dict_key, url, account, charge } = newCharge
  // 12 marks a code for a single payment.
  const fields = { ...chooseMerchant(account), pointOfInitiation: '12', location: url } as const
  const code = {
    id,
    partner_id,
    account_id: account.id,
    kind,
    tx_id,
    dict_key,
    emv: encode(fields, { fit: true }),
    url,
    charge: JSON.stringify(charge),
    payer_tax_id: charge.payer?.tax_id ?? '',
  }
  return insertOpenCode(queries, code, now())
}

/** A QR code without what {@link insertOpenCode} adds. */
interface NewCode {
  readonly id: string
  readonly partner_id: string
  readonly account_id: string
  readonly kind: Kind | 'Static'
  readonly tx_id: string
  readonly dict_key: string
  readonly emv: string
  /** Null for a static code. */
  readonly url: string | null
  /** JSON. */
  readonly charge: string
  readonly payer_tax_id: string
}

/**
 * Stores an open QR code with its image, and returns its row. Refuses it if the partner has used
 * its `tx_id` before.
 */
async function insertOpenCode(queries: Queries, code: NewCode, at: number): Promise<ChargeRow> {
  const row = {
    ...code,
    status: 'ATIVA',
    qrcode_image: encodePng(code.emv),
    created_at: at,
    updated_at: at,
  }
  const unlessTaken = `ON CONFLICT (partner_id, tx_id) DO NOTHING RETURNING ${CHARGE_COLUMNS}`
  const inserted = await queries.get<ChargeRow>(...insertStatement('qrcodes', row, unlessTaken))
  return inserted ?? refuse('tx_id_taken', '/tx_id', '"tx_id" must be new.')
}

function chooseMerchant({ name, trade_name }: Pick<Account, 'name' | 'trade_name'>) {
  return { merchantName: trade_name || name, merchantCity: 'BRASILIA' }
}

/**
 * What both kinds of charges have, as the response shows it: with both fields of each additional
 * info.
 */
function readDetails(body: BodyOf<'createDueDateQrCode' | 'createImmediateQrCode'>) {
  const { payer = null, message = null, additional_infos = [] } = body
  const infos = additional_infos.map(({ name = '', value = '' }) => ({ name, value }))
  return { payer, message, additional_infos: infos }
}

/**
 * Throws one refusal with all errors of a charge, if there are any. A missing field gives the
 * refusal its code.
 */
function requireNoErrors(
  errors: readonly { pointer: string; code: string; detail: string }[],
): void {
  const [first] = errors
  if (!first) return
  const code = first.code === 'field_missing' ? 'field_missing' : 'invalid_charge'
  throw new Refusal(code, { errors })
}

/** Creates a due-date QR code. */
export const createDueDateQrCode: Handler<'createDueDateQrCode'> = async (call) => {
  requireNoErrors(findChargeErrors(call.body, dayOf(call.context.now())))
  return createCharge(call, 'DueDate', toDueDateCharge(call.body))
}

/**
 * The charge with a due date to store for a request, with the defaults that the contract declares.
 */
function toDueDateCharge(body: BodyOf<'createDueDateQrCode'>): Charge<'DueDate'> {
  const { due_date, expiration_days = chargeDefaults().expiration_days } = body.calendar ?? {}
  return {
    ...readDetails(body),
    // The charge rules made sure that the fields required in the response are present.
    amount: body.amount as Charge<'DueDate'>['amount'],
    calendar: { due_date: due_date as string, expiration_days },
  }
}

/** Creates an immediate QR code. */
export const createImmediateQrCode: Handler<'createImmediateQrCode'> = async (call) => {
  requireNoErrors(findImmediateErrors(call.body))
  return createCharge(call, 'Immediate', toImmediateCharge(call.body))
}

/**
 * The charge without a due date to store for a request, with the defaults that the contract
 * declares. It can be paid for `expiration` seconds.
 */
function toImmediateCharge(body: BodyOf<'createImmediateQrCode'>): Charge<'Immediate'> {
  const { expiration = chargeDefaults().expiration } = body.calendar ?? {}
  // The charge rules made sure that it is present.
  const { original } = body.amount as Charge<'Immediate'>['amount']
  return {
    ...readDetails(body),
    amount: { original },
    calendar: { expiration },
  }
}

/** Creates a static QR code, which contains its amount, key and message. */
export const createStaticQrCode: Handler<'createStaticQrCode'> = ({
  body,
  caller,
  writeWithToken,
  context,
}) => {
  const { amount, dict_key, message = '' } = body
  if (parseCentavos(amount) === 0n) {
    refuse('invalid_charge', '/amount', '"amount" must be more than 0.')
  }

  const id = uuid(context.random)
  const tx_id = alphanumeric(context.random, 25)
  const at = context.now()
  return writeWithToken(async (queries) => {
    const account = await requireReceiver(queries, caller, dict_key)
    const emv = encodeStatic(body, tx_id, account)
    const code: NewCode = {
      id,
      partner_id: caller.partner_id,
      account_id: caller.account_id,
      kind: 'Static',
      tx_id,
      dict_key,
      emv,
      url: null,
      charge: JSON.stringify({ amount, message }),
      payer_tax_id: '',
    }
    const { qrcode_image } = await insertOpenCode(queries, code, at)
    return {
      amount,
      created_at: timestamp(at),
      dict_key,
      emv,
      id,
      message,
      qrcode_image,
      tx_id,
    }
  })
}

/**
 * The text of a static code, which has key, amount and message in itself. Refuses a message that
 * makes it too long.
 */
function encodeStatic(
  { amount, dict_key, message }: BodyOf<'createStaticQrCode'>,
  txid: string,
  account: Account,
) {
  const fields = {
    ...chooseMerchant(account),
    key: dict_key,
    amount,
    txid,
    message: message || undefined,
  }
  try {
    return encode(fields, { fit: true })
  } catch (error) {
    if (error instanceof BrCodeError)
      refuse('invalid_charge', '/message', `The code must be ${error.expected}.`)
    throw error
  }
}
