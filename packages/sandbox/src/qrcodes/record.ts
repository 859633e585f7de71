import { eventsByChange } from '../behaviour.ts'
import type { Context } from '../context.ts'
import type { Schemas } from '../contract.ts'
import { emit } from '../deliveries/emit.ts'
import { parseCentavos } from '../money/centavos.ts'
import { bind, type Queries } from '../store/store.ts'
import { laterExpression, timestamp } from '../time.ts'

export type Kind = Schemas['DynamicQrCode']['kind']
/** A dynamic QR code of one kind, as the contract shows it. */
export type QrCode<K extends Kind> = Extract<Schemas['DynamicQrCode'], { kind: K }>

/** A dynamic QR code in the store; `charge` is JSON. */
export type ChargeRow = Pick<
  QrCode<Kind>,
  'id' | 'tx_id' | 'kind' | 'status' | 'dict_key' | 'emv' | 'url'
> & {
  readonly position: bigint
  readonly partner_id: string
  readonly account_id: string
  readonly qrcode_image: string
  readonly charge: string
  /** The transfer that pays it, or is in progress. */
  readonly transfer_id: string | null
  readonly revision: bigint
  readonly created_at: bigint
  readonly updated_at: bigint
  /** JSON, as the contract shows it; null until it is paid. */
  readonly payment: string | null
  /** 1 if the payer may pay another amount, else 0. */
  readonly allow_value_change: bigint
}

/** The columns of a {@link ChargeRow}. */
export const CHARGE_COLUMNS = `
  position, id, partner_id, account_id, kind, tx_id, status, dict_key, emv, url, qrcode_image,
  charge, transfer_id, revision, created_at, updated_at, payment, allow_value_change`

/**
 * Selects a QR code, of any kind, and locks its row: no transfer can claim it, and nobody can cancel
 * it, before the transaction ends. Changes nothing.
 */
export const SELECT_AND_LOCK = `UPDATE qrcodes SET revision = revision WHERE id = ? RETURNING ${CHARGE_COLUMNS}`

/** A charge, as its creator requested it. */
export type Charge<K extends Kind> = Pick<
  QrCode<K>,
  'amount' | 'calendar' | 'payer' | 'message' | 'additional_infos'
>

export function chargeByUrl(queries: Queries, url: string): Promise<ChargeRow | undefined> {
  return queries.get<ChargeRow>(CHARGE_BY_URL, [url])
}

const CHARGE_BY_URL = `SELECT ${CHARGE_COLUMNS} FROM qrcodes WHERE url = ?`

export function chargeById(queries: Queries, id: string): Promise<ChargeRow | undefined> {
  return queries.get<ChargeRow>(CHARGE_BY_ID, [id])
}

const CHARGE_BY_ID = `SELECT ${CHARGE_COLUMNS} FROM qrcodes WHERE id = ?`

export function parseCharge<K extends Kind>(row: ChargeRow): Charge<K> {
  return JSON.parse(row.charge)
}

/**
 * The amount of an immediate charge in centavos, and until when it can be paid (`lapsesAt`), in
 * milliseconds since 1970.
 */
export function readImmediate(row: ChargeRow): { centavos: bigint; lapsesAt: number } {
  const { amount, calendar } = parseCharge<'Immediate'>(row)
  const lifetimeMs = calendar.expiration * 1000
  const lapsesAt = Math.min(Number(row.created_at) + lifetimeMs, END_OF_TIME)
  return { centavos: parseCentavos(amount.original), lapsesAt }
}

/** RFC 3339 allows years of four digits only. */
const END_OF_TIME = Date.parse('9999-12-31T23:59:59Z')

/** A dynamic QR code, as the contract shows it. */
export function toQrCode<K extends Kind>(row: ChargeRow): QrCode<K> {
  const record = {
    id: row.id,
    tx_id: row.tx_id,
    kind: row.kind,
    status: row.status,
    dict_key: row.dict_key,
    emv: row.emv,
    url: row.url,
    qrcode_image: row.qrcode_image,
    ...parseCharge(row),
    payment: parsePayment(row),
    revision: Number(row.revision),
    created_at: timestamp(row.created_at),
    updated_at: timestamp(row.updated_at),
  }
  // The column `kind` tells which of the two types it is; only the caller knows which was
  // requested.
  return record as unknown as QrCode<K>
}

/** How a charge was paid; null until it is. */
export function parsePayment({ payment }: Pick<ChargeRow, 'payment'>): Schemas['Payment'] | null {
  return payment === null ? null : JSON.parse(payment)
}

/**
 * Marks a charge as paid and emits its event, in the transaction of `queries` that moves the money.
 *
 * @param id that of the charge
 * @throws {Error} if it is no longer open
 */
export async function markPaid(
  queries: Queries,
  context: Pick<Context, 'now' | 'random'>,
  id: string,
  payment: Schemas['Payment'],
): Promise<void> {
  const paid = { id, at: context.now(), payment: JSON.stringify(payment) }
  const row = await queries.get<ChargeRow>(...bind(MARK_PAID_IF_OPEN, paid))
  if (!row) throw new Error('a charge that is no longer open cannot be paid')
  const { partner_id } = row
  await emit(queries, context, eventsByChange().paid, { partner_id, id, data: toQrCode(row) })
}

/** Returns no row if the charge is not open. */
const MARK_PAID_IF_OPEN = `
  UPDATE qrcodes
  SET status = 'CONCLUIDA', payment = :payment, revision = revision + 1,
    updated_at = ${laterExpression('updated_at', ':at')}
  WHERE id = :id AND status = 'ATIVA'
  RETURNING ${CHARGE_COLUMNS}`
