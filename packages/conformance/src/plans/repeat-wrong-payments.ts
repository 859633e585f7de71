import type { Outcome } from '../send/requests.ts'
import { endAndPayCodes, PAYER } from './causes/ended-codes.ts'
import { sendEdit } from './causes/try-edits.ts'
import type { PlanContext } from './plan.ts'
import { prepareValidRequest } from './valid-requests.ts'
import type { WrongPayment } from './wrong-payments.ts'

/**
 * Repeats the wrong payments that the service accepted earlier in the run, with new codes. A webhook receives meanwhile,
 * so that events say whether money was moved. Returns the accepted payments. Sends nothing to a live service.
 */
export async function repeatWrongPayments(context: PlanContext): Promise<readonly Outcome[]> {
  const { mayPayWrongly, wrongPayments, sideBySide } = context
  if (!mayPayWrongly) return []

  const outcomes = await sideBySide(wrongPayments.list(), (wrongPayment) =>
    repeatWrongPayment(context, wrongPayment),
  )
  return outcomes.flat().filter(({ isAccepted }) => isAccepted)
}

/** Repeats a wrong payment with a new code. Returns its outcome, and that of each payment before it. */
async function repeatWrongPayment(
  context: PlanContext,
  { about, example, accepted, amount }: WrongPayment,
): Promise<readonly Outcome[]> {
  const options = { example, by: PAYER } as const
  const requestToEdit = await prepareValidRequest(context, 'createTransfer', options)
  if (!requestToEdit) return []

  const pair = { accepted, requestToEdit }
  if (about === 'amount') {
    const edit = { pointer: '/amount', value: amount }
    return [await sendEdit(context, 'createTransfer', pair, edit)]
  }

  const paid = await context.send('createTransfer', requestToEdit)
  const payments = await endAndPayCodes(context, example, pair)
  return [paid, ...payments]
}
