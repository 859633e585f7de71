import type { Rule } from '../../../engine/rule.ts'
import { isSuccess } from '../../../model/exchange.ts'
import { about, cause, DELIVERING, delivered, place, register, SILENCE } from './helpers.ts'

export const deliverySilentWhileInactive: Rule = {
  id: 'delivery-silent-while-inactive',
  phase: 'deliveries',
  cites: { question: 'webhook-statuses' },
  needs: [...DELIVERING, 'updateWebhook'],
  stateful: true,
  title: 'A webhook that is inactive receives nothing.',
  advice: 'Send to active webhooks alone.',
  run: async (context) => {
    const [paused, kept] = await Promise.all([register(context), register(context)])
    if (!paused || !kept) return context.inconclusive()
    const body = { status: 'inactive', type: 'all', url: paused.inbox.url }
    const updated = await context.send(context.contract.operation('updateWebhook'), {
      path: { webhook_id: paused.id },
      body,
    })
    const cancelled = isSuccess(updated) ? await cause(context) : undefined
    if (!cancelled || (await delivered(context, kept.inbox, cancelled)).length === 0)
      return context.inconclusive()
    await context.pause(SILENCE)
    const came = about(paused.inbox.deliveries, cancelled).length
    context.expect(
      cancelled,
      came ? 'Expected nothing for a webhook that is inactive, got a delivery.' : undefined,
      { ...place(context), operation: 'updateWebhook' },
    )
  },
}
