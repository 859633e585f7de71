import type { Context } from '../../engine/context.ts'
import { isSuccess } from '../../model/exchange.ts'
import { judgeVariant } from './judge-variant.ts'
import { canTry, type Row, rowsOf, senderOf } from './refusal-rows.ts'
import { doBefore, editedRequest, isLater, validRequest } from './variant-request.ts'

/** Tries the rows that match: sends their valid request and, if that is accepted, their variants. */
export async function tryRows(context: Context, isMatching: (row: Row) => boolean): Promise<void> {
  const rows = rowsOf(context.behaviour).filter((row) => isMatching(row) && canTry(context, row))
  const groups = Map.groupBy(rows, ({ variant: { operation, example, from, as } }) =>
    [operation, example, from, as].join(' '),
  )
  const all = [...groups.values()]
  // The clock moves for every request, so only one group at a time may move it.
  if (rows.some(({ variant }) => isLater(variant))) for (const group of all) await tryGroup(context, group)
  else await context.each(all, (group) => tryGroup(context, group))
}

/** Tries rows that edit the same request, after it was accepted without an edit. */
async function tryGroup(context: Context, group: readonly Row[]): Promise<void> {
  const isAccepted = await isUneditedAccepted(context, group)
  for (const row of group)
    await context.each([row], async () => (isAccepted ? tryRow(context, row) : context.inconclusive()))
}

async function isUneditedAccepted(context: Context, [row]: readonly Row[]): Promise<boolean> {
  const { given: _, ...variant } = row?.variant ?? { operation: '', says: '' }
  const valid = row && (await validRequest(context, variant))
  const sent = valid && (await context.send(valid.view, valid.input, { identity: valid.identity }))
  return sent !== undefined && isSuccess(sent)
}

async function tryRow(context: Context, row: Row): Promise<void> {
  const { variant } = row
  const valid = await validRequest(context, variant)
  const input = valid && editedRequest(context, variant, valid)
  if (!input || !(await doBefore(context, variant, valid))) context.inconclusive()
  else {
    const exchange = await context.send(valid.view, input, { identity: senderOf(variant) })
    await judgeVariant(context, row, exchange, valid.input)
  }
}
