import type { Context } from '../../engine/context.ts'
import { expectRefusal } from '../../engine/refusal.ts'
import type { Rule } from '../../engine/rule.ts'
import { nodeOf } from '../../model/document.ts'
import { isSuccess } from '../../model/exchange.ts'
import { CHARGING, type charge, chargesOf, payer, paysOnce, transfer, transferToCharge } from './payments.ts'

export const paidOnce: Rule = {
  id: 'paid-once',
  phase: 'records',
  cites: { question: 'transfer-repeat' },
  needs: CHARGING,
  stateful: true,
  impact: 'critical',
  title:
    'A dynamic code is paid once: not a second time, and not twice at once; a static one as often as it is asked.',
  advice: 'Claim the charge in the transaction that sets the money aside.',
  run: async (context) => {
    for (const create of chargesOf(context)) await paidAgain(context, create)
    if (context.contract.has('createStaticQrCode')) await paidOften(context)
  },
}

async function paidAgain(context: Context, create: Parameters<typeof charge>[1]): Promise<void> {
  const input = await transferToCharge(context, create)
  if (!input) return context.inconclusive()
  const first = await transfer(context, input, payer(context))
  if (!isSuccess(first)) return context.inconclusive()
  const again = await transfer(context, input, payer(context))
  const message = 'Expected a charge that was paid to be refused, and it was paid again.'
  expectRefusal(context, again, message, { also: [404] })
  const other = await transferToCharge(context, create)
  if (!other) return context.inconclusive()
  await paysOnce(context, () => transfer(context, other, payer(context)))
}

/** A static code is no charge: whoever has it may pay it, and pay it again. */
async function paidOften(context: Context): Promise<void> {
  const created = await context.accepted('createStaticQrCode', { set: { '/amount': '0.03' } })
  const { emv } = nodeOf(created?.body)
  const input = { body: { type: 'emv', emv, amount: '0.03' } }
  const first = created && (await transfer(context, input, payer(context)))
  if (!first || !isSuccess(first)) return context.inconclusive()
  const again = await transfer(context, input, payer(context))
  const message = `Expected a static code to be paid again, got ${again.response.status}.`
  context.expect(again, isSuccess(again) ? undefined : message, { about: 'static' })
}
