import { withValue } from '../contract/json.ts'
import type { Input, Outcome } from '../send/requests.ts'
import { endAndPayCodes } from './ended-codes.ts'
import type { PlanContext } from './plan.ts'
import { prepareValidRequest } from './valid-requests.ts'
import type { WrongPayment } from './wrong-payments.ts'

/**
 * Repeats the wrong payments that the service accepted earlier in the run, at most five: of a code of each kind with
 * another amount, and of charges that were paid or cancelled. A webhook receives meanwhile, so that events say whether
 * money was moved. Returns the accepted payments. Sends nothing to a live service.
 */
export async function repeatWrongPayments(context: PlanContext): Promise<readonly Outcome[]> {
  const { mayRepeatWrongPayments, wrongPayments, sideBySide } = context
  if (!mayRepeatWrongPayments) return []

  const outcomes = await sideBySide(wrongPayments.list(), (wrongPayment) =>
    repeatWrongPayment(context, wrongPayment),
  )
  return outcomes.flat().filter(({ isAccepted }) => isAccepted)
}

/** Repeats a wrong payment with a new code. Returns its outcome, and that of each payment before it. */
async function repeatWrongPayment(
  context: PlanContext,
  { about, example, variantOf, amount }: WrongPayment,
): Promise<readonly Outcome[]> {
  const options = { example, by: 'payer' } as const
  const input = await prepareValidRequest(context, 'createTransfer', options)
  if (!input) return []

  if (about === 'amount') return [await payOtherAmount(context, input, { variantOf, amount })]

  const paid = await context.send('createTransfer', input)
  const payments = await endAndPayCodes(context, { example, variantOf, paid: input })
  return [paid, ...payments]
}

/** Pays a code with another amount, as a variant of an accepted payment. */
function payOtherAmount(
  { send }: PlanContext,
  input: Input,
  { variantOf, amount }: Pick<WrongPayment, 'variantOf' | 'amount'>,
): Promise<Outcome> {
  const body = withValue(input.body, '/amount', amount)
  return send('createTransfer', { ...input, body, intent: { variantOf, edit: '/amount' } })
}
