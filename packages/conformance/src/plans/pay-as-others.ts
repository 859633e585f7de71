import type { Outcome } from '../send/requests.ts'
import { readCodeReceiver } from './code-payers.ts'
import type { PlanContext } from './plan.ts'

/**
 * Checks a code as who pays it. If the check shows that the payer is the receiver, and the run knows somebody
 * else, that one checks the code again, and pays codes from then on.
 */
export async function checkAsPayer(context: PlanContext, emv: string): Promise<Outcome> {
  const check = () => context.send('checkCode', { body: { emv }, by: 'payer' })
  const checked = await check()
  if (!checked.isAccepted) return checked

  const receiver = readCodeReceiver(checked.json)
  const isOtherPayer = await context.codePayers.replacePayerIfReceiver(receiver)
  return isOtherPayer ? check() : checked
}

/**
 * Lets others pay a code, one after the other, whose valid payment was refused: the payer may be the receiver
 * although no response shows that. Returns the first accepted payment; undefined if there is none.
 *
 * @param check The check of the code.
 * @param pay Pays the code as the payer of this time.
 */
export async function payAsOthers<Paid extends Outcome>(
  { codePayers }: PlanContext,
  check: unknown,
  pay: () => Promise<Paid>,
): Promise<Paid | undefined> {
  const receiver = readCodeReceiver(check)
  // If the default customer pays, who is certainly not the receiver, the refusal has another reason.
  const isPayerAnother = (await codePayers.compare(receiver)) === 'different'
  if (isPayerAnother && codePayers.isDefaultPayer) return undefined

  return codePayers.inTurn(async () => {
    // Each time, the next one pays who was not tried yet, until nobody is left.
    while (await codePayers.letNextPay(receiver)) {
      const paid = await pay()
      if (paid.isAccepted) return paid
    }
    await codePayers.letDefaultPay()
    return undefined
  })
}
