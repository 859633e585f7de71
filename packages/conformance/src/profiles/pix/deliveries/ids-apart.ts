import type { Rule } from '../../../engine/rule.ts'
import { cause, DELIVERING, delivered, place, register } from './helpers.ts'

export const deliveryIdsApart: Rule = {
  id: 'delivery-ids-apart',
  phase: 'deliveries',
  cites: { question: 'signature' },
  needs: DELIVERING,
  stateful: true,
  impact: 'high',
  title: 'Each event has a webhook-id of its own.',
  advice: 'Give each event an id when it is written: by the id, receivers drop what they have seen.',
  run: async (context) => {
    const registered = await register(context)
    const [first, second] = [registered && (await cause(context)), registered && (await cause(context))]
    if (!registered || !first || !second) return context.inconclusive()
    const [[one], [other]] = [
      await delivered(context, registered.inbox, first),
      await delivered(context, registered.inbox, second),
    ]
    if (!one || !other) return context.inconclusive()
    const isSame = one.headers['webhook-id'] === other.headers['webhook-id']
    const message = 'Expected another webhook-id for another event, got the same.'
    context.expect(second, isSame ? message : undefined, place(context))
  },
}
