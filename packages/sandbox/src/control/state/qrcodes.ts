import type { Queries } from '../../store/store.ts'
import { timestamp } from '../../time.ts'

type QrCodeRow = {
  readonly id: string
  readonly kind: string
  readonly status: string
  readonly tx_id: string
  readonly dict_key: string
  readonly emv: string
  readonly qrcode_image: string
  readonly charge: string
  readonly created_at: bigint
}

/**
 * The last QR codes of all three kinds, newest first. `amount` is the original amount, without fines or other
 * adjustments.
 */
export async function qrCodesOf(queries: Queries) {
  const rows = await queries.all<QrCodeRow>(LAST)
  return rows.map(({ charge, created_at, ...qrcode }) => ({
    ...qrcode,
    amount: amountOf(charge),
    created_at: timestamp(created_at),
  }))
}

/** The amount of a dynamic charge is nested one level deeper than that of a static one. */
function amountOf(charge: string): string {
  const { amount }: { amount: string | { original: string } } = JSON.parse(charge)
  return typeof amount === 'string' ? amount : amount.original
}

const LAST = `
  SELECT id, kind, status, tx_id, dict_key, emv, qrcode_image, charge, created_at
  FROM qrcodes ORDER BY position DESC LIMIT 50`
