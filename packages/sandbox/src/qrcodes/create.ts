import { BrCodeError, encode } from '@partner-payments/brcode'
import type { Caller } from '../auth/tokens.ts'
import { CHARGE_DEFAULTS } from '../behaviour.ts'
import type { Context } from '../context.ts'
import type { BodyOf, Schemas } from '../contract.ts'
import type { Handler } from '../handler.ts'
import { type Account, accountOf } from '../ledger/accounts.ts'
import { parseCentavos } from '../money/centavos.ts'
import { dayOf } from '../money/days.ts'
import { chargeFaults, immediateFaults } from '../money/rules.ts'
import { notFound, Refusal, refuse } from '../problems.ts'
import { alphanumeric, uuid } from '../random.ts'
import type { Queries } from '../store/store.ts'
import { timestamp } from '../time.ts'
import { pngOf } from './image.ts'
import {
  type ChargeRow,
  type DueDateCharge,
  type DueDateQrCode,
  type ImmediateCharge,
  type ImmediateQrCode,
  recordOf,
} from './record.ts'

/** The base of charge URLs. The host is reserved, so it belongs to nobody (RFC 2606, section 3). */
const LOCATION = 'pix.example.com/qr/v2'
const PATHS = { DueDate: 'cobv', Immediate: 'cob' } as const
/** The merchant city in all codes. */
const CITY = 'BRASILIA'

interface NewCharge {
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
function createCharge(context: Context, caller: Caller, made: NewCharge): Promise<ChargeRow> {
  const url = `${LOCATION}/${PATHS[made.kind]}/${uuid(context.random).replaceAll('-', '')}`
  return context.store.write(async (queries) => {
    const account = await receiverOf(queries, caller, made.dict_key)
    return addCharge(queries, context, { ...made, caller, account, url, id: uuid(context.random) })
  })
}

/** The caller's account, which must own the key. */
async function receiverOf(queries: Queries, caller: Caller, dict_key: string): Promise<Account> {
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

const INSERT = `
  INSERT INTO qrcodes (id, partner_id, account_id, kind, tx_id, status, dict_key, emv, url, qrcode_image, charge,
    payer_tax_id, created_at, updated_at)
  VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
  ON CONFLICT (partner_id, tx_id) DO NOTHING RETURNING *`

/** The merchant name in the code. */
function merchantOf({ name, trade_name }: Pick<Account, 'name' | 'trade_name'>) {
  return { merchantName: trade_name || name, merchantCity: CITY }
}

type InfoInput = Schemas['AdditionalInfoInput']

/** The additional infos as the response shows them, with both fields of each pair. */
function infosOf(infos: readonly InfoInput[] = []): Schemas['AdditionalInfo'][] {
  return infos.map(({ name = '', value = '' }) => ({ name, value }))
}

/** Refuses a charge that breaks rules, and lists all of them. */
function refuseFaults(faults: readonly { pointer: string; code: string; detail: string }[]): void {
  const [first] = faults
  if (!first) return
  const code = first.code === 'field_missing' ? 'field_missing' : 'invalid_charge'
  throw new Refusal(code, { errors: faults })
}

/**
 * Creates a due-date QR code.
 *
 * @throws {Refusal} `field_missing`, `invalid_charge`, `tx_id_taken`
 */
export const createDueDateQrCode: Handler<'createDueDateQrCode'> = async ({ body, caller, context }) => {
  refuseFaults(chargeFaults(body, dayOf(context.now())))
  const { dict_key, tx_id } = body
  const charge = dueDateIn(body)
  const row = await createCharge(context, caller, { kind: 'DueDate', dict_key, tx_id, charge })
  return recordOf<DueDateQrCode>(row)
}

function dueDateIn(body: BodyOf<'createDueDateQrCode'>): DueDateCharge {
  const { amount, calendar, payer = null, message = null, additional_infos } = body
  const { due_date = '', expiration_days = CHARGE_DEFAULTS.expiration_days } = calendar ?? {}
  return {
    // The charge rules made sure that the fields required in the response are present.
    amount: amount as DueDateCharge['amount'],
    calendar: { due_date, expiration_days },
    payer,
    message,
    additional_infos: infosOf(additional_infos),
  }
}

/**
 * Creates an immediate QR code.
 *
 * @throws {Refusal} `field_missing`, `invalid_charge`, `tx_id_taken`
 */
export const createImmediateQrCode: Handler<'createImmediateQrCode'> = async ({ body, caller, context }) => {
  refuseFaults(immediateFaults(body))
  const { dict_key, tx_id } = body
  const charge = immediateIn(body)
  const row = await createCharge(context, caller, { kind: 'Immediate', dict_key, tx_id, charge })
  return recordOf<ImmediateQrCode>(row)
}

function immediateIn(body: BodyOf<'createImmediateQrCode'>): ImmediateCharge {
  const { amount, calendar, payer = null, message = null, additional_infos } = body
  return {
    amount: { original: amount?.original ?? '' },
    calendar: { expiration: calendar?.expiration ?? CHARGE_DEFAULTS.expiration },
    payer,
    message,
    additional_infos: infosOf(additional_infos),
  }
}

/**
 * Creates a static QR code, which contains its amount, key and message.
 *
 * @throws {Refusal} `invalid_charge`
 */
export const createStaticQrCode: Handler<'createStaticQrCode'> = ({ body, caller, context }) => {
  const { amount, dict_key, message = '' } = body
  if (parseCentavos(amount) === 0n) refuse('invalid_charge', '/amount', '"amount" must be more than 0.')
  const id = uuid(context.random)
  const tx_id = alphanumeric(context.random, 25)
  const at = context.now()
  return context.store.write(async (queries) => {
    const emv = emvOf(body, tx_id, await receiverOf(queries, caller, dict_key))
    const { partner_id, account_id } = caller
    const qrcode_image = pngOf(emv)
    const known = [id, partner_id, account_id, 'Static', tx_id, 'ATIVA', dict_key, emv, null, qrcode_image]
    await queries.run(INSERT, [...known, JSON.stringify({ amount, message }), '', at, at])
    return { amount, created_at: timestamp(at), dict_key, emv, id, message, qrcode_image, tx_id }
  })
}

function emvOf({ amount, dict_key, message }: BodyOf<'createStaticQrCode'>, txid: string, account: Account) {
  const fields = { ...merchantOf(account), key: dict_key, amount, txid, message: message || undefined }
  try {
    return encode(fields, { fit: true })
  } catch (error) {
    if (error instanceof BrCodeError)
      refuse('invalid_charge', '/message', `The code must be ${error.expected}.`)
    throw error
  }
}
