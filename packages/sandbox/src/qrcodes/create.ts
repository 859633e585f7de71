import { BrCodeError, encode } from '@partner-payments/brcode'
import type { Caller } from '../auth/tokens.ts'
import { CHARGE_DEFAULTS } from '../behaviour.ts'
import type { Context } from '../context.ts'
import type { BodyOf } from '../contract.ts'
import type { Call, Handler } from '../handler.ts'
import { type Account, accountOf } from '../ledger/accounts.ts'
import { parseCentavos } from '../money/centavos.ts'
import { dayOf } from '../money/days.ts'
import { chargeFaults, immediateFaults } from '../money/rules.ts'
import { notFound, Refusal, refuse } from '../problems.ts'
import { alphanumeric, uuid } from '../random.ts'
import { insertion, type Queries, type Row } from '../store/store.ts'
import { timestamp } from '../time.ts'
import { pngOf } from './image.ts'
import { type Charge, type ChargeRow, type Kind, type QrCode, recordOf } from './record.ts'

/** The base of charge URLs. The host is reserved, so it belongs to nobody (RFC 2606, section 3). */
export const LOCATION = 'pix.example.com/qr/v2'
const PATHS = { DueDate: 'cobv', Immediate: 'cob' } as const

/** Creates a dynamic QR code for the caller's account. */
async function createCharge<K extends Kind>(
  { body: { dict_key, tx_id }, caller, context }: Creating,
  kind: K,
  charge: NewCharge['charge'],
): Promise<QrCode<K>> {
  const { random, store } = context
  const url = `${LOCATION}/${PATHS[kind]}/${uuid(random).replaceAll('-', '')}`
  const row = await store.write(async (queries) => {
    const account = await receiverOf(queries, caller, dict_key)
    const names = { id: uuid(random), partner_id: caller.partner_id, kind, tx_id, dict_key, url }
    return addCharge(queries, context, { ...names, account, charge })
  })
  return recordOf<K>(row)
}

type Creating = Pick<
  Call<'createDueDateQrCode' | 'createImmediateQrCode'>,
  'body' | 'caller' | 'context'
>

/** The caller's account, which must own the key. */
async function receiverOf(queries: Queries, caller: Caller, dict_key: string): Promise<Account> {
  const sql = 'SELECT account_id FROM keys WHERE dict_key = ?'
  const key = await queries.get<{ account_id: string }>(sql, [dict_key])
  if (key?.account_id !== caller.account_id) refuse('invalid_charge', '/dict_key', NOT_OURS)
  return (await accountOf(queries, caller.account_id)) ?? notFound()
}

const NOT_OURS = '"dict_key" must be a key of the account that receives.'

interface NewCharge
  extends Pick<ChargeRow, 'id' | 'partner_id' | 'kind' | 'dict_key' | 'tx_id' | 'url'> {
  readonly account: Account
  readonly charge: Charge<'DueDate'> | Charge<'Immediate'>
}

/** Adds a charge with its own URL, in the transaction of `queries`. */
export async function addCharge(
  queries: Queries,
  { now }: Pick<Context, 'now'>,
  it: NewCharge,
): Promise<ChargeRow> {
  const { account, charge, ...known } = it
  const location = known.url
  const emv = encode({ ...merchantOf(account), pointOfInitiation: '12', location }, { fit: true })
  const payer_tax_id = charge.payer?.tax_id ?? ''
  const row = {
    ...known,
    account_id: account.id,
    emv,
    payer_tax_id,
    charge: JSON.stringify(charge),
  }
  const added = await queries.get<ChargeRow>(...insertionOf(row, now()))
  return added ?? refuse('tx_id_taken', '/tx_id', '"tx_id" must be new.')
}

/** Inserts an open QR code, with its image. */
function insertionOf(row: Row & { readonly emv: string }, at: number) {
  const more = { status: 'ATIVA', qrcode_image: pngOf(row.emv), created_at: at, updated_at: at }
  const rest = 'ON CONFLICT (partner_id, tx_id) DO NOTHING RETURNING *'
  return insertion('qrcodes', { ...row, ...more }, rest)
}

function merchantOf({ name, trade_name }: Pick<Account, 'name' | 'trade_name'>) {
  return { merchantName: trade_name || name, merchantCity: 'BRASILIA' }
}

/**
 * What both kinds of charges have, as the response shows it: with both fields of each additional
 * info.
 */
function detailsOf(body: BodyOf<'createDueDateQrCode' | 'createImmediateQrCode'>) {
  const { payer = null, message = null, additional_infos = [] } = body
  const infos = additional_infos.map(({ name = '', value = '' }) => ({ name, value }))
  return { payer, message, additional_infos: infos }
}

/** Refuses a charge that breaks rules, and lists all of them. */
function refuseFaults(faults: readonly { pointer: string; code: string; detail: string }[]): void {
  const [first] = faults
  if (!first) return
  const code = first.code === 'field_missing' ? 'field_missing' : 'invalid_charge'
  throw new Refusal(code, { errors: faults })
}

/** Creates a due-date QR code. */
export const createDueDateQrCode: Handler<'createDueDateQrCode'> = async (call) => {
  refuseFaults(chargeFaults(call.body, dayOf(call.context.now())))
  return createCharge(call, 'DueDate', dueDateIn(call.body))
}

function dueDateIn(body: BodyOf<'createDueDateQrCode'>): Charge<'DueDate'> {
  const { due_date = '', expiration_days = CHARGE_DEFAULTS.expiration_days } = body.calendar ?? {}
  // The charge rules made sure that the fields required in the response are present.
  const amount = body.amount as Charge<'DueDate'>['amount']
  const { modality = '', fixedDateDiscount } = amount.discount ?? {}
  return {
    ...detailsOf(body),
    // A discount by date has its amounts with the dates.
    amount: fixedDateDiscount ? { ...amount, discount: { modality, fixedDateDiscount } } : amount,
    calendar: { due_date, expiration_days },
  }
}

/** Creates an immediate QR code. */
export const createImmediateQrCode: Handler<'createImmediateQrCode'> = async (call) => {
  refuseFaults(immediateFaults(call.body))
  return createCharge(call, 'Immediate', immediateIn(call.body))
}

function immediateIn(body: BodyOf<'createImmediateQrCode'>): Charge<'Immediate'> {
  const { expiration = CHARGE_DEFAULTS.expiration } = body.calendar ?? {}
  return {
    ...detailsOf(body),
    amount: { original: body.amount?.original ?? '' },
    calendar: { expiration },
  }
}

/** Creates a static QR code, which contains its amount, key and message. */
export const createStaticQrCode: Handler<'createStaticQrCode'> = ({ body, caller, context }) => {
  const { amount, dict_key, message = '' } = body
  if (parseCentavos(amount) === 0n)
    refuse('invalid_charge', '/amount', '"amount" must be more than 0.')
  const id = uuid(context.random)
  const tx_id = alphanumeric(context.random, 25)
  const at = context.now()
  return context.store.write(async (queries) => {
    const emv = emvOf(body, tx_id, await receiverOf(queries, caller, dict_key))
    const { partner_id, account_id } = caller
    const charge = JSON.stringify({ amount, message })
    const row = {
      id,
      partner_id,
      account_id,
      kind: 'Static',
      tx_id,
      dict_key,
      emv,
      payer_tax_id: '',
      charge,
    }
    const added = await queries.get<{ qrcode_image: string }>(...insertionOf(row, at))
    const { qrcode_image } = added ?? refuse('tx_id_taken', '/tx_id', '"tx_id" must be new.')
    return { amount, created_at: timestamp(at), dict_key, emv, id, message, qrcode_image, tx_id }
  })
}

function emvOf(
  { amount, dict_key, message }: BodyOf<'createStaticQrCode'>,
  txid: string,
  account: Account,
) {
  const fields = {
    ...merchantOf(account),
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
