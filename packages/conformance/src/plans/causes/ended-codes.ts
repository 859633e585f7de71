import type { Outcome } from '../../send/requests.ts'
import type { PlanContext } from '../plan.ts'
import { type CodeKind, DUE_DATE_CODES, IMMEDIATE_CODES } from '../records.ts'
import { createRecord, EXAMPLE } from '../valid-requests.ts'
import { readEmv } from './codes.ts'
import { type RequestPair, sendEdit } from './try-edits.ts'

/** The identity that pays codes: a customer, since a service may refuse that the partner pays its own code. */
export const PAYER = 'payer'

/**
 * Checks and pays a charge that was just paid, and one that was cancelled: the service must refuse both. Returns the
 * outcomes of the two payments.
 *
 * @param example The example of createTransfer that pays such a charge.
 * @param pair An accepted payment of another charge, and the request that has paid this one.
 */
export async function endAndPayCodes(
  context: PlanContext,
  example: number,
  pair: RequestPair,
): Promise<readonly Outcome[]> {
  const paidCode = readEmv(pair.requestToEdit)
  const paymentOfPaid = await payEndedCode(context, pair, paidCode)

  // Both checks are variants of one that was accepted before the code was cancelled.
  const kind = example === EXAMPLE.dueDateCode ? DUE_DATE_CODES : IMMEDIATE_CODES
  const { sentAt, cancelledCode } = await checkAndCancelCode(context, kind)
  for (const emv of [paidCode, cancelledCode]) {
    const intent = { variantOf: sentAt }
    await context.send('checkCode', { body: { emv }, by: PAYER, intent })
  }
  const paymentOfCancelled = await payEndedCode(context, pair, cancelledCode)
  return [paymentOfPaid, paymentOfCancelled]
}

/** Pays a code as a variant of an accepted payment, in which only the code differs. */
function payEndedCode(context: PlanContext, pair: RequestPair, emv: string): Promise<Outcome> {
  const edit = { pointer: '/emv', value: emv, by: PAYER } as const
  return sendEdit(context, 'createTransfer', pair, edit)
}

/** Creates a code, checks it and cancels it. Returns the code, and when it was checked. */
async function checkAndCancelCode(context: PlanContext, { create, cancel }: CodeKind) {
  // If the creation is refused, the empty texts name no code, and are refused too.
  const { id = '', emv = '' } = await createRecord(context, create)
  const { sentAt } = await context.send('checkCode', { body: { emv }, by: PAYER })
  await context.send(cancel, { path: { id } })
  return { sentAt, cancelledCode: emv }
}
