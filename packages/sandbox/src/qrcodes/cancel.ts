import { emit } from '../deliveries/emit.ts'
import type { Call, Handler } from '../handler.ts'
import { notFound, Refusal } from '../problems.ts'
import { laterOf } from '../time.ts'
import { type ChargeRow, type Kind, type QrCode, recordOf } from './record.ts'

const CANCELLED = 'REMOVIDA_PELO_USUARIO_RECEBEDOR'

type Cancelling = Pick<Call<'cancelDueDateQrCode'>, 'path' | 'caller' | 'context'>

/** Cancels a dynamic QR code of the caller's account. Cancelling it again changes nothing. */
async function cancelCharge<K extends Kind>(
  { path: { id }, caller: { account_id }, context }: Cancelling,
  kind: K,
): Promise<QrCode<K>> {
  const at = context.now()
  const row = await context.store.write(async (queries) => {
    const cancelled = await queries.get<ChargeRow>(CANCEL, [
      CANCELLED,
      at,
      at,
      id,
      account_id,
      kind,
    ])
    if (cancelled) {
      await emit(queries, context, 'qrcode.cancelled', { ...cancelled, data: recordOf(cancelled) })
      return cancelled
    }
    const found = (await queries.get<ChargeRow>(FIND, [id, account_id, kind])) ?? notFound()
    if (found.status === 'CONCLUIDA' || found.transfer_id) throw new Refusal('qrcode_paid')
    return found
  })
  context.poke()
  return recordOf<K>(row)
}

const CANCEL = `
  UPDATE qrcodes SET status = ?, revision = revision + 1, updated_at = ${laterOf('updated_at')}
  WHERE id = ? AND account_id = ? AND kind = ? AND status = 'ATIVA' AND transfer_id IS NULL RETURNING *`
const FIND = 'SELECT * FROM qrcodes WHERE id = ? AND account_id = ? AND kind = ?'

export const cancelDueDateQrCode: Handler<'cancelDueDateQrCode'> = (call) =>
  cancelCharge(call, 'DueDate')

export const cancelImmediateQrCode: Handler<'cancelImmediateQrCode'> = (call) =>
  cancelCharge(call, 'Immediate')
