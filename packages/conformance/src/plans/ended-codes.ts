import { stringAt, withValue } from '../contract/json.ts'
import type { Input, Outcome } from '../send/requests.ts'
import type { PlanContext } from './plan.ts'
import { type CodeKind, DUE_DATE_CODES, IMMEDIATE_CODES } from './records.ts'
import { createRecord, EXAMPLE } from './valid-requests.ts'

/** The identity that pays codes: a customer, since a service may refuse that the partner pays its own code. */
export const PAYER = 'payer'

/** A charge that was just paid. */
interface PaidCharge {
  /** The example of createTransfer that pays it. */
  readonly example: number
  /** The payment. */
  readonly paid: Input
  /** When the accepted payment of another charge was sent. */
  readonly variantOf: number
}

/**
 * Checks and pays a charge that was just paid, and one that was cancelled: the service must refuse both. Returns the
 * outcomes of the two payments.
 */
export async function endAndPayCodes(
  context: PlanContext,
  charge: PaidCharge,
): Promise<readonly Outcome[]> {
  const paidCode = stringAt(charge.paid.body, '/emv') ?? ''
  const paymentOfPaid = await payEndedCode(context, charge, paidCode)

  // Both checks are variants of one that was accepted before the code was cancelled.
  const kind = charge.example === EXAMPLE.dueDateCode ? DUE_DATE_CODES : IMMEDIATE_CODES
  const { sentAt, cancelledCode } = await checkAndCancelCode(context, kind)
  for (const emv of [paidCode, cancelledCode]) {
    const intent = { variantOf: sentAt }
    await context.send('checkCode', { body: { emv }, by: PAYER, intent })
  }
  const paymentOfCancelled = await payEndedCode(context, charge, cancelledCode)
  return [paymentOfPaid, paymentOfCancelled]
}

/** Pays a code as a variant of an accepted payment, in which only the code differs. */
function payEndedCode(
  { send }: PlanContext,
  { paid, variantOf }: PaidCharge,
  emv: string,
): Promise<Outcome> {
  const body = withValue(paid.body, '/emv', emv)
  const intent = { variantOf, edit: '/emv' }
  return send('createTransfer', { ...paid, body, by: PAYER, intent })
}

/** Creates a code, checks it and cancels it. Returns the code, and when it was checked. */
async function checkAndCancelCode(context: PlanContext, { create, cancel }: CodeKind) {
  // If the creation is refused, the empty texts name no code, and are refused too.
  const { id = '', emv = '' } = await createRecord(context, create)
  const { sentAt } = await context.send('checkCode', { body: { emv }, by: PAYER })
  await context.send(cancel, { path: { id } })
  return { sentAt, cancelledCode: emv }
}
