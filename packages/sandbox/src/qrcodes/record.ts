import type { Context } from '../context.ts'
import type { Schemas } from '../contract.ts'
import { emit } from '../deliveries/emit.ts'
import { parseCentavos } from '../money/centavos.ts'
import type { Queries } from '../store/store.ts'
import { laterOf, timestamp } from '../time.ts'

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
}

/** A charge, as its creator requested it. */
export type Charge<K extends Kind> = Pick<
  QrCode<K>,
  'amount' | 'calendar' | 'payer' | 'message' | 'additional_infos'
>

export function chargeByUrl(queries: Queries, url: string): Promise<ChargeRow | undefined> {
  return queries.get<ChargeRow>('SELECT * FROM qrcodes WHERE url = ?', [url])
}

export function chargeOf<K extends Kind>(row: ChargeRow): Charge<K> {
  return JSON.parse(row.charge)
}

/** The amount and the expiration of an immediate charge. */
export function immediateOf(row: ChargeRow): { centavos: bigint; lapsesAt: number } {
  const { amount, calendar } = chargeOf<'Immediate'>(row)
  return {
    centavos: parseCentavos(amount.original),
    lapsesAt: Math.min(Number(row.created_at) + calendar.expiration * 1000, END_OF_TIME),
  }
}

/** RFC 3339 allows years of four digits only. */
const END_OF_TIME = Date.parse('9999-12-31T23:59:59Z')

/** A dynamic QR code, as the contract shows it. */
export function recordOf<K extends Kind>(row: ChargeRow): QrCode<K> {
  const { id, tx_id, kind, status, dict_key, emv, url, qrcode_image } = row
  const record = {
    id,
    tx_id,
    kind,
    status,
    dict_key,
    emv,
    url,
    qrcode_image,
    ...chargeOf(row),
    revision: Number(row.revision),
    created_at: timestamp(row.created_at),
    updated_at: timestamp(row.updated_at),
  }
  // The column `kind` tells which of the two types it is; only the caller knows which was
  // requested.
  return record as unknown as QrCode<K>
}

/**
 * Marks a charge as paid and emits its event, in the transaction of `queries` that moves the money.
 */
export async function markPaid(
  queries: Queries,
  context: Pick<Context, 'now' | 'random'>,
  id: string,
): Promise<void> {
  const at = context.now()
  const row = await queries.get<ChargeRow>(PAY, [at, at, id])
  if (!row) throw new Error('a charge that is no longer open cannot be paid')
  await emit(queries, context, 'qrcode.paid', { ...row, data: recordOf(row) })
}

const PAY = `
  UPDATE qrcodes SET status = 'CONCLUIDA', revision = revision + 1, updated_at = ${laterOf('updated_at')}
  WHERE id = ? AND status = 'ATIVA' RETURNING *`
