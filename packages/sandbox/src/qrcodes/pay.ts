import type { Context } from '../context.ts'
import { emit } from '../deliveries/emit.ts'
import type { Queries } from '../store/store.ts'
import { laterOf } from '../time.ts'
import { type ChargeRow, recordOf } from './record.ts'

/** Marks a charge as paid and emits its event, in the transaction of `queries` that moves the money. */
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
