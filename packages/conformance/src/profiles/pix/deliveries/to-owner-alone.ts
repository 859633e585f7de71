import type { Rule } from '../../../engine/rule.ts'
import { about, cause, DELIVERING, delivered, place, register, SILENCE } from './helpers.ts'

export const deliveryToOwnerAlone: Rule = {
  id: 'delivery-to-owner-alone',
  phase: 'deliveries',
  cites: { question: 'record-owners' },
  requires: 'other',
  needs: DELIVERING,
  stateful: true,
  impact: 'high',
  title: "A webhook receives nothing of what another partner's records go through.",
  advice: 'Look for the webhooks of the partner whose record it is.',
  run: async (context) => {
    const [own, foreign] = await Promise.all([register(context), register(context, { identity: 'other' })])
    const cancelled = own && foreign && (await cause(context))
    // The partner's own one tells that there was something to be delivered.
    if (!own || !foreign || !cancelled || (await delivered(context, own.inbox, cancelled)).length === 0)
      return context.inconclusive()
    await context.pause(SILENCE)
    const came = about(foreign.inbox.deliveries, cancelled).length > 0
    const message = "Expected nothing for another partner's webhook, got a delivery."
    context.expect(cancelled, came ? message : undefined, place(context))
  },
}
