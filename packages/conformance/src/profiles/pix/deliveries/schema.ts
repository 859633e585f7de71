import type { Context } from '../../../engine/context.ts'
import type { Rule } from '../../../engine/rule.ts'
import { nodeOf } from '../../../model/document.ts'
import type { Exchange } from '../../../model/exchange.ts'
import { jsonIn } from '../../../model/http.ts'
import type { Delivery } from '../../../transport/receiver.ts'
import { PAYING } from '../payments.ts'
import { DELIVERING, oneDelivery, place, transferTold } from './helpers.ts'

export const deliverySchema: Rule = {
  id: 'delivery-schema',
  phase: 'deliveries',
  cites: { question: 'event-kinds' },
  needs: DELIVERING,
  stateful: true,
  title: 'The body and the headers of a delivery are as the contract says.',
  advice: 'Send the event as the contract says, or change the contract.',
  run: async (context) => {
    const it = await oneDelivery(context)
    if (!it?.delivery) return context.inconclusive()
    judge(context, it.cancelled, it.delivery)
    const told = context.contract.has(...PAYING) ? await transferTold(context) : undefined
    if (told?.delivery) judge(context, told.paid, told.delivery)
  },
}

function judge(context: Context, exchange: Exchange, { headers, text }: Delivery): void {
  const body = jsonIn(text)
  const name = String(nodeOf(body).type)
  const found = context.contract.validator.validateDelivery({ name, headers, body })
  if (found.length === 0) context.passed()
  for (const { pointer, contract, keyword, message, question } of found)
    context.expect(exchange, `A delivery at "${pointer}": ${message}.`, {
      ...place(context),
      contract,
      about: keyword,
      ...(question && { question }),
    })
}
