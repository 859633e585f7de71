import type { Context } from '../../../engine/context.ts'
import type { Rule } from '../../../engine/rule.ts'
import { isSuccess } from '../../../model/exchange.ts'
import { PAYING, transfer, transferToKey } from '../payments.ts'
import { about, cause, DELIVERING, delivered, place, type Registered, register, SILENCE } from './helpers.ts'

export const deliveryTypeFiltered: Rule = {
  id: 'delivery-type-filtered',
  phase: 'deliveries',
  cites: { question: 'webhook-types' },
  needs: DELIVERING,
  stateful: true,
  title: 'A webhook receives the events of its type, and no others.',
  advice: 'Compare the type of the webhook with the first word of the event.',
  run: async (context) => {
    const [qrcode, transfer] = await Promise.all([
      register(context, { type: 'qrcode' }),
      register(context, { type: 'transfer' }),
    ])
    const cancelled = qrcode && transfer && (await cause(context))
    if (!qrcode || !transfer || !cancelled) return context.inconclusive()
    const came = await delivered(context, qrcode.inbox, cancelled)
    context.expect(
      cancelled,
      came.length
        ? undefined
        : 'Expected the event of a QR code for a webhook of type qrcode, and none came.',
      { ...place(context), about: 'qrcode' },
    )
    if (came.length === 0) return context.inconclusive()
    await context.pause(SILENCE)
    const wrong = about(transfer.inbox.deliveries, cancelled).length
    context.expect(
      cancelled,
      wrong ? 'Expected no event of a QR code for a webhook of type transfer, got one.' : undefined,
      { ...place(context), about: 'transfer' },
    )
    await tryTransfer(context, { qrcode, transfer })
  },
}

interface Both {
  readonly qrcode: Registered
  readonly transfer: Registered
}

/** The other way round, where transfers may be sent. */
async function tryTransfer(context: Context, { qrcode, transfer: own }: Both): Promise<void> {
  if (!context.contract.has(...PAYING) || !context.may(context.contract.operation('createTransfer'))) return
  const input = await transferToKey(context)
  const paid = input && (await transfer(context, input))
  if (!paid || !isSuccess(paid) || (await delivered(context, own.inbox, paid)).length === 0)
    return context.inconclusive()
  await context.pause(SILENCE)
  const wrong = about(qrcode.inbox.deliveries, paid).length
  const message = 'Expected no event of a transfer for a webhook of type qrcode, got one.'
  context.expect(paid, wrong ? message : undefined, { ...place(context), about: 'transfer to qrcode' })
}
