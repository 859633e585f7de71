import type { Context } from '../../../engine/context.ts'
import type { Rule } from '../../../engine/rule.ts'
import { nodeOf } from '../../../model/document.ts'
import { isSuccess } from '../../../model/exchange.ts'
import { jsonIn } from '../../../model/http.ts'
import { CHARGING, charge, chargesOf, payer, transfer } from '../payments.ts'
import { listedStatusOf, PAID } from '../settlement.ts'
import { DELIVERING, delivered, place, type Registered, register } from './helpers.ts'

const TOLD = 'qrcode.paid'

export const deliveryOfPayments: Rule = {
  id: 'delivery-of-payments',
  phase: 'deliveries',
  cites: { question: 'event-kinds' },
  needs: [...DELIVERING, ...CHARGING],
  stateful: true,
  impact: 'high',
  title: 'That a QR code of either kind was paid is told, with the code as it is then.',
  advice: 'Write the event in the transaction that settles the transfer.',
  run: async (context) => {
    const registered = await register(context, { type: 'qrcode' })
    if (!registered) return context.inconclusive()
    await context.each(chargesOf(context), (create) => tryKind(context, registered, create))
  },
}

async function tryKind(
  context: Context,
  { inbox }: Registered,
  create: ReturnType<typeof chargesOf>[number],
): Promise<void> {
  const made = await charge(context, create)
  const paid = made && (await transfer(context, made.pay, payer(context)))
  if (!made || !paid || !isSuccess(paid)) return context.inconclusive()
  const status = (await listedStatusOf(context, made.created)) ?? PAID
  // What has not settled yet has nothing to tell.
  if (status !== PAID) return context.inconclusive('the payment did not settle in time')
  const [delivery] = await delivered(context, inbox, made.created)
  const { type, data } = nodeOf(jsonIn(delivery?.text ?? ''))
  const isReported = type === TOLD && nodeOf(data).status === PAID
  const message = `Expected ${TOLD} with the code as ${PAID} after its payment, got ${type ?? 'nothing'}.`
  const at = { ...place(context), operation: 'createTransfer', about: create }
  context.expect(paid, isReported ? undefined : message, at)
}
