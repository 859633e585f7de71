import { eventsByChange } from '../behaviour.ts'
import { emit } from '../deliveries/emit.ts'
import type { Call, Handler } from '../handler.ts'
import { notFound, Refusal } from '../problems.ts'
import { bind, type Queries } from '../store/store.ts'
import { laterExpression } from '../time.ts'
import { CHARGE_COLUMNS, type ChargeRow, type Kind, type QrCode, toQrCode } from './record.ts'

type Cancelling = Pick<
  Call<'cancelDueDateQrCode'>,
  'path' | 'caller' | 'writeWithToken' | 'context'
>

/**
 * Cancels a dynamic QR code of the caller's account, and emits its event. Cancelling it again
 * changes nothing.
 *
 * @throws {Refusal} if there is no such code, or it was paid or is being paid
 */
async function cancelCharge<K extends Kind>(
  { path: { id }, caller: { account_id }, writeWithToken, context }: Cancelling,
  kind: K,
): Promise<QrCode<K>> {
  const charge = { id, account_id, kind }
  const at = context.now()
  const row = await writeWithToken(async (queries) => {
    const cancelled = await queries.get<ChargeRow>(...bind(CANCEL_IF_OPEN, { ...charge, at }))
    if (!cancelled) return requireCancelledBefore(queries, charge)

    const { partner_id } = cancelled
    const subject = { partner_id, id, data: toQrCode(cancelled) }
    await emit(queries, context, eventsByChange().cancelled, subject)
    return cancelled
  })
  context.wakeWorker()
  return toQrCode<K>(row)
}

/**
 * Returns a charge that was not open, because it was cancelled before.
 *
 * @throws {Refusal} if there is none, or it was paid or is being paid
 */
async function requireCancelledBefore(
  queries: Queries,
  charge: { readonly id: string; readonly account_id: string; readonly kind: Kind },
): Promise<ChargeRow> {
  const row = (await queries.get<ChargeRow>(...bind(CHARGE_OF_ACCOUNT, charge))) ?? notFound()
  const isPaid = row.status === 'CONCLUIDA'
  // A transfer paid it when it should have been cancelled. It may have been rejected since then, and
  // have opened the charge again.
  const isOpen = row.status === 'ATIVA'
  if (isPaid || isOpen) throw new Refusal('qrcode_paid')
  return row
}

/** Returns no row if the charge is not open, or a transfer pays it. */
const CANCEL_IF_OPEN = `
  UPDATE qrcodes
  SET status = 'REMOVIDA_PELO_USUARIO_RECEBEDOR', revision = revision + 1,
    updated_at = ${laterExpression('updated_at', ':at')}
  WHERE id = :id AND account_id = :account_id AND kind = :kind
    AND status = 'ATIVA' AND transfer_id IS NULL
  RETURNING ${CHARGE_COLUMNS}`
const CHARGE_OF_ACCOUNT = `
  SELECT ${CHARGE_COLUMNS} FROM qrcodes
  WHERE id = :id AND account_id = :account_id AND kind = :kind`

export const cancelDueDateQrCode: Handler<'cancelDueDateQrCode'> = (call) =>
  cancelCharge(call, 'DueDate')

export const cancelImmediateQrCode: Handler<'cancelImmediateQrCode'> = (call) =>
  cancelCharge(call, 'Immediate')
